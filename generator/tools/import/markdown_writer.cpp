#include "generator/tools/import/markdown_writer.hpp"

#include <algorithm>
#include <cctype>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

bool is_word_byte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || (static_cast<unsigned char>(c) & 0x80);
}

// The longest run of a character.
std::size_t longest_run(std::string_view text, char c) {
  std::size_t longest = 0, run = 0;
  for (const char one : text) {
    run = one == c ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

// The first and last visible bytes of a node's text; a space if it has none.
char first_byte(const Node& node) {
  const std::string text = plain_text(node);
  return text.empty() ? ' ' : text.front();
}

// The part of a text behind its last space that would end a heading: "C #" is written "C \#".
std::string with_closing_marks_escaped(std::string text) {
  const auto last = text.find_last_not_of('#');
  if (last != text.npos && last + 1 < text.size() && text[last] == ' ') text.insert(last + 1, "\\");
  return text;
}

class InlineWriter {
 public:
  enum class Place { paragraph, heading, cell };

  InlineWriter(Place place, bool escape_all) : place_(place), escape_all_(escape_all) {}

  std::string write(const std::vector<Node>& nodes) {
    all(nodes);
    return std::move(out_);
  }

 private:
  void all(const std::vector<Node>& nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const char next = i + 1 < nodes.size() ? first_byte(nodes[i + 1]) : after_;
      one(nodes[i], next);
    }
  }

  void one(const Node& node, char next) {
    switch (node.kind) {
      case NodeKind::text: text(node, next); break;
      case NodeKind::soft_break: out_ += place_ == Place::paragraph ? '\n' : ' '; break;
      case NodeKind::line_break: line_break(); break;
      case NodeKind::code: code(node.text); break;
      case NodeKind::html: html(node.text); break;
      case NodeKind::emphasis: marked(node, out_.ends_with('*') ? "_" : "*", next); break;
      case NodeKind::strong: marked(node, "**", next); break;
      case NodeKind::strike: marked(node, "~~", next); break;
      case NodeKind::link: link(node); break;
      case NodeKind::image: image(node); break;
      case NodeKind::maths: maths(node, next); break;
      case NodeKind::citation: out_ += node.text; break;
      case NodeKind::note_reference: out_ += "[^" + label_of(node) + ']'; break;
      default: all(node.children); break;
    }
  }

  static std::string label_of(const Node& reference) {
    std::string_view label = reference.info;
    if (label.starts_with("[^")) label.remove_prefix(2);
    if (label.ends_with(']')) label.remove_suffix(1);
    return std::string(label.empty() ? std::string_view(reference.text) : label);
  }

  void line_break() {
    while (out_.ends_with(' ')) out_.pop_back();
    out_ += place_ == Place::paragraph ? "\\\n" : place_ == Place::cell ? "<br>" : " ";
  }

  // A comment at the start of a line would begin a block of HTML.
  void html(const std::string& tag) {
    const bool starts_line = out_.empty() || out_.ends_with('\n');
    if (starts_line && (tag.starts_with("<!--") || tag == "<br>" || tag == "<wbr>")) return;
    out_ += replace_all(tag, "\n", " ");
  }

  bool needs_escape(std::string_view text, std::size_t at, char next) const {
    const char c = text[at];
    const char before = at > 0 ? text[at - 1] : out_.empty() ? ' ' : out_.back();
    const char after = at + 1 < text.size() ? text[at + 1] : next;
    switch (c) {
      case '\\': return after == ' ' ? false : std::ispunct(static_cast<unsigned char>(after)) != 0;
      case '*':
      case '`':
      case '~':
      case '$': return true;
      // The marker of a callout begins its first line.
      case '[':
        return !(after == '!' && out_.empty() && at == 0 &&
                 std::isupper(static_cast<unsigned char>(text.size() > 2 ? text[2] : ' ')) != 0);
      case ']': return in_link_;
      case '_': return !(is_word_byte(before) && is_word_byte(after));
      case '&': return text.find(';', at) != text.npos && (is_word_byte(after) || after == '#');
      case '<':
        return std::isalpha(static_cast<unsigned char>(after)) != 0 || after == '/' ||
               after == '!' || after == '?';
      case '{': return after == '{' || after == '%';
      default: return false;
    }
  }

  void text(const Node& node, char next) {
    const bool verbatim = node.in_source == InSource::verbatim && !escape_all_ && !in_link_;
    const std::string_view text = node.text;
    std::string written;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      const bool escaped =
          node.in_source == InSource::escaped && std::ispunct(static_cast<unsigned char>(c)) != 0;
      const bool bar = c == '|' && place_ == Place::cell;
      if (escaped || bar || (!verbatim && needs_escape(text, at, next))) written += '\\';
      written += c == '\n' ? ' ' : c;
    }
    out_ += written;
  }

  void code(std::string text) {
    text = replace_all(std::move(text), "\n", " ");
    if (text.empty()) return;
    const std::string marks(longest_run(text, '`') + 1, '`');
    const bool padded = text.front() == '`' || text.back() == '`' ||
                        (text.front() == ' ' && text.back() == ' ' && !trim(text).empty());
    if (place_ == Place::cell) text = replace_all(std::move(text), "|", "\\|");
    if (padded) text = ' ' + text + ' ';
    out_ += marks + text + marks;
  }

  // Emphasis. Its marks must touch its text, and a mark between punctuation and a letter is none to
  // Markdown: <wbr> separates the two.
  void marked(const Node& node, const std::string& mark, char next) {
    const std::string before = std::exchange(out_, {});
    const char after = std::exchange(after_, ' ');
    all(node.children);
    after_ = after;
    const std::string inner = std::exchange(out_, before);
    const std::string_view words = trim(inner);
    if (words.empty()) {
      out_ += inner;
      return;
    }
    const bool spaced_before = inner.front() == ' ' || inner.front() == '\n';
    const bool spaced_after = inner.back() == ' ' || inner.back() == '\n';
    if (spaced_before) out_ += inner.front();
    const char previous = out_.empty() ? ' ' : out_.back();
    const bool touches = is_word_byte(previous) || previous == mark[0];
    const bool after_word = node.in_source == InSource::unknown || !is_word_byte(words.front());
    if (touches && after_word && !words.empty()) out_ += "<wbr>";
    out_ += mark + std::string(words) + mark;
    const bool closes = !spaced_after && is_word_byte(next) &&
                        (node.in_source == InSource::unknown || !is_word_byte(words.back()));
    if (closes) out_ += "<wbr>";
    if (spaced_after) out_ += inner.back();
  }

  static std::string destination(const std::string& url) {
    const bool plain = !url.empty() && url.find_first_of(" ()<>\\\n") == url.npos;
    return plain ? url : '<' + replace_all(replace_all(url, "<", "%3C"), ">", "%3E") + '>';
  }

  std::string titled(const Node& node) const {
    if (node.title.empty()) return {};
    std::string title = replace_all(replace_all(node.title, "\\", "\\\\"), "\"", "\\\"");
    if (place_ == Place::cell) title = replace_all(std::move(title), "|", "\\|");
    return " \"" + replace_all(std::move(title), "\n", " ") + '"';
  }

  void link(const Node& node) {
    const std::string words = plain_text(node);
    const bool only_text = node.children.size() == 1 && node.children[0].kind == NodeKind::text;
    const bool web = node.url.starts_with("http://") || node.url.starts_with("https://");
    const bool is_address = (web && words == node.url) || node.url == "mailto:" + words;
    if (only_text && is_address && node.title.empty() && words.find_first_of(" <>") == words.npos) {
      out_ += '<' + words + '>';
      return;
    }
    const bool outer = std::exchange(in_link_, true);
    out_ += '[';
    all(node.children);
    out_ += "](" + destination(node.url) + titled(node) + ')';
    in_link_ = outer;
  }

  void image(const Node& node) {
    std::string alt = replace_all(plain_text(node), "\n", " ");
    std::string escaped;
    for (const char c : alt) {
      if (std::string_view("\\[]`*_<$").find(c) != std::string_view::npos ||
          (c == '|' && place_ == Place::cell))
        escaped += '\\';
      escaped += c;
    }
    out_ += "![" + escaped + "](" + destination(node.url) + titled(node) + ')';
  }

  void maths(const Node& node, char next) {
    std::string tex(trim(replace_all(node.text, "\n", " ")));
    if (place_ == Place::cell)
      tex = replace_all(replace_all(std::move(tex), "\\|", "\\Vert "), "|", "\\vert ");
    const char before = out_.empty() ? ' ' : out_.back();
    const bool touches = is_word_byte(before) || is_word_byte(next);
    const bool plain =
        !touches && !unlike_github(tex, MathsForm::dollars, place_ == Place::cell).has_value();
    if (plain || tex.find('`') != tex.npos) out_ += '$' + tex + '$';
    else out_ += "$`" + tex + "`$";
  }

  const Place place_;
  const bool escape_all_;  // the paragraph has marks that its source did not have
  bool in_link_ = false;
  char after_ = ' ';  // the byte after the innermost emphasis
  std::string out_;
};

// Whether an inline was not in the file as Markdown, so that a stray mark of the file's text could
// pair with a mark of ours.
bool has_new_marks(const Node& node) {
  const bool marks = node.kind == NodeKind::emphasis || node.kind == NodeKind::strong ||
                     node.kind == NodeKind::strike || node.kind == NodeKind::link;
  return (marks && node.in_source == InSource::unknown) ||
         std::ranges::any_of(node.children, has_new_marks);
}

std::string inlines_of(const Node& parent, InlineWriter::Place place) {
  return InlineWriter(place, has_new_marks(parent)).write(parent.children);
}

// A line of text that would begin a block gets a backslash.
std::string escaped_line(std::string_view line, bool first) {
  while (line.starts_with(' ') || line.starts_with('\t')) line.remove_prefix(1);
  std::string out(line);
  const auto marks = std::min(line.find_first_not_of('#'), line.size());
  const bool heading = marks > 0 && marks < 7 && (marks == line.size() || line[marks] == ' ');
  const bool bullet = (line.starts_with('-') || line.starts_with('+')) &&
                      (line.size() == 1 || line[1] == ' ' || line[1] == '\t');
  const bool rule = line.starts_with('-') && line.find_first_not_of("- ") == line.npos;
  const bool underline = !first && !line.empty() && (line[0] == '=' || line[0] == '-') &&
                         line.find_first_not_of(line[0]) == line.npos;
  const bool fence = line.starts_with("~~~") || line.starts_with(":::");
  const bool quote = line.starts_with('>');
  if (heading || bullet || rule || underline || fence || quote) return '\\' + out;
  const auto digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits > 0 && digits < 10 && digits < line.size() &&
      (line[digits] == '.' || line[digits] == ')') &&
      (digits + 1 == line.size() || line[digits + 1] == ' '))
    out.insert(digits, "\\");
  return out;
}

class BlockWriter {
 public:
  std::string document(const Node& node) {
    collect_labels(node);
    std::string out = blocks(node.children, true);
    return out.empty() ? out : out + '\n';
  }

 private:
  void collect_labels(const Node& node) {
    if (node.kind == NodeKind::note_reference) labels_.emplace(node.text, node.info);
    for (const auto& child : node.children) collect_labels(child);
  }

  std::string blocks(const std::vector<Node>& nodes, bool loose) {
    std::string out;
    const Node* last = nullptr;
    bool other_marker = false;
    for (const auto& node : nodes) {
      // Two lists next to each other are one, unless their markers differ.
      const bool adjoins = last && last->kind == NodeKind::list && node.kind == NodeKind::list &&
                           last->ordered == node.ordered;
      other_marker = adjoins && !other_marker;
      const std::string text = block(node, other_marker);
      if (text.empty()) continue;
      if (last) out += loose ? "\n\n" : "\n";
      out += text;
      last = &node;
    }
    return out;
  }

  std::string block(const Node& node, bool other_marker) {
    switch (node.kind) {
      case NodeKind::heading:
        return std::string(static_cast<std::size_t>(node.level), '#') + ' ' +
               with_closing_marks_escaped(
                   std::string(trim(inlines_of(node, InlineWriter::Place::heading))));
      case NodeKind::paragraph: return paragraph(node);
      case NodeKind::quote: return prefixed(blocks(node.children, true), "> ", "> ");
      case NodeKind::list: return list(node, other_marker);
      case NodeKind::code_block: return code_block(node);
      case NodeKind::html_block: return std::string(trim(node.text));
      case NodeKind::rule: return "***";
      case NodeKind::table: return table(node);
      case NodeKind::note_definition: return note(node);
      default: return blocks(node.children, true);
    }
  }

  static std::string prefixed(const std::string& text, const std::string& first,
                              const std::string& rest) {
    std::string out;
    bool begun = false;
    for (const auto line : split(text, '\n')) {
      if (begun) out += '\n';
      out += line.empty() ? std::string(trim(begun ? rest : first))
                          : (begun ? rest : first) + std::string(line);
      begun = true;
    }
    return out;
  }

  static std::string paragraph(const Node& node) {
    if (is_lone_formula(node)) {
      const std::string tex(trim(node.children[0].text));
      return "```math\n" + tex + "\n```";
    }
    const std::string text = inlines_of(node, InlineWriter::Place::paragraph);
    std::string out;
    for (const auto line : split(trim(text), '\n')) {
      const std::string one = escaped_line(line, out.empty());
      if (one.empty()) continue;
      out += (out.empty() ? "" : "\n") + one;
    }
    while (out.ends_with(' ')) out.pop_back();
    if (out.ends_with("\\") && !out.ends_with("\\\\")) out.pop_back();
    return out;
  }

  // Whether an item needs empty lines between its blocks to be read as it is.
  static bool needs_space(const Node& item) {
    for (std::size_t i = 1; i < item.children.size(); ++i) {
      const NodeKind before = item.children[i - 1].kind, kind = item.children[i].kind;
      if (kind == NodeKind::list && before == NodeKind::paragraph) continue;
      if (kind == NodeKind::code_block && before == NodeKind::paragraph) continue;
      return true;
    }
    return false;
  }

  std::string list(const Node& node, bool other_marker) {
    const bool loose = !node.tight || std::ranges::any_of(node.children, needs_space);
    std::string out;
    int number = node.start;
    for (const auto& item : node.children) {
      std::string marker = node.ordered ? std::to_string(number++) + (other_marker ? ")" : ".")
                                        : (other_marker ? "*" : "-");
      marker += ' ';
      const std::string indent(marker.size(), ' ');
      if (item.checked) marker += *item.checked ? "[x] " : "[ ] ";
      if (!out.empty()) out += loose ? "\n\n" : "\n";
      out += prefixed(blocks(item.children, loose), marker, indent);
    }
    return out;
  }

  static std::string code_block(const Node& node) {
    std::string body = node.text;
    if (body.ends_with('\n')) body.pop_back();
    const std::string fence(std::max<std::size_t>(3, longest_run(body, '`') + 1), '`');
    return fence + node.info + '\n' + body + (body.empty() ? "" : "\n") + fence;
  }

  static std::string table(const Node& node) {
    std::string out, line;
    std::size_t columns = 0;
    for (const auto& row : node.children) columns = std::max(columns, row.children.size());
    for (const auto& row : node.children) {
      if (!out.empty()) out += '\n';
      out += '|';
      for (std::size_t i = 0; i < columns; ++i) {
        const std::string cell =
            i < row.children.size()
                ? std::string(trim(inlines_of(row.children[i], InlineWriter::Place::cell)))
                : "";
        out += ' ' + cell + (cell.empty() ? "|" : " |");
      }
      if (&row != &node.children.front()) continue;
      out += "\n|";
      for (std::size_t i = 0; i < columns; ++i) {
        const Alignment to = i < row.children.size() ? row.children[i].alignment : Alignment::none;
        out += to == Alignment::left     ? ":--|"
               : to == Alignment::right  ? "--:|"
               : to == Alignment::centre ? ":-:|"
                                         : "---|";
      }
    }
    return out;
  }

  std::string note(const Node& node) {
    const auto label = labels_.find(node.text);
    std::string info = label == labels_.end() ? "[^" + node.text + ']' : label->second;
    if (!info.starts_with("[^")) info = "[^" + info + ']';
    return prefixed(blocks(node.children, true), info + ": ", "    ");
  }

  std::map<std::string, std::string> labels_;  // of notes, by number
};

}  // namespace

std::string write_markdown(const Node& document) { return BlockWriter().document(document); }

std::string write_inlines(const Node& parent) {
  return std::string(trim(inlines_of(parent, InlineWriter::Place::heading)));
}

}  // namespace primer
