#include "generator/render/foreign_syntax.hpp"

#include <algorithm>
#include <cctype>

#include "generator/base/text.hpp"

namespace primer {
namespace {

constexpr const char* callout = "a callout is a quote whose first line is > [!NOTE]";
constexpr const char* attribute =
    "leave it out: a heading's id is made of its words (older ones: former: in the front matter's "
    "sections); an image is numbered and sized by a line above it: Figure fig-x width=50%: caption";

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

struct Bracket {
  std::string_view open, close, whose, form;
};
// The longer one first where one begins as another does.
constexpr Bracket brackets[] = {
    {"{{#", "}}", "mdBook's", "paste the text; a region of a source is a ```listing block"},
    {"{{<", ">}}", "Hugo's", "an image is ![what it shows](file.svg), a figure a ```figure block"},
    {"{{%", "%}}", "Hugo's", callout},
    {"{{", "}}", "a template's", "write what it stands for"},
    {"{%", "%}", "Jekyll's", "write what it stands for; code goes into a fenced block"},
    {"[[", "]]", "a wiki's", "a chapter is linked by its file: [text](file.md)"},
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

// "::: note", "!!! note", "[TOC]", ": definition".
Found at_line(std::string_view text, bool begins_block) {
  const std::size_t length = trim(text).size();
  if (text.starts_with(":::")) return made(0, length, "Pandoc's or MyST's", callout);
  for (const std::string_view mark : {"!!! ", "??? ", "???+ "})
    if (text.starts_with(mark)) return made(0, length, "MkDocs'", callout);
  if (trim(text) == "[TOC]" || trim(text) == "[toc]")
    return made(0, length, "another tool's", "leave it out: a page lists its sections by itself");
  if (!text.starts_with(": ")) return std::nullopt;
  return begins_block
             ? made(
                   0, 1, "Pandoc's",
                   "a caption stands above its table: Table tbl-x: caption, or Figure fig-x: caption")
             : made(0, 1, "Pandoc's", "write a list whose items begin with a **term**");
}

// "{#id}", "{.class}", "{width=50%}", "{: .x}".
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
      return made(at, end + 1 - at, "Pandoc's or kramdown's", attribute);
  }
  return std::nullopt;
}

// "{ref}`x`".
Found role(std::string_view text) {
  const auto at = text.rfind('{');
  if (at == text.npos || !text.ends_with('}') || at + 2 >= text.size()) return std::nullopt;
  const std::string_view name = text.substr(at + 1, text.size() - at - 2);
  const bool is_name = std::ranges::all_of(name, [](char c) { return is_word(c) || c == ':'; });
  return is_name && is_letter(name[0])
             ? made(at, text.size() - at, "MyST's",
                    "a place is linked by its id: [Figure](#fig-x); a formula is $`x`$")
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
    return made(at, end - at, "Quarto's",
                "write [Figure](#" + std::string(text.substr(at + 1, end - at - 1)) + ')');
  }
  return std::nullopt;
}

// ":smile:", "==marked==".
Found between_signs(std::string_view text) {
  for (auto at = text.find(':'); at != text.npos; at = text.find(':', at + 1)) {
    const auto end = text.find(':', at + 1);
    if (end == text.npos) break;
    const std::string_view name = text.substr(at + 1, end - at - 1);
    const bool ends = end + 1 == text.size() || !is_word(text[end + 1]);
    const bool emoji = begins_word(text, at) && ends && name.size() > 1 && is_letter(name[0]) &&
                       std::ranges::all_of(name, is_word);
    if (emoji) return made(at, end + 1 - at, "another tool's", "write the character itself");
  }
  const auto at = text.find("==");
  const auto end = at == text.npos ? at : text.find("==", at + 2);
  const bool marked = end != text.npos && begins_word(text, at) && end > at + 2 &&
                      text[at + 2] != ' ' && text[at + 2] != '=' && text[end - 1] != ' ';
  return marked ? made(at, end + 2 - at, "another tool's", "write **text**") : std::nullopt;
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

}  // namespace primer
