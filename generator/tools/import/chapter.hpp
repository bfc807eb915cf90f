// One chapter of another tool as one of the book's, in two steps, because a link needs the new ids
// of all chapters:
//
//   draft_chapter()   file --> front matter, OldLines --> syntax tree --> tree without raw HTML,
//                     with its title, and ids of its sections
//   finished_text()   tree with the links and images of the new book --> Markdown
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generator/core/markdown/markdown.hpp"
#include "generator/tools/import/foreign_book.hpp"
#include "generator/tools/import/old_lines.hpp"

namespace primer {

struct ChapterDraft {
  const ForeignChapter* chapter = nullptr;
  Node tree;
  std::string title;  // a line of Markdown
  std::string summary;
  std::vector<std::string> aliases;        // former addresses, as the old tool writes them
  std::map<std::string, std::string> ids;  // new id of each old one; "" is the page itself
  // Old ids that are no heading's, by the section that they are in.
  std::map<std::string, std::vector<std::string>> former_ids;
  OldLines source;         // after includes; the loss check compares it with the new chapter
  std::vector<int> lines;  // per line of the parsed text, its number in the file
  std::vector<std::size_t> line_starts;

  int line_at(std::size_t offset) const;
};

// Nothing, after an entry in the report, if the file cannot be a chapter.
std::optional<ChapterDraft> draft_chapter(const FileSystem& files, const ForeignBook& book,
                                          const ForeignChapter& chapter,
                                          std::map<std::string, std::string>& new_files,
                                          ImportReport& report);

class Links;
std::string finished_text(ChapterDraft& draft, Links& links, ImportReport& report);

// directives.cpp: fences of MyST ("```{note} Title") and of mdbook-admonish as HTML elements, and
// options of cells of Quarto.
void replace_directives(Node& document, const ChapterDraft& draft, const ForeignBook& book,
                        ImportReport& report);

// notebook.cpp: a Jupyter notebook as Markdown. Its images become `new_files`. Nothing if it is no
// notebook.
std::optional<std::string> notebook_text(const std::string& json, const std::string& file,
                                         std::map<std::string, std::string>& new_files);

}  // namespace primer
