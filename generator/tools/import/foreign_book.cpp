#include "generator/tools/import/foreign_book.hpp"

namespace primer {

std::optional<ForeignBook> find_foreign_book(const FileSystem& files, ImportReport& report) {
  if (auto book = mdbook_book(files, report)) return book;
  if (auto book = hugo_book(files, report)) return book;
  if (auto book = quarto_book(files, report)) return book;
  if (auto book = bookdown_book(files, report)) return book;
  if (auto book = sphinx_book(files, report)) return book;
  // Jupyter Book and Jekyll both have a _config.yml, but only the first has a list of contents.
  if (auto book = myst_book(files, report)) return book;
  if (auto book = jekyll_book(files, report)) return book;
  if (auto book = latex_book(files, report)) return book;
  return folder_book(files, report);
}

}  // namespace primer
