#include "generator/tools/import/html_tags.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {

constexpr std::string_view void_elements[] = {"area",   "base",  "br",    "col",  "embed",
                                              "hr",     "img",   "input", "link", "meta",
                                              "source", "track", "wbr"};

constexpr std::string_view html_elements[] = {
    "a",        "abbr",       "address", "area",   "article",    "aside",    "audio",    "b",
    "base",     "bdi",        "bdo",     "big",    "blockquote", "body",     "br",       "button",
    "canvas",   "caption",    "center",  "cite",   "code",       "col",      "colgroup", "dd",
    "del",      "details",    "dfn",     "div",    "dl",         "dt",       "em",       "embed",
    "fieldset", "figcaption", "figure",  "font",   "footer",     "form",     "h1",       "h2",
    "h3",       "h4",         "h5",      "h6",     "head",       "header",   "hr",       "html",
    "i",        "iframe",     "img",     "input",  "ins",        "kbd",      "label",    "legend",
    "li",       "link",       "main",    "map",    "mark",       "meta",     "nav",      "noscript",
    "object",   "ol",         "option",  "p",      "picture",    "pre",      "progress", "q",
    "rp",       "rt",         "ruby",    "s",      "samp",       "script",   "section",  "select",
    "small",    "source",     "span",    "strike", "strong",     "style",    "sub",      "summary",
    "sup",      "svg",        "table",   "tbody",  "td",         "template", "textarea", "tfoot",
    "th",       "thead",      "time",    "title",  "tr",         "track",    "tt",       "u",
    "ul",       "var",        "video",   "wbr",    "math"};

struct Entity {
  std::string_view name, text;
};
constexpr Entity entities[] = {
    {"amp", "&"},       {"lt", "<"},     {"gt", ">"},     {"quot", "\""},  {"apos", "'"},
    {"nbsp", "\u00a0"}, {"copy", "©"},   {"reg", "®"},    {"trade", "™"},  {"mdash", "—"},
    {"ndash", "–"},     {"hellip", "…"}, {"times", "×"},  {"middot", "·"}, {"bull", "•"},
    {"larr", "←"},      {"rarr", "→"},   {"uarr", "↑"},   {"darr", "↓"},   {"harr", "↔"},
    {"rArr", "⇒"},      {"lArr", "⇐"},   {"hArr", "⇔"},   {"le", "≤"},     {"ge", "≥"},
    {"ne", "≠"},        {"plusmn", "±"}, {"minus", "−"},  {"deg", "°"},    {"micro", "µ"},
    {"laquo", "«"},     {"raquo", "»"},  {"ldquo", "“"},  {"rdquo", "”"},  {"lsquo", "‘"},
    {"rsquo", "’"},     {"frac12", "½"}, {"sup2", "²"},   {"sup3", "³"},   {"infin", "∞"},
    {"alpha", "α"},     {"beta", "β"},   {"gamma", "γ"},  {"delta", "δ"},  {"lambda", "λ"},
    {"mu", "μ"},        {"pi", "π"},     {"sigma", "σ"},  {"theta", "θ"},  {"omega", "ω"},
    {"Delta", "Δ"},     {"Omega", "Ω"},  {"Sigma", "Σ"},  {"check", "✓"},  {"lbrace", "{"},
    {"rbrace", "}"},    {"lbrack", "["}, {"rbrack", "]"}, {"vert", "|"},   {"ast", "*"},
    {"lowbar", "_"},    {"num", "#"},    {"sol", "/"},    {"bsol", "\\"},  {"emsp", " "},
    {"ensp", " "},      {"thinsp", " "}, {"zwnj", ""},    {"shy", ""},     {"eacute", "é"},
    {"ouml", "ö"},      {"uuml", "ü"},   {"auml", "ä"},   {"szlig", "ß"},  {"egrave", "è"}};

bool is_name_byte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

// The character that "#39" or "#x27" names; "" if there is none.
std::string numbered_character(std::string_view name) {
  const bool hex = name.size() > 2 && (name[1] == 'x' || name[1] == 'X');
  const std::string_view digits = name.substr(hex ? 2 : 1);
  unsigned point = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), point, hex ? 16 : 10);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  const bool valid = point >= 32 && point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
  return whole && valid ? in_utf8(static_cast<char32_t>(point)) : "";
}

}  // namespace

std::size_t tag_length(std::string_view text) {
  std::size_t at = text.starts_with("</") ? 2 : 1;
  if (at >= text.size() || !std::isalpha(static_cast<unsigned char>(text[at]))) return text.npos;
  while (at < text.size() && is_name_byte(text[at])) ++at;
  // Addresses such as <a@example.com> and <https://x.org> are no tags.
  if (at < text.size() && std::string_view(" \t\n/>").find(text[at]) == std::string_view::npos)
    return text.npos;
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if ((c == '"' || c == '\'') && text[at - 1] == '=') {
      quote = c;
    } else if (c == '>') {
      return at + 1;
    } else if (c == '<') {
      return text.npos;
    }
  }
  return text.npos;
}

HtmlTag html_tag(std::string_view whole) {
  HtmlTag tag;
  tag.whole = whole;
  tag.closes = whole.starts_with("</");
  for (std::size_t at = tag.closes ? 2 : 1; at < whole.size() && is_name_byte(whole[at]); ++at)
    tag.name += static_cast<char>(std::tolower(static_cast<unsigned char>(whole[at])));
  tag.closes_itself = whole.ends_with("/>") ||
                      std::ranges::find(void_elements, tag.name) != std::end(void_elements);
  return tag;
}

std::string HtmlTag::attribute(std::string_view key) const {
  for (auto at = whole.find(key); at != whole.npos; at = whole.find(key, at + 1)) {
    const std::string_view behind = std::string_view(whole).substr(at + key.size());
    const bool begins = at > 0 && std::isspace(static_cast<unsigned char>(whole[at - 1])) != 0;
    if (!begins || !behind.starts_with('=') || behind.size() < 2) continue;
    const char quote = behind[1];
    if (quote != '"' && quote != '\'')
      return std::string(behind.substr(1, behind.find_first_of(" \t\n>", 1) - 1));
    return with_entities_decoded(behind.substr(2, behind.find(quote, 2) - 2));
  }
  return {};
}

std::string with_entities_decoded(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto end = text[at] == '&' ? text.find(';', at) : text.npos;
    if (end == text.npos || end - at > 12 || end - at < 2) {
      out += text[at];
      continue;
    }
    const std::string_view name = text.substr(at + 1, end - at - 1);
    const auto* known = std::ranges::find(entities, name, &Entity::name);
    const std::string character = name.starts_with('#')         ? numbered_character(name)
                                  : known != std::end(entities) ? std::string(known->text)
                                                                : std::string();
    const bool found = !character.empty() || known != std::end(entities);
    out += found ? character : std::string(1, text[at]);
    if (found) at = end;
  }
  return out;
}

std::string text_of_html(std::string_view html) {
  std::string out;
  for (std::size_t at = 0; at < html.size();) {
    const std::string_view rest = html.substr(at);
    const std::size_t comment = rest.starts_with("<!--") ? rest.find("-->") : rest.npos;
    const std::size_t length = rest[0] == '<' ? tag_length(rest) : rest.npos;
    if (comment != rest.npos) {
      at += comment + 3;
    } else if (length != rest.npos) {
      if (rest.starts_with("<br")) out += '\n';
      at += length;
    } else {
      out += html[at++];
    }
  }
  return with_entities_decoded(out);
}

bool is_html_element(std::string_view name) {
  return std::ranges::find(html_elements, name) != std::end(html_elements);
}

}  // namespace primer
