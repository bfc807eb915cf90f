#include "generator/tools/search/indexed_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {
constexpr auto npos = std::string_view::npos;

bool starts_at(std::string_view text, std::size_t at, std::string_view what) {
  return text.substr(at, what.size()) == what;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Length in bytes of the space of any width at this offset; 0 if there is none.
std::size_t space_at(std::string_view text, std::size_t at) {
  if (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r')) return 1;
  for (const std::string_view space :
       {"\u00A0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
        "\u2007", "\u2008", "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000",
        "\uFEFF"}) {
    if (starts_at(text, at, space)) return space.size();
  }
  return 0;
}

// The text of HTML with runs of spaces collapsed and trimmed.
std::string without_tags(std::string_view html) {
  std::string text;
  bool space = false;
  for (std::size_t at = 0; at < html.size();) {
    if (const auto end = html.find('>', at); html[at] == '<' && end != npos && end > at + 1) {
      at = end + 1;
    } else if (const std::size_t width = space_at(html, at)) {
      space = true;
      at += width;
    } else {
      if (space && !text.empty()) text += ' ';
      space = false;
      text += html[at++];
    }
  }
  return text;
}

// An element from its opening to its closing tag. It must not contain another of its name.
struct Element {
  std::size_t begin, inner, inner_end, end;
};

std::optional<Element> find_element(std::string_view html, std::string_view name,
                                    std::size_t from = 0) {
  const std::string opening = "<" + std::string(name), closing = "</" + std::string(name) + ">";
  for (std::size_t at = html.find(opening, from); at != npos; at = html.find(opening, at + 1)) {
    const std::size_t after = at + opening.size();
    if (after < html.size() && is_word(html[after])) continue;
    const std::size_t inner = html.find('>', after);
    if (inner == npos) return std::nullopt;
    const std::size_t inner_end = html.find(closing, inner + 1);
    if (inner_end == npos) continue;
    return Element{at, inner + 1, inner_end, inner_end + closing.size()};
  }
  return std::nullopt;
}

std::optional<std::string> inner_text(std::string_view html, std::string_view name) {
  const auto found = find_element(html, name);
  if (!found) return std::nullopt;
  return without_tags(html.substr(found->inner, found->inner_end - found->inner));
}

// Counts letters as JavaScript does, because pages search in JavaScript.
std::size_t letters_in(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0u) != 0x80u) count += byte >= 0xF0u ? 2 : 1;
  }
  return count;
}

// The letters of a formula if it reads as a word in a sentence. Statements and primes do not.
std::string formula_words(std::string_view mathml) {
  constexpr std::size_t longest = 12;
  const std::string letters = replace_all(without_tags(mathml), " ", "");
  const bool states = std::ranges::any_of(
      std::initializer_list<std::string_view>{"=", "≠", "<", ">", "≤", "≥", "≈", "∼", "′"},
      [&](std::string_view sign) { return letters.find(sign) != letters.npos; });
  return states || letters_in(letters) > longest ? "…" : letters;
}

std::string with_formulas_as_words(std::string_view html) {
  constexpr std::string_view opening = "<math", closing = "</math>";
  std::string text;
  std::size_t from = 0;
  for (std::size_t at = html.find(opening); at != npos; at = html.find(opening, from)) {
    const auto end = html.find(closing, at);
    if (end == npos) break;
    text += html.substr(from, at - from);
    from = end + closing.size();
    text += formula_words(html.substr(at, from - at));
  }
  return text.append(html.substr(from));
}

struct SectionStart {
  std::string_view tag, id;
};

// A heading or term with an id at this offset.
std::optional<SectionStart> section_start(std::string_view html, std::size_t at) {
  for (const std::string_view tag : {"h2", "h3", "dt"}) {
    if (html[at] != '<' || !starts_at(html, at + 1, tag)) continue;
    const std::size_t name_end = at + 1 + tag.size(), close = html.find('>', name_end);
    if (name_end >= html.size() || html[name_end] != ' ') continue;
    constexpr std::string_view id = "id=\"";
    const std::size_t begin = html.find(id, name_end + 1);
    if (begin == npos || begin > close) continue;
    const std::size_t from = begin + id.size(), end = html.find('"', from);
    if (end == npos || end == from) continue;
    return SectionStart{tag, html.substr(from, end - from)};
  }
  return std::nullopt;
}

std::string without_first_heading(std::string_view html) {
  std::optional<Element> first;
  for (const char* name : {"h1", "h2", "h3", "dt"}) {
    const auto found = find_element(html, name);
    if (found && (!first || found->begin < first->begin)) first = found;
  }
  if (!first) return std::string(html);
  return std::string(html.substr(0, first->begin)).append(html.substr(first->end));
}

struct Page {
  std::string_view url;
  std::string language, chapter;
};

PageSection section(const Page& page, std::string_view html) {
  const auto start = html.empty() ? std::nullopt : section_start(html, 0);
  const std::string title =
      start ? inner_text(html, start->tag).value_or(page.chapter) : page.chapter;
  // Definitions are short, which Pagefind takes for relevance, so their text has less weight than
  // the term itself.
  const char* weight = start && start->tag == "dt" ? "0.3" : "1";
  std::string url(page.url);
  if (start) url.append("#").append(start->id);
  return {url, "<html lang=\"" + page.language + "\"><head><meta content=\"" + page.chapter +
                   "\" data-pagefind-meta=\"chapter[content]\"/></head><body><h1>" + title +
                   "</h1><div data-pagefind-weight=\"" + weight + "\">" +
                   without_first_heading(html) + "</div></body></html>"};
}

std::string language_of(std::string_view page) {
  const auto root = page.find("<html");
  constexpr std::string_view lang = " lang=\"";
  const auto at = root == npos ? npos : page.find(lang, root);
  if (at == npos || at > page.find('>', root)) return "en";
  const auto from = at + lang.size();
  return std::string(page.substr(from, page.find('"', from) - from));
}

// The content of <main>.
std::string_view text_of(std::string_view page) {
  const auto opening = page.find("<main"), end = page.rfind("</main>");
  const auto begin = opening == npos ? npos : page.find('>', opening);
  if (begin == npos || end == npos || end < begin) return {};
  return page.substr(begin + 1, end - begin - 1);
}

}  // namespace

std::vector<PageSection> sections_of(std::string_view url, std::string_view page) {
  const std::string language = language_of(page);
  const std::string main =
      indexed_html(with_formulas_as_words(std::string(text_of(page))), language);
  const Page about{url, pagefind_language(language), inner_text(main, "h1").value_or("")};
  std::vector<PageSection> sections;
  std::size_t from = 0;
  for (std::size_t at = main.find('<', 1); at != main.npos; at = main.find('<', at + 1)) {
    if (!section_start(main, at)) continue;
    sections.push_back(section(about, std::string_view(main).substr(from, at - from)));
    from = at;
  }
  sections.push_back(section(about, std::string_view(main).substr(from)));
  return sections;
}

bool is_unlisted(std::string_view page) {
  return page.find("<meta name=\"robots\" content=\"noindex\"") != npos;
}

// Preparing text.

namespace {
using namespace std::string_view_literals;

constexpr auto none = std::string_view::npos;

// Letters and what readers type for them: Unicode's canonical decompositions of lower-case letters
// without their marks, and letters that have no decomposition (scripts/unicode_tables).
#include "generator/tools/search/folded_letters.inc"

// Combining marks, the points of Hebrew and Arabic, and an apostrophe that is a letter.
constexpr std::pair<char32_t, char32_t> marks[] = {
    {0x2BC, 0x2BC}, {0x300, 0x36F}, {0x591, 0x5C7}, {0x64B, 0x65F}, {0x670, 0x670}};

// Chinese, Japanese and Korean characters that are words or parts of words.
constexpr std::pair<char32_t, char32_t> paired_characters[] = {
    {0x3005, 0x3007}, {0x3041, 0x3096}, {0x309D, 0x309F},  {0x30A1, 0x30FA}, {0x30FC, 0x30FF},
    {0x3105, 0x312F}, {0x31F0, 0x31FF}, {0x3400, 0x4DBF},  {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF}, {0xFF66, 0xFF9F}, {0x20000, 0x3FFFF}};
constexpr std::string_view filler = "\u3164", joiner = "\u2060";

// Inline elements. A run of characters continues across their tags.
constexpr std::array within_line = {"a"sv,      "abbr"sv, "b"sv,    "cite"sv, "code"sv, "data"sv,
                                    "del"sv,    "dfn"sv,  "em"sv,   "i"sv,    "kbd"sv,  "mark"sv,
                                    "small"sv,  "span"sv, "sub"sv,  "sup"sv,  "time"sv, "wbr"sv,
                                    "strong"sv, "bdi"sv,  "ruby"sv, "rb"sv};

bool is_among(const auto& ranges, char32_t c) {
  return std::ranges::any_of(
      ranges, [&](const auto& range) { return c >= range.first && c <= range.second; });
}

// The bytes of the character at an offset. An invalid byte counts as one.
std::string_view character_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t size = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return text.substr(at, size);
}

char32_t code_point_of(std::string_view character) {
  if (character.size() == 1) return static_cast<unsigned char>(character[0]);
  char32_t c = static_cast<unsigned char>(character[0]) & (0xFFu >> (character.size() + 1));
  for (const char byte : character.substr(1))
    c = c << 6 | (static_cast<unsigned char>(byte) & 0x3Fu);
  return c;
}

bool is_paired(std::string_view character) {
  return character.size() > 2 && is_among(paired_characters, code_point_of(character));
}

bool is_blank(std::string_view character) {
  return character == " " || character == "\n" || character == "\t" || character == "\u3000" ||
         character == "\u00A0" || character == "\u202F";
}

bool is_within_line(std::string_view tag) {
  const std::string_view name = tag.substr(tag.starts_with("</") ? 2 : 1);
  return std::ranges::find(within_line, name.substr(0, name.find_first_of(" />"))) !=
         within_line.end();
}

std::string_view tag_at(std::string_view html, std::size_t at) {
  const auto end = html.find('>', at);
  return html.substr(at, end == none ? none : end + 1 - at);
}

// The next character that a reader sees. Empty at the end of a block.
std::string_view next_character(std::string_view html, std::size_t at) {
  while (at < html.size() && html[at] == '<') {
    const std::string_view tag = tag_at(html, at);
    if (!is_within_line(tag)) return {};
    at += tag.size();
  }
  return at < html.size() ? character_at(html, at) : std::string_view();
}

bool has_paired(std::string_view html) {
  for (std::size_t at = 0; at < html.size(); at += character_at(html, at).size()) {
    if (is_paired(character_at(html, at))) return true;
  }
  return false;
}

std::string in_pairs(std::string_view html) {
  if (!has_paired(html)) return std::string(html);
  const std::string join = " " + std::string(joiner) + " ";
  std::string out;
  bool touches = false;  // the character before is neither a space nor one of these
  for (std::size_t at = 0; at < html.size();) {
    if (html[at] == '<') {
      const std::string_view tag = tag_at(html, at);
      touches = touches && is_within_line(tag);
      out += tag;
      at += tag.size();
      continue;
    }
    const std::string_view one = character_at(html, at);
    at += one.size();
    if (!is_paired(one)) {
      out += one;
      touches = !is_blank(one);
      continue;
    }
    if (touches) out += join;
    touches = false;
    const std::string_view next = next_character(html, at);
    out.append(one).append(is_paired(next) ? next : filler) += ' ';
    if (!next.empty() && !is_paired(next) && !is_blank(next)) out.append(joiner) += ' ';
  }
  return out;
}

bool is_latin_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word_sign(char c) { return is_latin_letter(c) || (c >= '0' && c <= '9') || c == '_'; }

// Replaces the signs in "C#", "F#", "C++" and "C++17", but not in "#pragma" or "page#part".
std::string with_signs_as_letters(std::string html) {
  constexpr std::string_view sharp = "\u203F", plus = "\u2054";
  for (std::size_t at = html.find_first_of("#+", 1); at < html.size();
       at = html.find_first_of("#+", at + 1)) {
    if (!is_latin_letter(html[at - 1])) continue;
    const char next = at + 1 < html.size() ? html[at + 1] : ' ';
    if (html[at] == '#' && !is_word_sign(next)) html.replace(at, 1, sharp);
    else if (html[at] == '+' && next == '+') html.replace(at, 2, std::string(plus).append(plus));
  }
  return html;
}

// Replaces curly quotation marks. Pagefind takes them for letters, so a quoted word would be
// another word, and it splits "v4’s" into "v" and "4’s" and finds neither.
std::string with_plain_quotes(std::string html) {
  for (const char* mark :
       {"«\u00A0", "\u00A0»", "‹\u00A0", "\u00A0›", "“", "”", "«", "»", "„", "‹", "›", "״"})
    html = replace_all(std::move(html), mark, "&quot;");
  constexpr std::string_view possessive = "’s";
  for (std::size_t at = html.find(possessive); at != html.npos;
       at = html.find(possessive, at + 1)) {
    const std::size_t after = at + possessive.size();
    const bool digit = at > 0 && html[at - 1] >= '0' && html[at - 1] <= '9';
    if (digit && (after >= html.size() || !is_word_sign(html[after])))
      html.erase(at--, possessive.size());
  }
  return html;
}

}  // namespace

std::string indexed_html(std::string html, std::string_view language) {
  html = with_plain_quotes(std::move(html));
  for (const char* isolate : {"\u2066", "\u2067", "\u2068", "\u2069"})
    html = replace_all(std::move(html), isolate, "");
  // A straight apostrophe splits "l’eau" into two words, which is right in most languages but not
  // in English ("it’s").
  if (!language.starts_with("en")) html = replace_all(std::move(html), "’", "&#39;");
  return in_pairs(with_signs_as_letters(std::move(html)));
}

constexpr std::string_view unknown_to_pagefind = "x-";

std::string pagefind_language(std::string_view language) {
  const std::string_view first = language.substr(0, language.find('-'));
  const bool is_cut = first == "zh" || first == "ja";
  return std::string(is_cut ? unknown_to_pagefind : "").append(language);
}

std::string_view index_language_of(std::string_view pagefind_language) {
  if (pagefind_language.starts_with(unknown_to_pagefind))
    pagefind_language.remove_prefix(unknown_to_pagefind.size());
  return pagefind_language;
}

std::string without_accents(std::string_view word) {
  static const auto letters = [] {
    std::unordered_map<std::string_view, std::string_view> all;
    for (const auto& [plain, accented] : folded_letters) {
      for (std::size_t at = 0; at < accented.size(); at += character_at(accented, at).size())
        all.emplace(character_at(accented, at), plain);
    }
    return all;
  }();
  std::string plain;
  for (std::size_t at = 0; at < word.size();) {
    const std::string_view one = character_at(word, at);
    at += one.size();
    if (one.size() > 1 && is_among(marks, code_point_of(one))) continue;
    const auto found = letters.find(one);
    plain += found == letters.end() ? one : found->second;
  }
  return plain;
}

}  // namespace primer
