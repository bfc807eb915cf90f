// Changes a fact, and the values of all facts that are derived from it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

struct FactEdit {
  std::string id, value;
  // Empty: unchanged, or removed if this is the whole fact.
  std::vector<std::string> sources = {};
  std::string note = {}, read = {};
  bool is_whole = false;
};

struct EditedFacts {
  struct Change {
    std::string id, before, after;
  };
  std::map<std::string, std::string> files;  // the changed files by path
  std::vector<Change> changes;               // the fact, then those derived from it
};

// No value after a diagnostic: there is no such fact, it is derived itself, or the facts would not
// be valid. A derived value keeps its unit and its number of digits.
std::optional<EditedFacts> edit_fact(const FileSystem& files, const FactEdit& edit,
                                     Diagnostics& diagnostics);

}  // namespace primer
