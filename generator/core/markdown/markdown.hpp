// Parses GitHub Flavored Markdown into our own tree (Node).
//
//   Extract --> within_limits() --> cmark-gfm --> Measure --> Converter --> Node
//                                                                |
//                                 place_inlines(), report_unread_lines(), CharacterCheck
//
// cmark-gfm does the parsing, and nothing else in the generator knows it. This stage adds:
// - Limits before parsing and on the tree: file size, cells of a table (short rows are filled up to
//   the header's width), depth. The tree is at most Limits::depth deep, so recursion over it is
//   safe.
// - One mutex around the parser. cmark-gfm, including gfm.13, keeps the special characters of its
//   extensions in a global table. With two parsers at the same time, 1,362 of 6,000 texts were
//   wrong.
// - Nodes for `$…$`, `` $`…`$ ``, `$$…$$` (an inline extension, because `$a*b*c$` must not become
//   emphasis) and `[@id]`.
// - Exact positions of inlines (inline_places.hpp), because cmark-gfm's columns are wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/diagnostic/source.hpp"
#include "generator/core/markdown/formula.hpp"

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

// How an inline is written in the file. verbatim: the file has exactly the bytes of `text`.
// escaped: the file has `length` bytes with an escape, an entity or a fold. unknown: the position
// is that of the block.
enum class InSource { verbatim, escaped, unknown };

struct Node {
  NodeKind kind = NodeKind::document;
  // Position in the file: of a text, all of it; of any other inline, the opening mark.
  std::size_t offset = 0;
  std::size_t length = 0;
  std::size_t end = 0;                     // of an inline, after its closing mark
  InSource in_source = InSource::unknown;  // of an inline
  std::string text;   // literal of text, code, maths (TeX), html; number of a note; a citation
  std::string info;   // of a code block, after the fence; of a note reference, "[^label]"
  std::string url;    // of links and images
  std::string title;  // of links and images
  std::size_t url_offset = 0;  // the link itself if its URL comes from a definition
  int level = 0;               // of a heading
  int start = 1;               // of an ordered list
  bool ordered = false;
  bool tight = false;
  bool header = false;                    // of a table row
  std::size_t written_cells = 0;          // of a table row, as written; 0: unknown
  int fence = 0;                          // of a code block: length of the fence; 0: indented
  bool closed = true;                     // of a code block: whether its fence is closed
  MathsForm form = MathsForm::dollars;    // of maths
  std::optional<bool> checked;            // of a task item
  Alignment alignment = Alignment::none;  // of a cell
  std::optional<Extract> body;            // of a code block
  std::vector<Node> children;
};

struct Limits {
  std::size_t file_size = 512 * 1024;
  std::size_t table_cells = 20'000;
  int depth = 100;
  int notes_with_notes = 10;
  // For the whole tree, because later stages may look at all headings and blocks per link.
  std::size_t nodes = 200'000;
  std::size_t links = 5'000;   // and images
  std::size_t blocks = 2'000;  // headings and fenced blocks, which can be link targets
};

// Checks the limits that must hold before cmark-gfm sees the text. Returns false after a
// diagnostic.
bool within_limits(const Extract& extract, const Limits& limits, Diagnostics& diagnostics);

// Returns nothing, after a diagnostic, if the text exceeds a limit. Safe to call from several
// threads. A side note that nothing refers to is not in the tree, and it is reported with the
// severity `unused_notes`. That is a warning in a translation with untranslated blocks, because one
// of these may refer to the note.
std::optional<Node> parse_markdown(const Extract& extract, Diagnostics& diagnostics,
                                   Severity unused_notes = Severity::error,
                                   const Limits& limits = {});

// The text of a node and its descendants, without markup.
std::string plain_text(const Node& node);

// Whether the node is a link whose text is a number: fact:, calc:, live: or claim:.
bool is_number_link(const Node& node);

// Whether a paragraph is a single displayed formula.
bool is_lone_formula(const Node& paragraph);

}  // namespace primer
