// Forms for entries with an id in the book's JSON files: facts, claims and references. Lists the
// fields of a new entry, and makes the file that contains it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/tools/forms/block_form.hpp"

namespace primer {

// The fields of a new entry with this id: its id, its file if there are several, and its members.
// `kind` is "fact", "claim" or "reference"; empty for other kinds.
std::vector<FormField> entry_form(const FileSystem& files, std::string_view kind,
                                  const std::string& id);

// The members of a fact that can be set (fact_edit.hpp), with their values: "value", "note" and, if
// it has sources, "sources" and "read". Empty if no fact has the id.
std::vector<FormField> fact_form(const FileSystem& files, const std::string& id);

// `"id": {…}` with the members of a fact or a claim, in the order and layout of the book's files.
std::string written_fact(const std::string& id, const nlohmann::json& members);

struct FieldFault {
  std::string field;  // empty: about the whole entry
  Diagnostic diagnostic;
};

struct EnteredFile {
  std::string path, text;
};

// The file with the entry added. Checks the book with it; no value if `faults` says what is wrong.
// `values` maps names of fields to lists of texts.
std::optional<EnteredFile> enter_entry(const FileSystem& files, std::string_view kind,
                                       const nlohmann::json& values,
                                       std::vector<FieldFault>& faults);

}  // namespace primer
