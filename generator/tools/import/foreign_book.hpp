// A book of another tool: its settings and its chapters in reading order, as its own list gives
// them.
//
//   mdBook              book.toml, src/SUMMARY.md (summary.cpp)
//   Hugo, Jekyll        content by weight, pages by name (site_lists.cpp)
//   a folder            Markdown files by name
//   Quarto, bookdown    _quarto.yml, _bookdown.yml (toc_lists.cpp)
//   MyST, Sphinx        myst.yml, _toc.yml, index.rst (toc_lists.cpp)
//   LaTeX               the file that includes the others (toc_lists.cpp)
//
// Every file that a list names is a chapter here or "not taken" in the report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generator/core/base/file_system.hpp"
#include "generator/tools/import/old_settings.hpp"
#include "generator/tools/import/report.hpp"

namespace primer {

// bookdown is `quarto`, because both are Pandoc's Markdown with cells.
enum class Tool { mdbook, hugo, quarto, myst, sphinx, latex, jekyll, folder };

struct ForeignChapter {
  std::string file;   // from the book's root
  std::string title;  // in the list of contents, a line of Markdown; may be empty
  // Without slashes at its ends: "hpc/simd". Links lead to it.
  std::string address;
  bool draft = false;
  std::string part = {};                  // title of the part that begins here
  bool appendix = false;                  // whether that part has appendices
  int depth = 0;                          // 1: a sub-page of the last chapter with depth 0
  int number = 0;                         // 0: none
  std::vector<std::string> aliases = {};  // other addresses that it had
};

struct ForeignBook {
  Tool tool = Tool::mdbook;
  std::string title = {}, subtitle = {}, language = {}, repository = {}, license = {};
  std::string base_url = {};
  std::vector<std::string> authors = {}, bibliographies = {};
  std::string content = {};     // directory in which addresses begin, with a slash, or ""
  std::string preamble = {};    // of LaTeX: what is in front of \begin{document}
  bool maths_brackets = false;  // whether \\( and \\) mark formulas
  std::vector<ForeignChapter> chapters = {};
};

// Nothing if the directory has no book that we know.
std::optional<ForeignBook> find_foreign_book(const FileSystem& files, ImportReport& report);

// The lists of the tools. Nothing if the directory has none of that tool.
std::optional<ForeignBook> mdbook_book(const FileSystem& files, ImportReport& report);
std::optional<ForeignBook> hugo_book(const FileSystem& files, ImportReport& report);
std::optional<ForeignBook> jekyll_book(const FileSystem& files, ImportReport& report);
std::optional<ForeignBook> folder_book(const FileSystem& files, ImportReport& report);
std::optional<ForeignBook> quarto_book(const FileSystem& files, ImportReport& report);
std::optional<ForeignBook> bookdown_book(const FileSystem& files, ImportReport& report);
std::optional<ForeignBook> myst_book(const FileSystem& files, ImportReport& report);
std::optional<ForeignBook> sphinx_book(const FileSystem& files, ImportReport& report);
std::optional<ForeignBook> latex_book(const FileSystem& files, ImportReport& report);

// The commands of a LaTeX text, without those in comments.
struct TexCommand {
  std::string name, argument;  // "input", "chapters/one"; "" if it has no argument in braces
  std::size_t offset = 0;      // of the backslash
};
std::vector<TexCommand> tex_commands(std::string_view text);

}  // namespace primer
