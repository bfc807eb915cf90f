#include "generator/core/markdown/inline_places.hpp"

#include <cmark-gfm.h>
#include <houdini.h>
#include <node.h>
#include <table.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

constexpr std::string_view spaces = " \t\f\v";

bool is_punctuation(char c) { return std::ispunct(static_cast<unsigned char>(c)) != 0; }

std::string_view line_of(const Extract& extract, int number) {
  const std::size_t start = extract.line_start(number);
  std::string_view line =
      std::string_view(extract.text).substr(start, extract.line_start(number + 1) - start);
  if (line.ends_with('\n')) line.remove_suffix(1);
  return line;
}

// Finds a leaf's source. cmark's line numbers of blocks are right, and so are the byte columns on a
// block's first line.
class LeafFinder {
 public:
  LeafFinder(cmark_node* leaf, const Extract& extract, int first)
      : leaf_(leaf), extract_(extract), first_(first) {
    found_.text = std::string(reinterpret_cast<const char*>(leaf->content.ptr),
                              static_cast<std::size_t>(leaf->content.size));
  }

  LeafText find() {
    const bool is_cell = cmark_node_get_type(leaf_) == CMARK_NODE_TABLE_CELL;
    const bool is_found = is_cell ? cell() : is_atx_heading() ? heading() : lines();
    if (!is_found) found_.jumps.clear();
    return std::move(found_);
  }

 private:
  bool is_atx_heading() const {
    return cmark_node_get_type(leaf_) == CMARK_NODE_HEADING && !leaf_->as.heading.setext;
  }

  bool heading() {
    const std::string_view line = line_of(extract_, first_);
    const auto marks = line.find('#', std::min<std::size_t>(column(), line.size()));
    if (marks == line.npos) return false;
    const auto text =
        std::min(line.find_first_not_of(" \t", line.find_first_not_of('#', marks)), line.size());
    return matches(found_.text, extract_.line_start(first_) + text, line.substr(text));
  }

  // A paragraph's lines are suffixes of lines in the file. Link definitions above them are no
  // longer part of the paragraph, so search for the first line from which all lines agree.
  bool lines() {
    std::string_view text = found_.text;
    while (text.ends_with('\n')) text.remove_suffix(1);
    const int count = 1 + static_cast<int>(std::ranges::count(text, '\n'));
    const int last = leaf_->end_line > 0 ? leaf_->end_line - 1 : first_ + count - 1;
    if (lines_from(text, last - count + 1)) return true;
    for (int from = first_; from + count - 1 <= last; ++from)
      if (lines_from(text, from)) return true;
    return false;
  }

  bool lines_from(std::string_view text, int first) {
    found_.jumps.clear();
    if (first < first_) return false;
    std::size_t at = 0;
    for (int number = first; at <= text.size(); ++number) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (!ends_with(line_of(extract_, number), extract_.line_start(number),
                     text.substr(at, end - at), at))
        return false;
      at = end + 1;
    }
    return true;
  }

  // Whether a line of the extract ends with a line of the leaf; adds the jumps. Allows for two
  // differences in cmark's copy: a tab that was partly used by a prefix becomes spaces, and above a
  // table's header "\|" becomes a bar.
  bool ends_with(std::string_view line, std::size_t place, std::string_view wanted,
                 std::size_t at) {
    const bool has_bars = leaf_->start_line == 0;
    const std::size_t indent = std::min(wanted.find_first_not_of(" \t"), wanted.size());
    line = trim_right(line);
    wanted = trim_right(wanted);
    std::vector<Extract::Jump> jumps;
    std::size_t in_line = line.size();
    for (std::size_t i = wanted.size(); i > indent; --i) {
      if (in_line == 0 || line[in_line - 1] != wanted[i - 1]) return false;
      --in_line;
      const bool bar = has_bars && wanted[i - 1] == '|' && in_line > 0 && line[in_line - 1] == '\\';
      if (!bar) continue;
      jumps.push_back({at + i, place + in_line + 1});
      jumps.push_back({at + i - 1, place + --in_line});
    }
    found_.jumps.push_back({at, place + in_line - std::min(in_line, indent)});
    found_.jumps.insert(found_.jumps.end(), jumps.rbegin(), jumps.rend());
    return true;
  }

  static std::string_view trim_right(std::string_view text) {
    while (!text.empty() && (std::isspace(static_cast<unsigned char>(text.back())) != 0))
      text.remove_suffix(1);
    return text;
  }

  // cmark counts a cell's columns from the start of its row but adds the table's own column.
  bool cell() {
    cmark_node* row = cmark_node_parent(leaf_);
    cmark_node* table = cmark_node_parent(row);
    if (leaf_->start_column == 0 || found_.text.empty()) return found_.text.empty();
    auto offset = static_cast<std::size_t>(
        std::max(0, leaf_->start_column - table->start_column + leaf_->internal_offset));
    const std::string_view line = line_of(extract_, first_);
    if (cmark_gfm_extensions_get_table_row_is_header(row) != 0) {
      // The header row was the last line of a paragraph, and its columns count from the paragraph's
      // start.
      std::string_view above(reinterpret_cast<const char*>(table->content.ptr),
                             static_cast<std::size_t>(table->content.size));
      while (above.ends_with('\n')) above.remove_suffix(1);
      const auto paragraph = above.rfind('\n');
      const std::size_t start = paragraph == above.npos ? 0 : paragraph + 1;
      if (offset < start || !trim_right(line).ends_with(trim_right(above.substr(start))))
        return false;
      offset += trim_right(line).size() - trim_right(above.substr(start)).size();
      offset -= start;
    } else {
      offset += std::min(line.find_first_not_of("> \t"), line.size());
    }
    if (offset > line.size()) return false;
    offset = std::min(line.find_first_not_of(spaces, offset), line.size());
    return matches(found_.text, extract_.line_start(first_) + offset, line.substr(offset));
  }

  std::size_t column() const {
    return static_cast<std::size_t>(std::max(0, leaf_->start_column - 1));
  }

  // Whether `written` starts with `text`, in which a bar of a cell is "\|"; adds the jumps.
  bool matches(std::string_view text, std::size_t place, std::string_view written) {
    const bool is_cell = cmark_node_get_type(leaf_) == CMARK_NODE_TABLE_CELL;
    while (text.ends_with('\n')) text.remove_suffix(1);
    bool jumps = true;
    std::size_t at = 0;
    for (std::size_t i = 0; i < text.size(); ++i, ++at) {
      const bool bar = is_cell && text[i] == '|' && written.substr(at).starts_with("\\|");
      if (bar || jumps) found_.jumps.push_back({i, place + at});
      if (bar) ++at;
      if (at >= written.size() || written[at] != text[i]) return false;
      jumps = bar;
    }
    return true;
  }

  cmark_node* leaf_;
  const Extract& extract_;
  const int first_;
  LeafText found_;
};

// Reads the source guided by the tree. Positions are offsets in the leaf's text until the end.
class Replay {
 public:
  explicit Replay(std::string_view text) : text_(text) {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.back())) != 0)
      text_.remove_suffix(1);
  }

  // Returns nothing if the source does not match the tree.
  std::optional<std::vector<Node>> all(const std::vector<Node>& children) {
    skip(" \t\n");
    std::vector<Node> placed;
    if (!follow(children, placed) || at_ != text_.size()) return std::nullopt;
    return placed;
  }

 private:
  bool follow(const std::vector<Node>& children, std::vector<Node>& placed) {
    return std::ranges::all_of(children, [&](const Node& child) { return one(child, placed); });
  }

  bool one(const Node& node, std::vector<Node>& placed) {
    if (node.kind == NodeKind::text) return text(node, placed);
    Node made = node;
    made.children.clear();
    made.offset = at_;
    made.in_source = InSource::verbatim;
    const bool good = construct(node, made);
    made.end = at_;
    placed.push_back(std::move(made));
    return good;
  }

  bool construct(const Node& node, Node& made) {
    switch (node.kind) {
      case NodeKind::soft_break:
      case NodeKind::line_break: return line_end();
      case NodeKind::code: return code(made);
      case NodeKind::html: return literal(node.text, made);
      case NodeKind::maths: return formula(made);
      case NodeKind::emphasis: return marked(node, made, 1, "*_");
      case NodeKind::strong: return marked(node, made, 2, "*_");
      case NodeKind::strike: return marked(node, made, rest().starts_with("~~") ? 2 : 1, "~");
      case NodeKind::link: return link(node, made);
      case NodeKind::image: return take("![") && link_text(node, made);
      case NodeKind::note_reference: return note(made);
      default: return false;
    }
  }

  std::string_view rest() const { return text_.substr(at_); }

  bool take(std::string_view expected) {
    if (!rest().starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }

  void skip(std::string_view characters) {
    at_ = std::min(text_.find_first_not_of(characters, at_), text_.size());
  }

  // The length of an entity at this position, and the characters that it stands for.
  std::pair<std::size_t, std::string> entity() const {
    if (!rest().starts_with('&')) return {};
    cmark_strbuf buffer;
    cmark_strbuf_init(cmark_get_default_mem_allocator(), &buffer, 0);
    const std::string_view name = rest().substr(1);
    const bufsize_t length =
        houdini_unescape_ent(&buffer, reinterpret_cast<const uint8_t*>(name.data()),
                             static_cast<bufsize_t>(name.size()));
    std::string characters(reinterpret_cast<const char*>(buffer.ptr),
                           static_cast<std::size_t>(buffer.size));
    cmark_strbuf_free(&buffer);
    if (length == 0) return {};
    return {static_cast<std::size_t>(length) + 1, std::move(characters)};
  }

  // Adds pieces of a text: the longest verbatim ones, and one per run of escapes.
  bool text(const Node& node, std::vector<Node>& placed) {
    const std::string_view text = node.text;
    if (text.empty()) return true;
    const auto piece = [&](InSource in_source, std::size_t length, std::string characters) {
      Node* last = placed.empty() ? nullptr : &placed.back();
      const bool goes_on = last && last->kind == NodeKind::text && last->in_source == in_source &&
                           last->offset + last->length == at_;
      if (!goes_on) {
        last = &placed.emplace_back();
        last->kind = NodeKind::text;
        last->in_source = in_source;
        last->offset = at_;
      }
      last->text += characters;
      last->length += length;
      at_ += length;
    };
    for (std::size_t i = 0; i < text.size();) {
      const bool escape =
          text_.size() > at_ + 1 && text_[at_] == '\\' && is_punctuation(text_[at_ + 1]);
      auto [length, characters] = entity();
      if (escape && text[i] == text_[at_ + 1]) {
        piece(InSource::escaped, 2, std::string(1, text[i]));
        ++i;
      } else if (length > 0 && text.substr(i).starts_with(characters)) {
        const std::size_t taken = characters.size();
        piece(InSource::escaped, length, std::move(characters));
        i += taken;
      } else if (!escape && at_ < text_.size() && text_[at_] == text[i]) {
        piece(InSource::verbatim, 1, std::string(1, text[i]));
        ++i;
      } else {
        return false;
      }
    }
    return true;
  }

  bool line_end() {
    skip(spaces);
    if (rest().starts_with('\\')) ++at_;
    if (!take("\n")) return false;
    skip(spaces);
    return true;
  }

  bool literal(std::string_view expected, Node& made) {
    made.offset = at_;
    made.length = expected.size();
    return take(expected);
  }

  bool code(Node& made) {
    const std::size_t marks = std::min(rest().find_first_not_of('`'), rest().size());
    if (marks == 0) return false;
    at_ += marks;
    const std::size_t begin = at_;
    for (;;) {
      const auto open = text_.find('`', at_);
      if (open == text_.npos) return false;
      const std::size_t close = std::min(text_.find_first_not_of('`', open), text_.size());
      at_ = close;
      if (close - open == marks) break;
    }
    std::string_view inside = text_.substr(begin, at_ - marks - begin);
    made.offset = begin;
    if (inside.size() == made.text.size() + 2) {  // one space at both ends is not part of the text
      inside = inside.substr(1, inside.size() - 2);
      ++made.offset;
    }
    made.length = inside.size();
    std::string shown(inside);
    std::ranges::replace(shown, '\n', ' ');
    return shown == made.text;
  }

  bool formula(Node& made) {
    const std::string_view open = made.form == MathsForm::backticks        ? "$`"
                                  : made.form == MathsForm::double_dollars ? "$$"
                                                                           : "$";
    if (!take(open) || !literal(made.text, made)) return false;
    return take(made.form == MathsForm::backticks ? "`$" : open);
  }

  bool marked(const Node& node, Node& made, std::size_t length, std::string_view marks) {
    if (at_ >= text_.size() || marks.find(text_[at_]) == marks.npos) return false;
    const std::string mark(length, text_[at_]);
    made.length = length;
    return take(mark) && follow(node.children, made.children) && take(mark);
  }

  bool link(const Node& node, Node& made) {
    made.length = 1;
    if (take("[")) return link_text(node, made);
    const bool pointed = take("<");
    made.url_offset = at_;
    if (node.children.size() != 1) return false;
    // A URL has no escapes. In angle brackets it may have entities, and cmark finds a bare email
    // address in text after unescaping it.
    const std::string& shown = node.children[0].text;
    const bool raw =
        rest().starts_with(shown) && (!pointed || rest().substr(shown.size()).starts_with('>'));
    if (!pointed && !raw) return follow(node.children, made.children);
    const auto size = pointed ? rest().find('>') : shown.size();
    if (size == rest().npos) return false;
    Node text = node.children[0];
    text.offset = at_;
    text.length = size;
    text.in_source = raw ? InSource::verbatim : InSource::escaped;
    made.children.push_back(std::move(text));
    at_ += size;
    return !pointed || take(">");
  }

  // After "[" or "![": the text, then "(url "title")", "[label]", "[]" or nothing.
  bool link_text(const Node& node, Node& made) {
    made.length = at_ - made.offset;
    if (!follow(node.children, made.children) || !take("]")) return false;
    made.url_offset = made.offset;
    if (rest().starts_with('(') && destination(made)) return true;
    if (rest().starts_with('[')) label();
    return true;
  }

  // Parses a destination as cmark does. Consumes nothing if there is none.
  bool destination(Node& made) {
    const std::size_t begin = at_;
    const std::size_t end = [&]() -> std::size_t {
      ++at_;
      skip(" \t\n");
      const std::size_t url = at_ + (rest().starts_with('<') ? 1 : 0);
      if (!address()) return begin;
      const std::size_t behind = at_;
      skip(" \t\n");
      if (at_ != behind) title();
      skip(" \t\n");
      if (!take(")")) return begin;
      made.url_offset = url;
      return at_;
    }();
    at_ = end;
    return end != begin;
  }

  bool address() {
    if (take("<")) {
      for (; at_ < text_.size(); ++at_) {
        if (text_[at_] == '>') return take(">");
        if (text_[at_] == '\n' || text_[at_] == '<') return false;
        if (text_[at_] == '\\') ++at_;
      }
      return false;
    }
    int depth = 0;
    const std::size_t begin = at_;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\\' && at_ + 1 < text_.size() && is_punctuation(text_[at_ + 1])) ++at_;
      else if (c == '(') ++depth;
      else if (c == ')' && depth-- == 0) return true;
      else if (std::isspace(static_cast<unsigned char>(c)) != 0) return at_ > begin;
    }
    return false;
  }

  // Parses "title", 'title' or (title). Consumes nothing if there is none.
  void title() {
    if (at_ >= text_.size()) return;
    const char open = text_[at_], close = open == '(' ? ')' : open;
    if (std::string_view("\"'(").find(open) == std::string_view::npos) return;
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_[i] == close) {
        at_ = i + 1;
        return;
      } else if (text_[i] == '(' && open == '(') {
        return;
      }
    }
  }

  void label() {
    constexpr std::size_t longest = 1000;
    for (std::size_t i = at_ + 1; i < text_.size() && i - at_ <= longest + 1; ++i) {
      if (text_[i] == '\\') ++i;
      else if (text_[i] == '[') return;
      else if (text_[i] == ']') {
        at_ = i + 1;
        return;
      }
    }
  }

  bool note(Node& made) {
    const std::size_t begin = at_;
    if (!take("[^")) return false;
    const auto end = text_.find(']', at_);
    if (end == text_.npos) return false;
    at_ = end + 1;
    made.info = text_.substr(begin, at_ - begin);
    made.length = made.info.size();
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Converts positions in a leaf's text to positions in the file.
class Mapping {
 public:
  Mapping(const LeafText& leaf, const Extract& extract) : leaf_(leaf), extract_(extract) {}

  void map(std::vector<Node>& nodes) const {
    std::vector<Node> mapped;
    for (auto& node : nodes) {
      map(node.children);
      if (node.kind == NodeKind::text && node.in_source == InSource::verbatim) {
        pieces(std::move(node), mapped);
      } else {
        one(node);
        mapped.push_back(std::move(node));
      }
    }
    nodes = std::move(mapped);
  }

 private:
  std::size_t in_extract(std::size_t at) const {
    auto jump = std::ranges::upper_bound(leaf_.jumps, at, {}, &Extract::Jump::at);
    if (jump != leaf_.jumps.begin()) --jump;
    return jump->offset + (at - std::min(at, jump->at));
  }
  std::size_t in_file(std::size_t at) const { return extract_.place(in_extract(at)); }
  // The position after the previous byte. It may differ from the position of the byte at `at`.
  std::size_t end_in_file(std::size_t at) const {
    return at == 0 ? in_file(0) : in_file(at - 1) + 1;
  }

  std::size_t next_jump(std::size_t at) const {
    const auto own = std::ranges::upper_bound(leaf_.jumps, at, {}, &Extract::Jump::at);
    const std::size_t place = in_extract(at);
    const std::size_t outer = at + (extract_.next_jump(place) - place);
    return own == leaf_.jumps.end() ? outer : std::min(own->at, outer);
  }

  void one(Node& node) const {
    const std::size_t begin = node.offset, end = node.offset + node.length;
    node.offset = in_file(begin);
    if (node.length > 0) node.length = end_in_file(end) - node.offset;
    node.end = end_in_file(node.end);
    if (node.kind == NodeKind::link || node.kind == NodeKind::image)
      node.url_offset = in_file(node.url_offset);
    const bool shows_source =
        node.kind == NodeKind::code || node.kind == NodeKind::maths || node.kind == NodeKind::html;
    if (shows_source && !is_verbatim(node)) node.in_source = InSource::escaped;
  }

  bool is_verbatim(const Node& node) const {
    return extract_.source->text().substr(node.offset).starts_with(node.text);
  }

  static bool is_inside_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

  // Splits a text that is verbatim in the leaf but may be folded or escaped in the file, as in
  // YAML.
  void pieces(Node whole, std::vector<Node>& into) const {
    const std::string text = std::move(whole.text);
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t start = whole.offset + from;
      std::size_t length = std::min(text.size() - from, next_jump(start) - start);
      while (from + length < text.size() && is_inside_character(text[from + length])) ++length;
      Node part = whole;
      part.text = text.substr(from, length);
      part.offset = in_file(start);
      part.length = end_in_file(start + length) - part.offset;
      part.end = part.offset + part.length;
      if (!is_verbatim(part)) {
        part.in_source = InSource::escaped;
        part.length = in_file(start + length) - part.offset;
      }
      into.push_back(std::move(part));
      from += length;
    }
  }

  const LeafText& leaf_;
  const Extract& extract_;
};

void place_at(std::vector<Node>& nodes, std::size_t place) {
  for (auto& node : nodes) {
    node.offset = node.url_offset = node.end = place;
    node.length = 1;
    node.in_source = InSource::unknown;
    place_at(node.children, place);
  }
}

}  // namespace

LeafText leaf_text(cmark_node* leaf, const Extract& extract, int first) {
  return LeafFinder(leaf, extract, first).find();
}

int header_line(cmark_node* table) {
  cmark_node* body = cmark_node_next(cmark_node_first_child(table));
  const int delimiters = body ? body->start_line - 1 : table->end_line;
  return std::max(0, delimiters - 2);
}

std::vector<Node> place_inlines(std::vector<Node> children, const LeafText& leaf,
                                const Extract& extract, std::size_t fallback) {
  if (!leaf.jumps.empty()) {
    if (auto placed = Replay(leaf.text).all(children)) {
      Mapping(leaf, extract).map(*placed);
      return std::move(*placed);
    }
  }
  place_at(children, fallback);
  return children;
}

}  // namespace primer
