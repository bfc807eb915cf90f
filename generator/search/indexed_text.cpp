#include "generator/search/indexed_text.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "generator/base/text.hpp"

namespace primer {
namespace {

using namespace std::string_view_literals;

constexpr auto none = std::string_view::npos;

// Letters and what they are typed as: Unicode's canonical decompositions of lower-case letters
// without their marks, and below them letters that have none.
constexpr std::pair<std::string_view, std::string_view> folded_letters[] = {
    {"a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ"},
    {"ae", "æǣǽ"},
    {"b", "ḃḅḇ"},
    {"c", "çćĉċčḉ"},
    {"d", "ðďđḋḍḏḑḓ"},
    {"e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"},
    {"f", "ḟ"},
    {"g", "ĝğġģǧǵḡ"},
    {"h", "ĥħȟḣḥḧḩḫẖ"},
    {"i", "ìíîïĩīĭįıǐȉȋḭḯỉị"},
    {"j", "ĵǰ"},
    {"k", "ķǩḱḳḵ"},
    {"l", "ĺļľłḷḹḻḽ"},
    {"m", "ḿṁṃ"},
    {"n", "ñńņňǹṅṇṉṋ"},
    {"o", "òóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"},
    {"oe", "œ"},
    {"p", "ṕṗ"},
    {"r", "ŕŗřȑȓṙṛṝṟ"},
    {"s", "śŝşšșṡṣṥṧṩ"},
    {"ss", "ß"},
    {"t", "ţťŧțṫṭṯṱẗ"},
    {"th", "þ"},
    {"u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"},
    {"v", "ṽṿ"},
    {"w", "ŵẁẃẅẇẉẘ"},
    {"x", "ẋẍ"},
    {"y", "ýÿŷȳẏẙỳỵỷỹ"},
    {"z", "źżžẑẓẕ"},
    {"ʒ", "ǯ"},
    {"α", "άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ"},
    {"ε", "έἐἑἒἓἔἕὲέ"},
    {"η", "ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ"},
    {"ι", "ΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ"},
    {"ο", "όὀὁὂὃὄὅὸό"},
    {"ρ", "ῤῥ"},
    {"υ", "ΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ"},
    {"ω", "ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ"},
    {"а", "ӑӓ"},
    {"г", "ѓ"},
    {"е", "ѐёӗ"},
    {"ж", "ӂӝ"},
    {"з", "ӟ"},
    {"и", "йѝӣӥ"},
    {"к", "ќ"},
    {"о", "ӧ"},
    {"у", "ўӯӱӳ"},
    {"ч", "ӵ"},
    {"ы", "ӹ"},
    {"э", "ӭ"},
    {"і", "ї"},
    {"ѵ", "ѷ"},
    {"ә", "ӛ"},
    {"ө", "ӫ"},
    {"ا", "آأإ"},
    {"و", "ؤ"},
    {"ي", "ئ"},
    {"ہ", "ۂ"},
    {"ے", "ۓ"},
    {"ە", "ۀ"}};

// Marks that combine with a letter, the points of Hebrew and Arabic, and an apostrophe that is a letter.
constexpr std::pair<char32_t, char32_t> marks[] = {
    {0x2BC, 0x2BC}, {0x300, 0x36F}, {0x591, 0x5C7}, {0x64B, 0x65F}, {0x670, 0x670}};

// Characters of Chinese, Japanese and Korean that are a word or a part of one.
constexpr std::pair<char32_t, char32_t> paired_characters[] = {
    {0x3005, 0x3007}, {0x3041, 0x3096}, {0x309D, 0x309F},  {0x30A1, 0x30FA}, {0x30FC, 0x30FF},
    {0x3105, 0x312F}, {0x31F0, 0x31FF}, {0x3400, 0x4DBF},  {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF}, {0xFF66, 0xFF9F}, {0x20000, 0x3FFFF}};
constexpr std::string_view filler = "\u3164", joiner = "\u2060";

// Elements within a line: a run of characters goes on through their tags.
constexpr std::array within_line = {"a"sv,      "abbr"sv, "b"sv,    "cite"sv, "code"sv, "data"sv,
                                    "del"sv,    "dfn"sv,  "em"sv,   "i"sv,    "kbd"sv,  "mark"sv,
                                    "small"sv,  "span"sv, "sub"sv,  "sup"sv,  "time"sv, "wbr"sv,
                                    "strong"sv, "bdi"sv,  "ruby"sv, "rb"sv};

bool is_among(const auto& ranges, char32_t c) {
  return std::ranges::any_of(
      ranges, [&](const auto& range) { return c >= range.first && c <= range.second; });
}

// The bytes of the character at a place; a stray byte is one.
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

// The character that a reader sees next; empty at the end of a block.
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
  bool touches = false;  // something other than a space, or than such a character, stands before
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

// "C#", "F#", "C++", "C++17"; not "#pragma" nor "page#part".
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

// Pagefind takes curly quotation marks for letters, so that a quoted word would be another word.
// "v4’s" it cuts into "v" and "4’s", and finds neither.
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
  // A plain one parts "l’eau" into two words, as most languages mean it. English does not: "it’s".
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
