#include "generator/core/markdown/markdown.hpp"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <strikethrough.h>
#include <table.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/markdown/anchor_kind.hpp"
#include "generator/core/markdown/formula.hpp"
#include "generator/core/markdown/inline_places.hpp"
#include "generator/core/markdown/unread_lines.hpp"

namespace primer {
namespace {
constexpr std::string_view markers = ">-+*.)0123456789 \t";

bool is_empty_line(std::string_view line) { return line.find_first_not_of("> \t\r") == line.npos; }

// "|---|:-:|", possibly after quote or list markers.
bool is_delimiter_row(std::string_view line) {
  const bool drawn = line.find('-') != line.npos && line.find_first_of("|:") != line.npos;
  return drawn && line.find_first_not_of("|: \t\r>-+*.)0123456789") == line.npos;
}

// Counts quote and list markers at the start of a line. Each may open a block inside the previous
// one.
int opened_blocks(std::string_view line) {
  const auto lead = line.substr(0, line.find_first_not_of(markers));
  return static_cast<int>(
      std::count_if(lead.begin(), lead.end(), [](char c) { return c != ' ' && c != '\t'; }));
}

// Whether the line is a thematic break or a setext underline. It is a run of one character and does
// not open a hundred lists.
bool is_rule(std::string_view line) {
  const std::string_view bare = trim(line);
  return !bare.empty() && bare.find_first_not_of(std::string{bare[0], ' '}) == bare.npos &&
         bare[0] != '>' && bare.find("- -") == bare.npos && bare.find("+ +") == bare.npos &&
         bare.find("* *") == bare.npos;
}

}  // namespace

bool within_limits(const Extract& extract, const Limits& limits, Diagnostics& diagnostics) {
  const Source& source = *extract.source;
  const auto refuse = [&](Rule rule, std::size_t offset, std::string message) {
    diagnostics.error(rule, source, offset, 1, std::move(message));
    return false;
  };
  if (extract.text.size() > limits.file_size) {
    return refuse(Rule::file_too_large, extract.begin(),
                  "the text has " + std::to_string(extract.text.size()) + " bytes; at most " +
                      std::to_string(limits.file_size) + " are allowed");
  }
  std::size_t rows = 0, columns = 0;
  bool table = false;
  const auto lines = split_lines(extract.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto line = lines[i];
    const std::size_t place = extract.offset(static_cast<int>(i), 0);
    if (!is_rule(line) && opened_blocks(line) > limits.depth) {
      return refuse(Rule::nesting_too_deep, place,
                    "blocks are nested more than " + std::to_string(limits.depth) + " deep");
    }
    if (is_empty_line(line)) {
      rows = columns = 0;
      table = false;
      continue;
    }
    ++rows;
    const auto pipes = static_cast<std::size_t>(std::count(line.begin(), line.end(), '|'));
    columns = std::max(columns, pipes + 1);
    table = table || is_delimiter_row(line);
    // cmark fills short rows up to the header's width, so the cost is columns times rows.
    if (table && rows * columns > limits.table_cells) {
      return refuse(Rule::table_too_large, place,
                    "the table has more than " + std::to_string(limits.table_cells) + " cells");
    }
  }
  return true;
}

namespace {
struct Free {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
  void operator()(cmark_parser* parser) const { cmark_parser_free(parser); }
  void operator()(cmark_iter* iterator) const { cmark_iter_free(iterator); }
  void operator()(cmark_syntax_extension* extension) const {
    cmark_syntax_extension_free(cmark_get_default_mem_allocator(), extension);
  }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

Owned<cmark_node> parse_tree(const std::string& text) {
  static std::mutex one_parser_at_a_time;
  const std::lock_guard lock(one_parser_at_a_time);
  cmark_gfm_core_extensions_ensure_registered();
  const Owned<cmark_syntax_extension> maths(new_maths_extension());
  const Owned<cmark_parser> parser(cmark_parser_new(CMARK_OPT_FOOTNOTES));
  for (const char* name : {"table", "strikethrough", "autolink", "tasklist"}) {
    cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension(name));
  }
  cmark_parser_attach_syntax_extension(parser.get(), maths.get());
  cmark_parser_feed(parser.get(), text.data(), text.size());
  return Owned<cmark_node>(cmark_parser_finish(parser.get()));
}

// A limit that the tree exceeds, and the line (1-based) of the node that exceeds it.
struct Excess {
  Rule rule;
  int line;
  std::string message;
};

// Measures cmark's tree. Iterative, because this check is what makes recursion safe elsewhere.
class Measure {
 public:
  explicit Measure(const Limits& limits) : limits_(limits) {}

  std::optional<Excess> excess(cmark_node* root) {
    const Owned<cmark_iter> walk(cmark_iter_new(root));
    for (auto event = cmark_iter_next(walk.get()); event != CMARK_EVENT_DONE;
         event = cmark_iter_next(walk.get())) {
      cmark_node* node = cmark_iter_get_node(walk.get());
      const bool enters = event == CMARK_EVENT_ENTER;
      if (cmark_node_first_child(node)) depth_ += enters ? 1 : -1;
      if (!enters) continue;
      if (cmark_node_get_start_line(node) > 0) line_ = cmark_node_get_start_line(node);
      if (auto found = count_notes(cmark_node_get_type(node))) return found;
      if (auto found = count(cmark_node_get_type(node))) return found;
    }
    return std::nullopt;
  }

 private:
  std::optional<Excess> count(cmark_node_type type) {
    if (depth_ > limits_.depth) {
      return Excess{
          Rule::nesting_too_deep, line_,
          "blocks or marks are nested more than " + std::to_string(limits_.depth) + " deep"};
    }
    const auto beyond = [&](std::size_t& counter, std::size_t limit, std::string_view what) {
      const bool over = ++counter > limit;
      return over ? std::optional(Excess{Rule::page_too_large, line_,
                                         "the chapter has more than " + std::to_string(limit) +
                                             ' ' + std::string(what)})
                  : std::nullopt;
    };
    if (type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE) {
      if (auto found = beyond(links_, limits_.links, "links and images")) return found;
    }
    if (type == CMARK_NODE_HEADING || type == CMARK_NODE_CODE_BLOCK) {
      if (auto found = beyond(blocks_, limits_.blocks, "headings and code blocks")) return found;
    }
    return beyond(nodes_, limits_.nodes, "blocks, marks and pieces of text");
  }

  // Notes are rendered where they are referred to, so a note inside a note nests. Definitions come
  // after everything else.
  std::optional<Excess> count_notes(cmark_node_type type) {
    if (type == CMARK_NODE_FOOTNOTE_DEFINITION) in_note_ = true, refers_ = false;
    if (type != CMARK_NODE_FOOTNOTE_REFERENCE || !in_note_ || refers_) return std::nullopt;
    refers_ = true;
    if (++referring_notes_ <= limits_.notes_with_notes) return std::nullopt;
    return Excess{Rule::nesting_too_deep, line_,
                  "more than " + std::to_string(limits_.notes_with_notes) +
                      " side notes that refer to side notes"};
  }

  const Limits& limits_;
  int depth_ = 0, line_ = 1, referring_notes_ = 0;
  bool in_note_ = false, refers_ = false;  // whether this note has referred to another
  std::size_t nodes_ = 0, links_ = 0, blocks_ = 0;
};

std::string owned(const char* text) { return text ? text : ""; }

bool is_formula(cmark_node* code) {
  const std::string literal = owned(cmark_node_get_literal(code));
  return literal.starts_with(dollars_mark) || literal.starts_with(backticks_mark) ||
         literal.starts_with(double_dollars_mark);
}

NodeKind kind_of(cmark_node* node) {
  const cmark_node_type type = cmark_node_get_type(node);
  switch (type) {
    case CMARK_NODE_PARAGRAPH: return NodeKind::paragraph;
    case CMARK_NODE_HEADING: return NodeKind::heading;
    case CMARK_NODE_BLOCK_QUOTE: return NodeKind::quote;
    case CMARK_NODE_LIST: return NodeKind::list;
    case CMARK_NODE_ITEM: return NodeKind::item;
    case CMARK_NODE_CODE_BLOCK: return NodeKind::code_block;
    case CMARK_NODE_HTML_BLOCK: return NodeKind::html_block;
    case CMARK_NODE_THEMATIC_BREAK: return NodeKind::rule;
    case CMARK_NODE_FOOTNOTE_DEFINITION: return NodeKind::note_definition;
    case CMARK_NODE_TEXT: return NodeKind::text;
    case CMARK_NODE_SOFTBREAK: return NodeKind::soft_break;
    case CMARK_NODE_LINEBREAK: return NodeKind::line_break;
    case CMARK_NODE_CODE: return is_formula(node) ? NodeKind::maths : NodeKind::code;
    case CMARK_NODE_HTML_INLINE: return NodeKind::html;
    case CMARK_NODE_EMPH: return NodeKind::emphasis;
    case CMARK_NODE_STRONG: return NodeKind::strong;
    case CMARK_NODE_LINK: return NodeKind::link;
    case CMARK_NODE_IMAGE: return NodeKind::image;
    case CMARK_NODE_FOOTNOTE_REFERENCE: return NodeKind::note_reference;
    default: break;
  }
  if (type == CMARK_NODE_TABLE) return NodeKind::table;
  if (type == CMARK_NODE_TABLE_ROW) return NodeKind::table_row;
  if (type == CMARK_NODE_TABLE_CELL) return NodeKind::table_cell;
  if (type == CMARK_NODE_STRIKETHROUGH) return NodeKind::strike;
  return NodeKind::document;
}

// Counts the cells of a table row as written, after any quote markers. An escaped bar is text.
std::size_t cells_of(std::string_view row) {
  row.remove_prefix(std::min(row.find_first_not_of("> \t"), row.size()));
  if (row.starts_with('|')) row.remove_prefix(1);
  std::size_t cells = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '\\') {
      ++i;
    } else if (row[i] == '|' && i + 1 < row.size()) {
      ++cells;
    }
  }
  return cells;
}

// Whether a code block's last line, after any quote markers, is its closing fence.
bool closes_fence(std::string_view last, bool below, int length, char character) {
  last.remove_prefix(std::min(last.find_first_not_of("> \t"), last.size()));
  return below && last.size() >= static_cast<std::size_t>(length) &&
         last.find_first_not_of(character) == last.npos;
}

// "… [@a; @b] …" → text, citation, text. Escaped text is not a citation.
void split_citations(std::vector<Node>& inlines) {
  std::vector<Node> split;
  for (auto& node : inlines) {
    split_citations(node.children);
    const bool whole = node.kind != NodeKind::text || node.in_source == InSource::escaped;
    const std::string text = whole ? "" : std::exchange(node.text, {});
    if (whole) split.push_back(std::move(node));
    const auto piece = [&](NodeKind kind, std::size_t from, std::size_t to) {
      if (from == to) return;
      Node part = node;
      part.kind = kind;
      part.text = text.substr(from, to - from);
      if (part.in_source == InSource::verbatim) {
        part.offset += from;
        part.length = part.text.size();
        part.end = part.offset + part.length;
      }
      split.push_back(std::move(part));
    };
    std::size_t done = 0;
    for (auto at = text.find("[@"); at != text.npos; at = text.find("[@", at + 1)) {
      const auto end = text.find(']', at);
      if (end == text.npos) break;
      piece(NodeKind::text, done, at);
      piece(NodeKind::citation, at, end + 1);
      done = end + 1;
    }
    piece(NodeKind::text, done, text.size());
  }
  inlines = std::move(split);
}

// Converts cmark's tree into ours. Recursion is safe because Measure has limited the depth.
class Converter {
 public:
  explicit Converter(const Extract& extract)
      : extract_(extract), read_(extract.lines.size(), false) {}

  // Per line of the extract, whether a converted block covers it.
  const std::vector<bool>& read() const { return read_; }

  Node convert(cmark_node* from) {
    Node node;
    node.kind = kind_of(from);
    if (node.kind >= NodeKind::text) return inline_node(from, std::move(node));
    block(from, node);
    for (auto* child = cmark_node_first_child(from); child; child = cmark_node_next(child))
      node.children.push_back(convert(child));
    if (node.kind == NodeKind::table) align(from, node);
    const bool is_leaf = node.kind == NodeKind::paragraph || node.kind == NodeKind::heading ||
                         node.kind == NodeKind::table_cell;
    if (is_leaf) {
      const LeafText text = leaf_text(from, extract_, first_);
      node.children = place_inlines(std::move(node.children), text, extract_, node.offset);
      split_citations(node.children);
      // Link definitions may precede a paragraph's text.
      if (node.kind == NodeKind::paragraph && !text.jumps.empty())
        first_ = extract_.line_at(text.jumps.front().offset);
    }
    mark_read(from, node);
    return node;
  }

 private:
  void block(cmark_node* from, Node& node) {
    // Nodes of extensions may have no position; these use their parent's.
    const bool is_header =
        node.kind == NodeKind::table_row && cmark_gfm_extensions_get_table_row_is_header(from) != 0;
    const bool is_cell = node.kind == NodeKind::table_cell;
    if (is_header) {
      first_ = header_line(cmark_node_parent(from));
    } else if (is_split_from_table(node.kind, from)) {
      first_ = cmark_node_get_start_line(cmark_node_next(from)) - 1;
    } else if (const int first = cmark_node_get_start_line(from); first > 0 && !is_cell) {
      first_ = first - 1;
    }
    node.offset = first_visible(extract_.offset(first_, 0));
    node.length = 1;
    if (node.kind == NodeKind::heading) node.level = cmark_node_get_heading_level(from);
    if (node.kind == NodeKind::html_block) node.text = owned(cmark_node_get_literal(from));
    // cmark-gfm has only the definitions that are used, in the order of their numbers and without
    // labels.
    if (node.kind == NodeKind::note_definition) node.text = std::to_string(++notes_);
    if (node.kind == NodeKind::table_row) {
      node.header = is_header;
      if (cmark_node_get_start_line(from) > 0) node.written_cells = cells_of(line(first_));
    }
    if (node.kind == NodeKind::list) {
      node.ordered = cmark_node_get_list_type(from) == CMARK_ORDERED_LIST;
      node.start = cmark_node_get_list_start(from);
      node.tight = cmark_node_get_list_tight(from) != 0;
    }
    if (node.kind == NodeKind::item && owned(cmark_node_get_type_string(from)) == "tasklist") {
      node.checked = cmark_gfm_extensions_get_tasklist_item_checked(from);
    }
    if (node.kind == NodeKind::code_block) code_block(from, node);
  }

  // Whether a paragraph was split from a table. cmark gives the lines above a table's header no
  // position.
  static bool is_split_from_table(NodeKind kind, cmark_node* from) {
    cmark_node* next = cmark_node_next(from);
    return kind == NodeKind::paragraph && cmark_node_get_start_line(from) == 0 && next &&
           cmark_node_get_type(next) == CMARK_NODE_TABLE;
  }

  void mark_read(cmark_node* from, const Node& node) {
    const NodeKind kind = node.kind;
    const bool is_line = kind == NodeKind::table_row || kind == NodeKind::table_cell;
    // "[^a]:" and "- [ ]" may be alone on their lines.
    const bool is_mark =
        (kind == NodeKind::note_definition && cmark_node_get_start_line(from) > 0) ||
        (kind == NodeKind::item && node.checked && node.children.empty());
    const int first = is_mark ? cmark_node_get_start_line(from) - 1 : first_;
    const bool is_whole =
        kind == NodeKind::paragraph || kind == NodeKind::heading || kind == NodeKind::code_block;
    // cmark's end is one line short if the HTML block has its own end condition.
    const auto html_lines = static_cast<int>(std::ranges::count(node.text, '\n'));
    const int end = is_line || is_mark                ? first + 1
                    : is_split_from_table(kind, from) ? header_line(cmark_node_next(from))
                    : kind == NodeKind::html_block    ? first_ + std::max(html_lines, 1)
                    : is_whole ? std::max(cmark_node_get_end_line(from), first_ + 1)
                               : 0;
    for (int line = first; line < end && line < static_cast<int>(read_.size()); ++line)
      read_[static_cast<std::size_t>(line)] = true;
  }

  std::string_view line(int number) const {
    const std::size_t start = extract_.line_start(number);
    const auto rest =
        std::string_view(extract_.text).substr(start, extract_.line_start(number + 1) - start);
    return trim(rest);
  }

  void code_block(cmark_node* from, Node& node) {
    node.info = owned(cmark_node_get_fence_info(from));
    node.text = owned(cmark_node_get_literal(from));
    int length = 0, offset = 0;
    char character = 0;
    const bool fenced = cmark_node_get_fenced(from, &length, &offset, &character) != 0;
    node.fence = fenced ? length : 0;
    node.closed =
        !fenced || closes_fence(line(cmark_node_get_end_line(from) - 1),
                                cmark_node_get_end_line(from) - 1 > first_, length, character);
    const int first = extract_.source->line_at(extract_.offset(first_, 0)) + (fenced ? 1 : 0);
    node.body = extract_behind_prefix(*extract_.source, first, node.text);
  }

  Node inline_node(cmark_node* from, Node node) {
    switch (node.kind) {
      case NodeKind::text:
      case NodeKind::code:
      case NodeKind::html:
      case NodeKind::note_reference: node.text = owned(cmark_node_get_literal(from)); break;
      case NodeKind::maths:
        node.text = owned(cmark_node_get_literal(from));
        node.form = node.text.starts_with(backticks_mark)        ? MathsForm::backticks
                    : node.text.starts_with(double_dollars_mark) ? MathsForm::double_dollars
                                                                 : MathsForm::dollars;
        node.text.erase(0, dollars_mark.size());
        break;
      case NodeKind::link:
      case NodeKind::image:
        node.url = owned(cmark_node_get_url(from));
        node.title = owned(cmark_node_get_title(from));
        break;
      default: break;
    }
    for (auto* child = cmark_node_first_child(from); child; child = cmark_node_next(child))
      node.children.push_back(convert(child));
    return node;
  }

  std::size_t first_visible(std::size_t offset) const {
    const auto at = extract_.source->text().find_first_not_of(" \t\n\r", offset);
    return at == std::string_view::npos ? offset : at;
  }

  static void align(cmark_node* table, Node& node) {
    const int columns = cmark_gfm_extensions_get_table_columns(table);
    const uint8_t* letters = cmark_gfm_extensions_get_table_alignments(table);
    for (auto& row : node.children) {
      for (std::size_t i = 0; i < row.children.size() && static_cast<int>(i) < columns; ++i) {
        row.children[i].alignment = letters[i] == 'l'   ? Alignment::left
                                    : letters[i] == 'c' ? Alignment::centre
                                    : letters[i] == 'r' ? Alignment::right
                                                        : Alignment::none;
      }
    }
  }

  const Extract& extract_;
  std::vector<bool> read_;
  int notes_ = 0;  // definitions so far
  int first_ = 0;  // line of the current block, 0-based in the extract
};

// Finds hidden characters that check_text() cannot see in the file: those from entities
// ("&#x202e;"), and those that prose may contain but code and URLs may not.
class CharacterCheck {
 public:
  CharacterCheck(const Source& source, Diagnostics& diagnostics)
      : source_(source), prose_(prose_of(source.path())), diagnostics_(diagnostics) {}

  void check(const Node& node) {
    const bool block = node.kind == NodeKind::code_block;
    const bool inside = node.kind == NodeKind::code || node.kind == NodeKind::maths;
    if (block) refuse(node.info, TextKind::code, node.offset, 0);
    if (block && node.body && !own_block(node.info)) {
      code(node.text, [&](std::size_t at) { return node.body->place(at); });
    } else if (block && !own_block(node.info)) {
      code(node.text, [&](std::size_t) { return node.offset; });
    } else if (inside) {
      const bool verbatim = node.in_source == InSource::verbatim;
      code(node.text, [&](std::size_t at) { return node.offset + (verbatim ? at : 0); });
    } else if (node.kind == NodeKind::text && node.in_source != InSource::verbatim) {
      refuse(node.text, prose_, node.offset,
             node.in_source == InSource::escaped ? node.length : line_length(node.offset));
    }
    if (node.kind == NodeKind::text && node.in_source == InSource::escaped) entity(node);
    if (!node.url.empty()) refuse(node.url, TextKind::code, node.url_offset, node.url.size());
    for (const auto& child : node.children) check(child);
  }

 private:
  // To the end of the line of `offset`.
  std::size_t line_length(std::size_t offset) const {
    return std::min(source_.text().find('\n', offset), source_.text().size()) - offset;
  }

  // cmark replaces numbers of no character by U+FFFD: "&#0;", "&#xD800;".
  void entity(const Node& text) {
    const std::string_view written = source_.text().substr(text.offset, text.length);
    if (text.text != "\uFFFD" || !written.starts_with("&#")) return;
    if (lower_case(written) == "&#xfffd;" || written == "&#65533;") return;
    diagnostics_.error(Rule::hidden_character, source_, text.offset, text.length,
                       "invalid character reference " + in_quotes(written));
  }

  void refuse(std::string_view text, TextKind kind, std::size_t offset, std::size_t length) {
    auto hidden = first_hidden_character(text, kind);
    // cmark writes "&#xFFFF;" and "&#xFFFE;" as invalid UTF-8.
    if (!hidden && !is_utf8(text)) hidden = NamedCharacter{0, 1, "a noncharacter"};
    if (!hidden) return;
    refuse_hidden(source_, offset, std::max<std::size_t>(length, 1), *hidden, kind, diagnostics_);
  }

  template <class Place>
  void code(const std::string& text, Place place) {
    if (const auto hidden = first_hidden_character(text, TextKind::code)) {
      refuse_hidden(source_, place(hidden->offset), hidden->length, *hidden, TextKind::code,
                    diagnostics_);
    }
    for (const auto& word : mixed_scripts(text)) {
      diagnostics_.warning(Rule::mixed_scripts, source_, place(word.offset), word.length,
                           "a word of code mixes scripts: it contains " + word.name);
    }
  }

  const Source& source_;
  const TextKind prose_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<Node> parse_markdown(const Extract& extract, Diagnostics& diagnostics,
                                   Severity unused_notes, const Limits& limits) {
  if (!within_limits(extract, limits, diagnostics)) return std::nullopt;
  const auto root = parse_tree(extract.text);
  cmark_consolidate_text_nodes(root.get());
  if (const auto excess = Measure(limits).excess(root.get())) {
    diagnostics.error(excess->rule, *extract.source, extract.offset(excess->line - 1, 0), 1,
                      excess->message);
    return std::nullopt;
  }
  Converter converter(extract);
  auto document = converter.convert(root.get());
  report_unread_lines(extract, converter.read(), document, unused_notes, diagnostics);
  CharacterCheck(*extract.source, diagnostics).check(document);
  return document;
}

std::string plain_text(const Node& node) {
  switch (node.kind) {
    case NodeKind::text:
    case NodeKind::code:
    case NodeKind::maths: return node.text;
    case NodeKind::soft_break:
    case NodeKind::line_break: return " ";
    case NodeKind::citation:
    case NodeKind::note_reference: return {};
    default: break;
  }
  std::string text;
  for (const auto& child : node.children) text += plain_text(child);
  return text;
}

bool is_number_link(const Node& node) {
  constexpr std::string_view schemes[] = {"fact:", "calc:", "live:", "claim:"};
  return node.kind == NodeKind::link &&
         std::ranges::any_of(schemes, [&](auto scheme) { return node.url.starts_with(scheme); });
}

bool is_lone_formula(const Node& paragraph) {
  return paragraph.children.size() == 1 && paragraph.children[0].kind == NodeKind::maths &&
         is_display(paragraph.children[0].form);
}

}  // namespace primer
