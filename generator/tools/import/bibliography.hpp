// `primer references import`: works of a BibTeX or CSL-JSON file become entries of chapters/facts/references.json.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

struct ImportedReferences {
  // Something that is not imported.
  struct Loss {
    std::string text;  // and why: "smith2001: it has no address"
    int line = 0;      // where the work starts in the bibliography; 0: CSL-JSON, unknown

    bool operator==(const Loss&) const = default;
  };

  std::string text;  // of references.json, with what it had
  std::vector<std::string> added, there;
  std::vector<Loss> changed;   // parts of added works
  std::vector<Loss> left_out;  // works
};

inline constexpr const char* references_file = "chapters/facts/references.json";

// `old` is the text that references.json has. `checked`: somebody has compared the works; else nothing cites them before
// that is done. Nothing after an error.
std::optional<ImportedReferences> with_references(const Source& bibliography,
                                                  const std::string& old, bool checked,
                                                  Diagnostics& diagnostics);

}  // namespace primer
