// What commands write into a book.
#pragma once

#include <map>
#include <string>

#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// Writes files of the book (book_files.hpp) and prints their names; what cannot be written is reported.
void write_and_name(const std::string& book, const std::map<std::string, std::string>& files,
                    Diagnostics& diagnostics);

}  // namespace primer
