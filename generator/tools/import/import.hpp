// `primer import`: a book of mdBook, Hugo, Jekyll, Quarto, bookdown, MyST, Sphinx or LaTeX, or a
// folder of Markdown or Word files, as one of ours. The old book is only read.
//
//   find_foreign_book() --> draft_chapter() per chapter --> finished_text() --> report_losses()
//         list and settings       trees, ids                   new files            IMPORTED.md
//                                                                  |
//                                check of the new book <-----------+
//                                   |     lowers rules in book.yaml, repairs chapters, checks again
//                                   v
//                                a book that builds
//
// Nothing is lost silently: whatever is not in the new book is named in IMPORTED.md with its file
// and line, and a chapter that could not be taken is an error.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/tools/import/pandoc.hpp"

namespace primer {

struct ImportedBook {
  std::map<std::string, std::string> files;  // of the new book, with the report IMPORTED.md
  std::size_t chapters = 0, changed = 0, lost = 0, not_taken = 0;
  bool builds = true;  // whether the last check found no errors
};

// Checks a book in memory as `primer check` does.
using CheckBook = std::function<Diagnostics(const std::map<std::string, std::string>& files)>;

// `name` is that of the old directory, for a book without a title. `pandoc` may be empty; then a
// book that needs it is an error. Nothing after an error.
std::optional<ImportedBook> import_book(const FileSystem& files, const std::string& name,
                                        const CheckBook& check, const Pandoc& pandoc,
                                        Diagnostics& diagnostics);

}  // namespace primer
