#include "generator/core/base/language_rules.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace primer {
namespace {

using namespace std::string_view_literals;

constexpr auto npos = std::string_view::npos;

// The first entry is the default.
constexpr LanguageRules rules[] = {
    {"en", "“", "”", "‘", "’"},
    {"ar", "”", "“", "’", "‘"},
    {"be", "«", "»", "„", "“"},
    {"bg", "„", "“", "„", "“"},
    {"ca", "«", "»", "“", "”"},
    {"cs", "„", "“", "‚", "‘"},
    {"de", "„", "“", "‚", "‘"},
    {"el", "«", "»", "“", "”"},
    {"es", "«", "»", "“", "”", Punctuation::plain, true},
    {"et", "„", "“", "‚", "‘"},
    {"eu", "«", "»", "“", "”"},
    {"fa", "«", "»", "‹", "›"},
    {"fi", "”", "”", "’", "’"},
    // Spaces as in the Lexique des règles typographiques en usage à l'Imprimerie nationale.
    {"fr", "«\u00A0", "\u00A0»", "«\u00A0", "\u00A0»", Punctuation::french},
    {"fr-ch", "«\u00A0", "\u00A0»", "‹\u00A0", "\u00A0›", Punctuation::french},
    {"he", "”", "”", "’", "’"},
    {"hr", "„", "“", "‚", "‘"},
    {"hu", "„", "”", "»", "«"},
    {"hy", "«", "»", "«", "»"},
    {"is", "„", "“", "‚", "‘"},
    {"it", "«", "»", "“", "”"},
    {"ja", "「", "」", "『", "』"},
    {"ka", "„", "“", "«", "»"},
    {"kk", "«", "»", "“", "”"},
    {"lb", "„", "“", "‚", "‘"},
    {"lt", "„", "“", "„", "“"},
    {"mk", "„", "“", "‚", "‘"},
    {"nb", "«", "»", "‘", "’"},
    {"nl", "‘", "’", "‘", "’"},
    {"nn", "«", "»", "‘", "’"},
    {"no", "«", "»", "‘", "’"},
    {"pl", "„", "”", "«", "»"},
    {"pt-pt", "«", "»", "“", "”"},
    {"ro", "„", "”", "«", "»"},
    {"ru", "«", "»", "„", "“"},
    {"sk", "„", "“", "‚", "‘"},
    {"sl", "„", "“", "‚", "‘"},
    {"sq", "«", "»", "“", "”"},
    {"sr", "„", "“", "‘", "‘"},
    {"sv", "”", "”", "’", "’"},
    {"uk", "«", "»", "„", "“"},
    {"ur", "”", "“", "’", "‘"},
    {"yi", "”", "”", "’", "’"},
    {"zh-hant", "「", "」", "『", "』"},
    {"zh-hk", "「", "」", "『", "』"},
    {"zh-mo", "「", "」", "『", "』"},
    {"zh-tw", "「", "」", "『", "』"}};

// Languages whose usual script runs from right to left, and right-to-left scripts.
constexpr std::array right_to_left_languages = {
    "ar"sv,  "arc"sv, "azb"sv, "bal"sv, "bgn"sv, "ckb"sv, "dv"sv,  "fa"sv,  "glk"sv,
    "he"sv,  "iw"sv,  "ji"sv,  "khw"sv, "ks"sv,  "lrc"sv, "mzn"sv, "nqo"sv, "pnb"sv,
    "prs"sv, "ps"sv,  "sd"sv,  "sdh"sv, "skr"sv, "syr"sv, "ug"sv,  "ur"sv,  "yi"sv};
constexpr std::array right_to_left_scripts = {"adlm"sv, "arab"sv, "aran"sv, "hebr"sv, "mand"sv,
                                              "nkoo"sv, "rohg"sv, "samr"sv, "syrc"sv, "thaa"sv};
constexpr std::array unspaced_languages = {"ja"sv, "km"sv, "lo"sv, "my"sv, "th"sv, "zh"sv};

// Elements that run from left to right in every language.
constexpr std::array left_to_right_elements = {"code"sv, "kbd"sv,  "math"sv,
                                               "pre"sv,  "samp"sv, "svg"sv};
constexpr std::array void_elements = {"br"sv,   "col"sv,  "hr"sv,     "img"sv, "input"sv,
                                      "link"sv, "meta"sv, "source"sv, "wbr"sv};

bool is_listed(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

std::string_view first_subtag(std::string_view tag) { return tag.substr(0, tag.find('-')); }

std::optional<std::string_view> value_of(std::string_view tag, std::string_view name) {
  const auto at = tag.find(name);
  if (at == npos) return std::nullopt;
  const auto from = at + name.size();
  return tag.substr(from, tag.find('"', from) - from);
}

constexpr std::string_view lang = " lang=\"";

bool names_right_to_left(std::string_view html) {
  for (auto at = html.find(lang); at != npos; at = html.find(lang, at + 1)) {
    if (is_right_to_left(value_of(html.substr(at), lang).value_or(""))) return true;
  }
  return false;
}

struct OpenElement {
  std::string_view name;
  bool right_to_left;
};

// Returns the tag with a `dir` attribute if the element's direction differs from `around`. Sets
// `around` to the element's direction.
std::string with_direction(std::string_view tag, std::string_view name, bool& around) {
  const bool before = around;
  const auto language = value_of(tag, lang);
  if (language) around = is_right_to_left(*language);
  const auto own = value_of(tag, " dir=\"");
  if (own) around = *own == "rtl";
  // A figure names its language but is still drawn from left to right.
  const bool stays = is_listed(left_to_right_elements, name) && (before || around);
  if (stays) around = false;
  if (own || (around == before && !stays)) return std::string(tag);
  const auto end = tag.size() - (tag.ends_with("/>") ? 2 : 1);
  const auto at = language ? tag.find('"', tag.find(lang) + lang.size()) + 1 : end;
  const std::string_view direction = around          ? " dir=\"rtl\""
                                     : name == "svg" ? " direction=\"ltr\""  // SVG has no dir
                                                     : " dir=\"ltr\"";
  return std::string(tag.substr(0, at)).append(direction).append(tag.substr(at));
}

}  // namespace

const LanguageRules& rules_of_language(std::string_view language) {
  for (;;) {
    const auto* found = std::ranges::find(rules, language, &LanguageRules::language);
    if (found != std::end(rules)) return *found;
    const auto hyphen = language.rfind('-');
    if (hyphen == npos) return rules[0];
    language = language.substr(0, hyphen);
  }
}

bool is_right_to_left(std::string_view language) {
  const std::string_view first = first_subtag(language);
  if (first.size() < language.size()) {
    const std::string_view script = first_subtag(language.substr(first.size() + 1));
    if (script.size() == 4) return is_listed(right_to_left_scripts, script);
  }
  return is_listed(right_to_left_languages, first);
}

bool is_unspaced(std::string_view language) {
  return is_listed(unspaced_languages, first_subtag(language));
}

std::string with_directions(std::string html) {
  if (!names_right_to_left(html)) return html;
  const std::string_view all = html;
  std::string out;
  std::vector<OpenElement> open;
  std::size_t from = 0;
  for (auto at = all.find('<'); at != npos; at = all.find('<', from)) {
    const auto end = all.find('>', at);
    if (end == npos) break;
    out += all.substr(from, at - from);
    from = end + 1;
    const std::string_view tag = all.substr(at, from - at);
    const bool closes = tag.starts_with("</");
    const std::string_view inner = tag.substr(closes ? 2 : 1);
    const std::string_view name = inner.substr(0, inner.find_first_of(" \n\t/>"));
    bool right_to_left = !open.empty() && open.back().right_to_left;
    if (closes) {
      const auto same = std::ranges::find(open.rbegin(), open.rend(), name, &OpenElement::name);
      if (same != open.rend()) open.erase(std::prev(same.base()), open.end());
      out += tag;
    } else if (name.empty() || name[0] == '!' || name[0] == '?') {
      out += tag;
    } else {
      out += with_direction(tag, name, right_to_left);
      if (!tag.ends_with("/>") && !is_listed(void_elements, name))
        open.push_back({name, right_to_left});
      if (name == "script" || name == "style") {
        const auto closing = std::min(all.find("</" + std::string(name), from), all.size());
        out += all.substr(from, closing - from);
        from = closing;
      }
    }
  }
  return out.append(all.substr(from));
}

}  // namespace primer
