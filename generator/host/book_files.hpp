// What primer itself writes into a book: `new chapter`, `check --fix`, `translate begin`, `translate stamp`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// Writes whole files, by their paths in the book, and returns the paths. Only below chapters/,
// figures/ and site/locales/, where what is there is a plain file, and never by way of a link: a chapter that is a link to
// a workflow is reported, and the workflow stays as it is. Each is written aside and then renamed. What cannot
// be written is reported; then no file is there that was not there before.
std::vector<std::string> write_book_files(const std::string& book,
                                          const std::map<std::string, std::string>& files,
                                          Diagnostics& diagnostics);

}  // namespace primer
