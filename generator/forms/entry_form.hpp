// What a book has in files of JSON as entries with an id, facts, claims and references: the fields of a new one, to be filled in, and the
// file that has it then.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/forms/schema_fields.hpp"

namespace primer {

// The fields of an entry that shall have this id: the id, its file where there are several, and its members. None where there are no entries of that
// kind, which is "fact", "claim" or "reference".
std::vector<FormField> entry_form(const FileSystem& files, std::string_view kind,
                                  const std::string& id);

struct FieldFault {
  std::string field;  // empty: it is about the whole
  Diagnostic diagnostic;
};

struct EnteredFile {
  std::string path, text;
};

// The file with such an entry more. Nothing where `faults` says why: the book is checked with it. Of `values` the members are lists of texts
// by the names of fields.
std::optional<EnteredFile> enter_entry(const FileSystem& files, std::string_view kind,
                                       const nlohmann::json& values,
                                       std::vector<FieldFault>& faults);

}  // namespace primer
