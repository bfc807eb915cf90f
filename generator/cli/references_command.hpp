// `primer references import`: works of a BibTeX or CSL-JSON file, for chapters/facts/references.json.
#pragma once

#include <string>

namespace primer {

struct ImportReferencesCommand {
  std::string book, file;
  bool checked = false;  // the author has compared title, authors and address with each work
  bool no_sandbox = false;
};

int run(const ImportReferencesCommand& command);  // the exit status

}  // namespace primer
