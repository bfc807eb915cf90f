// `primer references import`: works of a BibTeX or CSL-JSON file become entries of chapters/facts/references.json.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

struct ImportedReferences {
  std::string text;  // of references.json, with what it had
  std::vector<std::string> added, there;
  std::vector<std::string> changed = {};  // parts of added works that are left out, and why
  std::vector<std::string> left_out;      // and why: "smith2001: it has no address"
};

inline constexpr const char* references_file = "chapters/facts/references.json";

// `old` is the text that references.json has. `checked`: somebody has compared the works; else nothing cites them before
// that is done. Nothing after an error.
std::optional<ImportedReferences> with_references(const Source& bibliography,
                                                  const std::string& old, bool checked,
                                                  Diagnostics& diagnostics);

}  // namespace primer
