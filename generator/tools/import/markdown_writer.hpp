// Writes a syntax tree as the book's Markdown, so that parsing it again gives the same tree.
//
//   old text --> parse_markdown() --> Node --> chapter.cpp changes it --> write_markdown()
//
// The tree decides the structure, and the writer chooses the marks: fences longer than any fence in
// the code, `\|` in tables, an address between < and > if it has spaces. Text that comes unchanged
// from a file (InSource::verbatim) is written unchanged, because Markdown has already taken it for
// text. Any other text gets a backslash before each character that could be a mark.
//
// Of raw HTML only comments and the elements that the book allows are written (html_nodes.hpp
// replaces the rest).
#pragma once

#include <map>
#include <string>

#include "generator/core/markdown/markdown.hpp"

namespace primer {

// The blocks of a document, with a line break at the end.
std::string write_markdown(const Node& document);

// A line of Markdown, such as a title.
std::string write_inlines(const Node& parent);

}  // namespace primer
