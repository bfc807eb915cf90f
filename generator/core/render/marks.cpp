// Finds text that Markdown prints although the author meant something else: syntax of other tools
// (marks.hpp), then marks that mark nothing.
#include "generator/core/render/marks.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "generator/core/base/text.hpp"
#include "generator/core/render/emitter.hpp"

namespace primer {
namespace {
constexpr const char* callout = "write a callout as a quote whose first line is > [!NOTE]";
constexpr const char* tabs =
    "write tabs as a quote whose first line is > [!TABS], with a list of labels and texts below it";
constexpr const char* attribute =
    "remove it: a heading's id comes from its words (for old ids, use former: in the front "
    "matter's sections); a line above an image sets its number and width: Figure fig-x "
    "width=50%: caption";

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

struct Bracket {
  std::string_view open, close, whose, form;
};
// If one begins like another, the longer one comes first.
constexpr Bracket brackets[] = {
    {"{{#", "}}", "mdBook", "paste the text; a region of a source is a ```listing block"},
    {"{{<", ">}}", "Hugo",
     "write an image as ![what it shows](file.svg), a figure as a ```figure block"},
    {"{{%", "%}}", "Hugo", callout},
    {"{{", "}}", "template", "write its value"},
    {"{%", "%}", "Jekyll", "write its value; put code in a fenced block"},
    {"[[", "]]", "wiki", "link a chapter by its file: [text](file.md)"},
};

using Found = std::optional<ForeignSyntax>;

Found made(std::size_t offset, std::size_t length, std::string_view whose, std::string_view form) {
  return ForeignSyntax{offset, length, std::string(whose), std::string(form)};
}

Found in_brackets(std::string_view text) {
  Found first;
  for (const auto& [open, close, whose, form] : brackets) {
    const auto at = text.find(open);
    const auto end = at == text.npos ? at : text.find(close, at + open.size());
    if (end == text.npos || (first && first->offset <= at)) continue;
    if (open == "[[" && text.substr(at).starts_with("[[[")) continue;
    first = made(at, end + close.size() - at, whose, form);
  }
  return first;
}

// Syntax at the beginning of a line: "::: note", "!!! note", "[TOC]", ": definition".
Found at_line(std::string_view text, bool begins_block) {
  const std::size_t length = trim(text).size();
  if (text.starts_with(":::")) return made(0, length, "Pandoc or MyST", callout);
  for (const std::string_view mark : {"!!! ", "??? ", "???+ "})
    if (text.starts_with(mark)) return made(0, length, "MkDocs", callout);
  for (const std::string_view mark : {"=== \"", "===! \"", "===+ \""})
    if (text.starts_with(mark)) return made(0, length, "MkDocs", tabs);
  if (trim(text) == "[TOC]" || trim(text) == "[toc]")
    return made(0, length, "foreign", "remove it: every page lists its sections");
  if (!text.starts_with(": ")) return std::nullopt;
  return begins_block
             ? made(0, 1, "Pandoc",
                    "write the caption above the table: Table tbl-x: caption, or Figure fig-x: "
                    "caption")
             : made(0, 1, "Pandoc", "write a list whose items begin with a **term**");
}

// Attributes: "{#id}", "{.class}", "{width=50%}", "{: .x}".
Found attributes(std::string_view text, bool behind_mark) {
  for (auto at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    const auto end = text.find('}', at);
    if (end == text.npos) return std::nullopt;
    const std::string_view inside = trim(text.substr(at + 1, end - at - 1));
    const bool named = inside.size() > 1 && (inside[0] == '#' || inside[0] == '.') &&
                       is_letter(inside[1]) && inside.find('{') == inside.npos;
    const auto equals = inside.find('=');
    const bool sized = at == 0 && behind_mark && equals != inside.npos && equals > 0 &&
                       std::ranges::all_of(inside.substr(0, equals), is_word);
    if (named || sized || inside.starts_with(": ."))
      return made(at, end + 1 - at, "Pandoc or kramdown", attribute);
  }
  return std::nullopt;
}

// Roles: "{ref}`x`".
Found role(std::string_view text) {
  const auto at = text.rfind('{');
  if (at == text.npos || !text.ends_with('}') || at + 2 >= text.size()) return std::nullopt;
  const std::string_view name = text.substr(at + 1, text.size() - at - 2);
  const bool is_name = std::ranges::all_of(name, [](char c) { return is_word(c) || c == ':'; });
  return is_name && is_letter(name[0])
             ? made(at, text.size() - at, "MyST",
                    "link by id: [Figure](#fig-x); write a formula as $`x`$")
             : std::nullopt;
}

bool begins_word(std::string_view text, std::size_t at) {
  return at == 0 || std::string_view(" ([-").find(text[at - 1]) != std::string_view::npos;
}

Found cross_reference(std::string_view text) {
  for (const std::string_view prefix : {"@fig-", "@tbl-", "@sec-", "@eq-", "@lst-"}) {
    const auto at = text.find(prefix);
    if (at == text.npos || !begins_word(text, at)) continue;
    auto end = at + prefix.size();
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == at + prefix.size()) continue;
    return made(at, end - at, "Quarto",
                "write [Figure](#" + std::string(text.substr(at + 1, end - at - 1)) + ')');
  }
  return std::nullopt;
}

// Pairs of signs: ":smile:", "==marked==".
Found between_signs(std::string_view text) {
  for (auto at = text.find(':'); at != text.npos; at = text.find(':', at + 1)) {
    const auto end = text.find(':', at + 1);
    if (end == text.npos) break;
    const std::string_view name = text.substr(at + 1, end - at - 1);
    const bool ends = end + 1 == text.size() || !is_word(text[end + 1]);
    const bool emoji = begins_word(text, at) && ends && name.size() > 1 && is_letter(name[0]) &&
                       std::ranges::all_of(name, is_word);
    if (emoji) return made(at, end + 1 - at, "foreign", "write the character itself");
  }
  const auto at = text.find("==");
  const auto end = at == text.npos ? at : text.find("==", at + 2);
  const bool marked = end != text.npos && begins_word(text, at) && end > at + 2 &&
                      text[at + 2] != ' ' && text[at + 2] != '=' && text[end - 1] != ' ';
  return marked ? made(at, end + 2 - at, "foreign", "write **text**") : std::nullopt;
}

}  // namespace

std::optional<ForeignSyntax> foreign_syntax(std::string_view text, TextPlace place) {
  if (text.find_first_of("{[@:!?=") == text.npos) return std::nullopt;
  if (place.begins_line) {
    if (auto found = at_line(text, place.begins_block)) return found;
  }
  if (auto found = in_brackets(text)) return found;
  if (auto found = attributes(text, place.behind_mark)) return found;
  if (place.before_code) {
    if (auto found = role(text)) return found;
  }
  if (auto found = cross_reference(text)) return found;
  return between_signs(text);
}

// Stray marks: marks without a partner, or on the wrong text. Markdown prints or drops them
// silently. A text with a backslash before the mark is meant literally.

namespace {
constexpr const char* how_to_escape =
    "write a backslash before each mark that should be shown, or put code in backticks";

bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Whether a mark is between letters or digits on both ends, as in "2*3*4". "**GPU**s" is fine, and
// so are scripts that do not separate words by spaces.
bool is_inside_word(const Node& node, std::string_view source) {
  if (node.in_source == InSource::unknown || node.offset == 0 || node.end >= source.size())
    return false;
  const char before = source[node.offset - 1], after = source[node.end];
  return (is_alnum(before) || before == ')' || before == ']') &&
         (is_alnum(after) || after == '(' || after == '[');
}

// Whether the text is the second line of a table ("|---|:-:|"). Markdown takes it for text if the
// header has a different number of cells.
bool is_delimiter_row(std::string_view text) {
  return text.find("--") != text.npos && text.find('|') != text.npos &&
         text.find_first_not_of("|:- \t") == text.npos;
}

struct Stray {
  std::size_t offset = 0, length = 0;
  Rule rule = Rule::stray_mark;
  std::string message, hint = how_to_escape, suggestion = {};
};

// Reports "[12 B](calc: 3 * 4 B)". Markdown takes it for text, and its number would not be checked.
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
          spaced ? "this is not a link: a destination with spaces must be between < and >"
                 : "this is not a link: its destination is not closed",
          spaced ? "" : "write [text](destination)",
          spaced ? '<' + destination + '>' : ""};
}

// `is_in_bracket`: an unescaped "[" before the text is still open.
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
      found({at, 2, Rule::stray_mark,
             in_quotes(mark) + " is not part of a pair and would be printed",
             strong
                 ? "put no spaces just inside the marks and punctuation outside; write \\* to show "
                   "a star"
                 : "write ~~text~~ to strike text through, or \\~ to show a tilde"});
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
    found(
        {at, 2, Rule::bad_image, "this image has no address", "write ![what it shows](file.svg)"});
  if (const auto at = text.find("^["); at != text.npos)
    found({at, 2, Rule::foreign_syntax,
           "unsupported Pandoc syntax, which would be printed unchanged",
           "write [^id] here, and [^id]: the note on a separate line"});
  return all;
}

// An unknown entity such as "&nbps;".
std::optional<Stray> unknown_entity(std::string_view text) {
  for (auto at = text.find('&'); at != text.npos; at = text.find('&', at + 1)) {
    const auto end = text.find(';', at);
    if (end == text.npos) return std::nullopt;
    const std::string_view name = text.substr(at + 1, end - at - 1);
    const bool hash = name.starts_with('#');
    if (name.size() < 2 || name.size() > 31 ||
        !std::ranges::all_of(name.substr(hash ? 1 : 0), is_alnum))
      continue;
    return Stray{
        at, end + 1 - at, Rule::stray_mark,
        in_quotes(text.substr(at, end + 1 - at)) + " is not an HTML entity and would be printed",
        "write the character itself, or \\& to show the sign"};
  }
  return std::nullopt;
}

// Begin and end of a TeX formula such as "\(x^2\)", whose backslashes Markdown removes.
std::optional<std::pair<std::size_t, std::size_t>> tex_brackets(const std::vector<Node>& nodes,
                                                                std::size_t at,
                                                                std::string_view source) {
  const auto written = [&](const Node& node) { return source.substr(node.offset, node.length); };
  const auto open = written(nodes[at]).find("\\(");
  if (open == std::string_view::npos) return std::nullopt;
  constexpr std::size_t far = 100;  // keeps the time linear in the length of the text
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
                " begins emphasis inside a word, so its marks would not be shown");
      diagnostics.hint(how_to_escape);
    } else if (node.kind == NodeKind::strike && node.length == 1) {
      const bool pandoc = node.offset > 0 && is_alnum(source.text()[node.offset - 1]);
      error(pandoc ? Rule::foreign_syntax : Rule::stray_mark, node.offset, 1,
            pandoc ? "unsupported Pandoc syntax: \"~\" strikes text through here"
                   : "a single \"~\" strikes through the text up to the next one");
      diagnostics.hint(pandoc ? "write H<sub>2</sub>O, or a formula"
                              : "write \\~ for a tilde, or ~~text~~ to strike text through");
    }
  }
}

// Reports lists whose numbers differ from what Markdown shows, which counts from the first number.
// All items may have the same number, as many authors write them.
void Emitter::check_numbers(const Node& list) {
  const std::string_view text = source.text();
  const auto number_of = [&](const Node& item) {
    const std::size_t at = std::min(text.find_first_not_of(" \t>", item.offset), text.size());
    int number = -1;
    std::from_chars(text.data() + at, text.data() + text.size(), number);
    return number;
  };
  // cmark does not know where the items of a nested list such as "1. - 2. a" begin.
  if (number_of(list.children.front()) != list.start) return;
  const bool all_same = std::ranges::all_of(
      list.children, [&](const Node& item) { return number_of(item) == list.start; });
  for (std::size_t i = 0; i < list.children.size() && !all_same; ++i) {
    const int wrong = number_of(list.children[i]), right = list.start + static_cast<int>(i);
    if (wrong < 0 || wrong == right) continue;
    error(Rule::lost_text, list.children[i].offset, std::to_string(wrong).size(),
          "this item is number " + std::to_string(right) + " on the page, not " +
              std::to_string(wrong));
    diagnostics.hint("number the items in order; to begin a paragraph with a number, write " +
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
            "unsupported TeX syntax, which would be printed unchanged");
      diagnostics.hint("write a formula between dollars: $x^2$");
    }
    return;
  }
  const auto place_of = [&](std::size_t at) { return node.offset + (verbatim ? at : 0); };
  if (const auto found = foreign_syntax(node.text, place)) {
    error(Rule::foreign_syntax, place_of(found->offset), found->length,
          "unsupported " + found->whose + " syntax, which would be printed unchanged");
    diagnostics.hint(found->form);
    return;
  }
  if (place.begins_line && is_delimiter_row(node.text)) {
    error(Rule::bad_table, node.offset, node.text.size(),
          "this is not a table: the line above has a different number of cells");
    diagnostics.hint("write empty cells too: | a | | c |; write a bar inside a cell as \\|");
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
