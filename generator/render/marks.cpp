// Marks in a text that mark nothing, or mark what they should not: Markdown prints them, or drops
// them, without a word. Text that was written with a backslash is meant to be read as it is.
#include <algorithm>
#include <cctype>
#include <charconv>

#include "generator/base/text.hpp"
#include "generator/render/emitter.hpp"
#include "generator/render/foreign_syntax.hpp"

namespace primer {
namespace {

constexpr const char* how_to_escape =
    "write a backslash before each mark that is meant to be read, or put code between backticks";

bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// "2*3*4": a mark between letters or digits on both of its ends. "**GPU**s" and the scripts that
// have no spaces between words are not meant.
bool is_inside_word(const Node& node, std::string_view source) {
  if (node.in_source == InSource::unknown || node.offset == 0 || node.end >= source.size())
    return false;
  const char before = source[node.offset - 1], after = source[node.end];
  return (is_alnum(before) || before == ')' || before == ']') &&
         (is_alnum(after) || after == '(' || after == '[');
}

// "|---|:-:|": the second line of a table, which is text where the first has other cells.
bool is_delimiter_row(std::string_view text) {
  return text.find("--") != text.npos && text.find('|') != text.npos &&
         text.find_first_not_of("|:- \t") == text.npos;
}

struct Stray {
  std::size_t offset = 0, length = 0;
  Rule rule = Rule::stray_mark;
  std::string message, hint = how_to_escape, suggestion = {};
};

// "[12 B](calc: 3 * 4 B)" is text to Markdown, and a number in it would go unchecked.
Stray broken_link(std::string_view text, std::size_t at) {
  const auto begin = at + 2;
  const auto close = text.find(')', begin);
  const std::string destination(close == text.npos ? "" : text.substr(begin, close - begin));
  const bool spaced = destination.find(' ') != destination.npos;
  bool own = false;
  for (const std::string_view scheme : {"fact:", "calc:", "live:", "term:", "claim:"})
    own = own || destination.starts_with(scheme);
  return {spaced ? begin : at,
          spaced ? destination.size() : 2,
          own ? Rule::dead_link : Rule::stray_mark,
          spaced ? "this is not a link: a destination with spaces goes between < and >"
                 : "this is not a link, because its destination does not end here",
          spaced ? "" : "a link is [text](destination)",
          spaced ? '<' + destination + '>' : ""};
}

// `is_in_bracket`: an open bracket that was not escaped is before the text.
std::vector<Stray> stray_marks(std::string_view text, bool is_in_bracket) {
  std::vector<Stray> all;
  const auto follows_bracket = [&](std::size_t at) {
    return at != text.npos && (is_in_bracket || text.substr(0, at).find('[') != text.npos);
  };
  const auto found = [&](Stray stray) { all.push_back(std::move(stray)); };
  for (const std::string_view mark : {"**", "~~"}) {
    for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at + mark.size())) {
      const bool spaced = (at == 0 || text[at - 1] == ' ') &&
                          (at + 2 == text.size() || text[at + 2] == ' ') && text.size() > 2;
      if (spaced) continue;
      const bool strong = mark == "**";
      found({at, 2, Rule::stray_mark, in_quotes(mark) + " marks nothing here, and would be printed",
             strong ? "inside the marks, the text begins and ends with a letter, not with a space; "
                      "punctuation next to a letter goes outside; a star to be read is \\*"
                    : "what is struck out is between two ~~; a tilde to be read is \\~"});
    }
  }
  if (const auto at = text.find("]("); follows_bracket(at)) found(broken_link(text, at));
  if (const auto at = text.find("]["); follows_bracket(at)) {
    const auto close = std::min(text.find(']', at + 2), text.size() - 1);
    const std::string name(text.substr(at + 1, close - at));
    found({at + 1, name.size(), Rule::dead_link, "no link is defined for " + name,
           "write [text](destination), or a line " + name + ": destination; " + how_to_escape});
  }
  if (const auto at = text.find("!["); at != text.npos)
    found({at, 2, Rule::bad_image, "this is not an image: it has no address",
           "an image is ![what it shows](file.svg)"});
  if (const auto at = text.find("^["); at != text.npos)
    found({at, 2, Rule::foreign_syntax, "this is Pandoc's, and would be printed as it is",
           "write [^id] here, and [^id]: the note on a line of its own"});
  return all;
}

// "&nbps;"
std::optional<Stray> unknown_entity(std::string_view text) {
  for (auto at = text.find('&'); at != text.npos; at = text.find('&', at + 1)) {
    const auto end = text.find(';', at);
    if (end == text.npos) return std::nullopt;
    const std::string_view name = text.substr(at + 1, end - at - 1);
    const bool hash = name.starts_with('#');
    if (name.size() < 2 || name.size() > 31 ||
        !std::ranges::all_of(name.substr(hash ? 1 : 0), is_alnum))
      continue;
    return Stray{at, end + 1 - at, Rule::stray_mark,
                 in_quotes(text.substr(at, end + 1 - at)) + " is no entity, and would be printed",
                 "write the character itself, or \\& for the sign"};
  }
  return std::nullopt;
}

// A formula of TeX, "\(x^2\)", which Markdown takes the backslashes from: from where to where.
std::optional<std::pair<std::size_t, std::size_t>> tex_brackets(const std::vector<Node>& nodes,
                                                                std::size_t at,
                                                                std::string_view source) {
  const auto written = [&](const Node& node) { return source.substr(node.offset, node.length); };
  const auto open = written(nodes[at]).find("\\(");
  if (open == std::string_view::npos) return std::nullopt;
  constexpr std::size_t far = 100;  // so that time grows with the text alone
  const std::size_t end = std::min(nodes.size(), at + far);
  for (std::size_t i = at + 1; i < end && nodes[i].kind != NodeKind::soft_break; ++i) {
    const bool escaped = nodes[i].kind == NodeKind::text && nodes[i].in_source == InSource::escaped;
    const auto close = escaped ? written(nodes[i]).find("\\)") : std::string_view::npos;
    if (close != std::string_view::npos)
      return std::pair{nodes[at].offset + open, nodes[i].offset + close + 2};
  }
  return std::nullopt;
}

}  // namespace

void Emitter::check_marks(const Node& parent) {
  const auto& nodes = parent.children;
  const auto is = [&](std::size_t i, NodeKind kind) {
    return i < nodes.size() && nodes[i].kind == kind;
  };
  bool in_bracket = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.kind == NodeKind::text) {
      const bool first = i == 0 && parent.kind == NodeKind::paragraph;
      const TextPlace place{first || is(i - 1, NodeKind::soft_break), first,
                            is(i + 1, NodeKind::code),
                            is(i - 1, NodeKind::image) || is(i - 1, NodeKind::link), in_bracket};
      check_text_marks(nodes, i, place);
      const auto last = node.text.find_last_of("[]");
      if (node.in_source != InSource::escaped && last != node.text.npos)
        in_bracket = node.text[last] == '[';
    } else if (node.kind == NodeKind::emphasis || node.kind == NodeKind::strong) {
      if (!is_inside_word(node, source.text())) continue;
      error(Rule::stray_mark, node.offset, node.length,
            in_quotes(source.text().substr(node.offset, node.length)) +
                " begins emphasis inside a word, so the page would not show it");
      diagnostics.hint(how_to_escape);
    } else if (node.kind == NodeKind::strike && node.length == 1) {
      const bool pandoc = node.offset > 0 && is_alnum(source.text()[node.offset - 1]);
      error(pandoc ? Rule::foreign_syntax : Rule::stray_mark, node.offset, 1,
            pandoc ? "this is Pandoc's, and would be struck through"
                   : "a single \"~\" strikes text through up to the next one");
      diagnostics.hint(pandoc ? "write H<sub>2</sub>O, or a formula"
                              : "write \\~ for a tilde, or ~~text~~ to strike text through");
    }
  }
}

// Markdown counts a list's items from the first one's number, whatever numbers the other items have. All may have
// the same one, as many authors write them.
void Emitter::check_numbers(const Node& list) {
  const std::string_view text = source.text();
  const auto number_of = [&](const Node& item) {
    const std::size_t at = std::min(text.find_first_not_of(" \t>", item.offset), text.size());
    int number = -1;
    std::from_chars(text.data() + at, text.data() + text.size(), number);
    return number;
  };
  // cmark does not know where the items of a list inside a list marker begin: "1. - 2. a".
  if (number_of(list.children.front()) != list.start) return;
  const bool all_same = std::ranges::all_of(
      list.children, [&](const Node& item) { return number_of(item) == list.start; });
  for (std::size_t i = 0; i < list.children.size() && !all_same; ++i) {
    const int wrong = number_of(list.children[i]), right = list.start + static_cast<int>(i);
    if (wrong < 0 || wrong == right) continue;
    error(Rule::lost_text, list.children[i].offset, std::to_string(wrong).size(),
          "this item is number " + std::to_string(right) + " on the page, not " +
              std::to_string(wrong));
    diagnostics.hint("number the items in order; a number that begins a paragraph is written " +
                     std::to_string(wrong) + "\\.");
    return;
  }
}

void Emitter::check_text_marks(const std::vector<Node>& nodes, std::size_t i,
                               const TextPlace& place) {
  const Node& node = nodes[i];
  const bool verbatim = node.in_source == InSource::verbatim;
  if (node.in_source == InSource::escaped) {
    if (const auto found = tex_brackets(nodes, i, source.text())) {
      error(Rule::foreign_syntax, found->first, found->second - found->first,
            "this is TeX's, and would be printed as it is");
      diagnostics.hint("a formula stands between dollars: $x^2$");
    }
    return;
  }
  const auto place_of = [&](std::size_t at) { return node.offset + (verbatim ? at : 0); };
  if (const auto found = foreign_syntax(node.text, place)) {
    error(Rule::foreign_syntax, place_of(found->offset), found->length,
          "this is " + found->whose + ", and would be printed as it is");
    diagnostics.hint(found->form);
    return;
  }
  if (place.begins_line && is_delimiter_row(node.text)) {
    error(Rule::bad_table, node.offset, node.text.size(),
          "this is no table: the line above has another number of cells");
    diagnostics.hint("an empty cell is written too: | a | | c |; a bar inside a cell is \\|");
    return;
  }
  auto strays = stray_marks(node.text, place.in_bracket);
  if (auto entity = unknown_entity(node.text)) strays.push_back(std::move(*entity));
  for (const auto& stray : strays) {
    error(stray.rule, place_of(stray.offset), stray.length, stray.message, stray.suggestion);
    if (!stray.hint.empty()) diagnostics.hint(stray.hint);
  }
}

}  // namespace primer
