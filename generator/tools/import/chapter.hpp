// One chapter of another tool as one of the book's, in two steps, because a link needs the new ids
// of all chapters:
//
//   draft_chapter()   file --> front matter, OldLines --> syntax tree --> tree without raw HTML,
//                     with its title, and ids of its sections. The tree is that of our Markdown
//                     parser or, for other formats, of Pandoc (pandoc.hpp).
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
#include "generator/tools/import/pandoc.hpp"

namespace primer {

struct ChapterDraft {
  const ForeignChapter* chapter = nullptr;
  Node tree;
  std::string title;  // a line of Markdown
  std::string summary;
  std::vector<std::string> aliases;           // former addresses, as the old tool writes them
  std::map<std::string, std::string> ids;     // new id of each old one; "" is the page itself
  std::map<std::string, std::string> titles;  // of the sections, by new id
  // Old ids that are no heading's, by the section that they are in.
  std::map<std::string, std::vector<std::string>> former_ids;
  OldLines source;         // after includes; the loss check compares it with the new chapter
  std::vector<int> lines;  // per line of the parsed text, its number in the file
  std::vector<std::size_t> line_starts;

  int line_at(std::size_t offset) const;
};

// Nothing, after an entry in the report, if the file cannot be a chapter.
std::optional<ChapterDraft> draft_chapter(const FileSystem& files, const ForeignBook& book,
                                          const ForeignChapter& chapter, const Pandoc& pandoc,
                                          std::map<std::string, std::string>& new_files,
                                          ImportReport& report);
// The format in which Pandoc reads a chapter; "" if our own parser does.
std::string pandoc_format(const ForeignBook& book, const ForeignChapter& chapter);

class Links;
std::string finished_text(ChapterDraft& draft, Links& links, ImportReport& report);

// directives.cpp: fences of MyST ("```{note} Title") and of mdbook-admonish as HTML elements, and
// options of cells of Quarto.
void replace_directives(Node& document, const ChapterDraft& draft, const ForeignBook& book,
                        ImportReport& report);

// What a role of MyST or reStructuredText makes of its text: "ref" a link, "math" a formula.
Node role_node(const std::string& name, const Node& code);
bool is_reference_role(std::string_view name);

}  // namespace primer
