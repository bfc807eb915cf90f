// Files that primer writes into a book: `new chapter`, `check --fix`, `translate begin`, `translate
// stamp`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

// Writes whole files by their paths in the book and returns the paths. It writes only below
// chapters/, figures/ and site/locales/, replaces only regular files and follows no link: if a
// chapter is a link to a workflow, that is reported and the workflow stays unchanged. Each file is
// written under another name and then renamed. If a file cannot be written, that is reported and no
// new file remains.
std::vector<std::string> write_book_files(const std::string& book,
                                          const std::map<std::string, std::string>& files,
                                          Diagnostics& diagnostics);

}  // namespace primer
