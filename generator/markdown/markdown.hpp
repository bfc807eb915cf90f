// GitHub Flavored Markdown → a tree of our own.
//
// cmark-gfm does the parsing; nothing else in the generator knows it. What this stage adds:
//  - limits before parsing and of the tree: file size, cells of a table (a short row is filled up to its header's
//    width), depth. The tree that comes out is at most `Limits::depth` deep, so recursion over it
//    is safe.
//  - one mutex around its parser: cmark-gfm, gfm.13 too, keeps the special characters of its
//    extensions in a global table. Two parsers at the same time got 1,362 of 6,000 texts wrong.
//  - `$…$`, `` $`…`$ `` and `$$…$$` as nodes (an inline extension: `$a*b*c$` must not become
//    emphasis), and `[@id]` as nodes.
//  - exact places of inlines (inline_places.hpp), because cmark-gfm's columns are not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generator/diagnostic/diagnostic.hpp"
#include "generator/diagnostic/extract.hpp"
#include "generator/markdown/github_maths.hpp"

namespace primer {

enum class NodeKind {
  document,
  paragraph,
  heading,
  quote,
  list,
  item,
  code_block,
  html_block,
  rule,
  table,
  table_row,
  table_cell,
  note_definition,
  text,
  soft_break,
  line_break,
  code,
  html,
  emphasis,
  strong,
  strike,
  link,
  image,
  maths,
  citation,
  note_reference,
};

enum class Alignment { none, left, centre, right };

// How an inline is written in the file. verbatim: it has exactly the bytes of `text` there. escaped:
// it has an escape, an entity or a fold there, `length` bytes long. unknown: the place is its block's.
enum class InSource { verbatim, escaped, unknown };

struct Node {
  NodeKind kind = NodeKind::document;
  // Place in the file of what the node itself says: of a text all of it, of a mark the opening one.
  std::size_t offset = 0;
  std::size_t length = 0;
  std::size_t end = 0;                     // of an inline, behind its closing mark
  InSource in_source = InSource::unknown;  // of an inline
  std::string text;   // literal of text, code, maths (TeX), html; number of a note; a citation
  std::string info;   // of a code block, after the fence; of a reference to a note, "[^label]"
  std::string url;    // of links and images
  std::string title;  // of links and images
  std::size_t url_offset = 0;  // the link's own where the address is that of a definition
  int level = 0;               // of a heading
  int start = 1;               // of an ordered list
  bool ordered = false;
  bool tight = false;
  bool header = false;                  // of a table's row
  std::size_t written_cells = 0;        // of a table's row, as it stands in the file; 0: not known
  int fence = 0;                        // of a code block: how many marks long; 0: it is indented
  bool closed = true;                   // of a code block: whether its fence is
  MathsForm form = MathsForm::dollars;  // of maths
  std::optional<bool> checked;          // of a task's item
  Alignment alignment = Alignment::none;  // of a cell
  std::optional<Extract> body;            // of a code block
  std::vector<Node> children;
};

struct Limits {
  std::size_t file_size = 512 * 1024;
  std::size_t table_cells = 20'000;
  int depth = 100;
  int notes_with_notes = 10;
  // Of the tree. What comes later may look at all headings and blocks for each link.
  std::size_t nodes = 200'000;
  std::size_t links = 5'000;   // and images
  std::size_t blocks = 2'000;  // headings and fenced blocks, which can be linked to
};

// Nothing, after a diagnostic, when the text exceeds a limit. Safe to call from several threads.
// A side note that no text refers to is not in the tree. It is an error, and a warning in a
// translation whose text may not have come to it yet.
std::optional<Node> parse_markdown(const Extract& extract, Diagnostics& diagnostics,
                                   Severity unused_notes = Severity::error,
                                   const Limits& limits = {});

// The text of a node and everything in it, without marks.
std::string plain_text(const Node& node);

// Whether a paragraph is one displayed formula.
bool is_lone_formula(const Node& paragraph);

}  // namespace primer
