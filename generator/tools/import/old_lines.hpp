// The text of a chapter before Markdown sees it: each line with its number in the chapter's file,
// through everything that a tool pastes or replaces.
//
//   with_marked_lines()  MkDocs: === "Tab", !!! note; mdbook-tabs: {{#tab name="Tab"}}
//   with_includes()      mdBook: {{#include file:anchor}}
//   with_pasted_files()  LaTeX: \\input{file}; Sphinx: include and literalinclude
//   with_shortcodes()    Hugo and Quarto: {{< name >}}; Jekyll: {% name %}
//   with_colon_fences()  MyST: :::{note}
//   with_cell_fences()   Quarto and R Markdown: ```{r name}, which is no fence to Pandoc
//
// Shortcodes become Markdown or HTML, which html_nodes.hpp then reads. Whatever is pasted is
// limited, so that two files that include each other end.
#pragma once

#include <string>
#include <vector>

#include "generator/tools/import/foreign_book.hpp"

namespace primer {

struct OldLine {
  std::string text;
  int number = 0;  // in the chapter's file; of pasted lines, that of the line which pastes them
};
using OldLines = std::vector<OldLine>;

inline constexpr int deepest_include = 10;  // as in mdBook
inline constexpr std::size_t most_included_bytes = 512 * 1024;

OldLines old_lines(std::string_view text, int first);

// The same lines for other tools.
OldLines with_marked_lines(const OldLines& lines, Tool tool);
OldLines with_includes(const FileSystem& files, const std::string& file, const OldLines& lines,
                       ImportReport& report);
OldLines with_pasted_files(const FileSystem& files, const ForeignBook& book,
                           const std::string& file, const OldLines& lines, ImportReport& report);
OldLines with_shortcodes(const FileSystem& files, const ForeignBook& book, const std::string& file,
                         const OldLines& lines, ImportReport& report);
OldLines with_colon_fences(const OldLines& lines);
// The text behind the fence becomes an attribute of the block.
OldLines with_cell_fences(const OldLines& lines);
inline constexpr const char* cell_attribute = "cell";

// The fence that a line opens or closes outside of other blocks: its marks and what follows.
struct Fence {
  std::string_view indent, marks, info;
};
std::optional<Fence> fence_of(std::string_view line);

}  // namespace primer
