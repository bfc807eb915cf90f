// `primer import`: a book of mdBook, Hugo, Quarto, MyST or Jekyll as one of ours. The old one is only read.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

struct ImportedBook {
  std::map<std::string, std::string> files;  // of the new book, with the report IMPORTED.md
  std::size_t chapters = 0, changed = 0;
};

// `name` is the old directory's, for a book that has no title. Nothing after an error.
std::optional<ImportedBook> import_book(const FileSystem& files, const std::string& name,
                                        Diagnostics& diagnostics);

}  // namespace primer
