#include "generator/core/typeset/typography.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "figures/quantities/quantity.hpp"
#include "generator/core/base/language_rules.hpp"

namespace primer {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view narrow_space = "\u202F", no_break_space = "\u00A0";

constexpr std::array opening_marks = {"“"sv,  "‘"sv,  "«"sv, "„"sv, "‚"sv, "‹"sv,
                                      "「"sv, "『"sv, "¿"sv, "¡"sv, "—"sv, "–"sv};
// Characters that may follow a unit directly.
constexpr std::array closing_marks = {"”"sv,  "’"sv, "»"sv, "“"sv,  "‘"sv,  "›"sv,      "」"sv,
                                      "』"sv, "—"sv, "–"sv, "。"sv, "，"sv, "\u00A0"sv, "\u202F"sv};
// Isolates a number with its unit in right-to-left text, which would otherwise show "5 GB" as "GB
// 5".
constexpr std::string_view isolate = "\u2066", isolate_end = "\u2069";

constexpr std::array verbatim = {"code"sv, "pre"sv,    "kbd"sv,   "svg"sv,
                                 "math"sv, "script"sv, "style"sv, "textarea"sv};
// Inline elements: text continues across their tags.
constexpr std::array within_line = {"a"sv,   "b"sv,   "data"sv,  "del"sv,  "dfn"sv,
                                    "em"sv,  "i"sv,   "small"sv, "span"sv, "strong"sv,
                                    "sub"sv, "sup"sv, "time"sv};

bool is_one_of(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// Whether a character with this first byte is a letter. \xC2 and \xE2 begin punctuation such as «
// and ’.
bool begins_letter(char c) {
  return is_letter(c) || (static_cast<unsigned char>(c) >= 0x80 && c != '\xC2' && c != '\xE2');
}
bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }

// Whether the word is the symbol of a unit: "GB/s", "ms", "%". Not a noun such as "rows", "tok" or
// "billion", and not "×", which stands between numbers.
bool is_unit_sign(std::string_view word) {
  const auto marks = [](char c) {
    return c == '/' || c == '%' || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
  };
  // Most words after a number are nouns. Recognizing them here is cheaper than parsing a unit.
  const bool is_word = word.size() > 2 && std::ranges::none_of(word, marks);
  // A capital followed by lower-case letters is a name ("Part"), except for "Gbit" and "Gop".
  const bool is_name = word.size() > 2 && word[0] >= 'A' && word[0] <= 'Z' &&
                       std::ranges::none_of(word.substr(1), marks) && !word.ends_with("bit") &&
                       !word.ends_with("op");
  if (word.empty() || is_word || is_name || word.starts_with("×") || !figures::parse_unit(word))
    return false;
  // A noun that is counted has no capitals, but "kFLOP" has.
  const auto is_small = [](unsigned char c) { return std::islower(c) || c >= 0x80; };
  return figures::counted_noun(word).empty() || !std::ranges::all_of(word, is_small);
}

// The first word of the text, without punctuation after it.
std::string_view leading_word(std::string_view text) {
  constexpr std::string_view ends = " \n\t<,;:!?)]\"'&|\x02";
  std::string_view word = text.substr(0, text.find_first_of(ends));
  for (const std::string_view tail : closing_marks) {
    if (const auto at = word.find(tail); at != word.npos) word = word.substr(0, at);
  }
  while (word.ends_with('.')) word.remove_suffix(1);
  return word;
}

struct HtmlTag {
  std::string_view whole, name, language;
  // is_apart: a tooltip, which is separate from the text around it.
  bool closes = false, is_empty = false, is_apart = false;
};

std::string_view value_of(std::string_view tag, std::string_view name) {
  const auto at = tag.find(name);
  if (at == tag.npos) return {};
  const auto from = at + name.size();
  return tag.substr(from, tag.find('"', from) - from);
}

HtmlTag html_tag(std::string_view html) {
  HtmlTag tag;
  tag.whole = html.substr(0, html.find('>') + 1);
  tag.closes = tag.whole.starts_with("</");
  tag.is_empty = tag.whole.ends_with("/>");
  const std::string_view inner = tag.whole.substr(tag.closes ? 2 : 1);
  tag.name = inner.substr(0, inner.find_first_of(" />"));
  tag.language = value_of(tag.whole, " lang=\"");
  tag.is_apart = value_of(tag.whole, " class=\"") == "tip";
  return tag;
}

class Setter {
 public:
  Setter(std::string_view html, std::string_view language) : rest_(html) {
    languages_.push_back({0, language, &rules_of_language(language)});
    out_.reserve(html.size() + html.size() / 50);
  }

  std::string run() {
    while (!rest_.empty()) step();
    return std::move(out_);
  }

 private:
  struct Scope {
    std::size_t depth;
    std::string_view language;
    const LanguageRules* rules;
  };

  std::string_view language() const { return languages_.back().language; }
  const LanguageRules& rules() const { return *languages_.back().rules; }

  void step() {
    const char c = rest_.front();
    if (c == '<') return markup();
    if (c == '\x02') return copy(rest_.find('\x03') + 1, 'x');
    if (!verbatim_.empty()) return copy(rest_.find_first_of("<\x02"), 'x');
    if (is_letter(c)) return letters();
    if (rest_.starts_with("&quot;")) return quote(6, true);
    if (c == '"') return quote(1, true);
    if (c == '\'') return quote(1, false);
    if (c == '&') return copy(rest_.find(';') + 1, 'x');
    if (is_digit(last_) && is_between_groups()) return between_groups();
    if (is_space(c)) return space(1);
    if (rest_.starts_with(no_break_space)) return space(no_break_space.size());
    for (const std::string_view opening : opening_marks) {
      if (rest_.starts_with(opening)) return copy(opening.size(), '(');
    }
    copy(1, c);
  }

  void copy(std::size_t size, char last) {
    size = std::min(std::max<std::size_t>(size, 1), rest_.size());
    out_ += rest_.substr(0, size);
    rest_.remove_prefix(size);
    last_ = last;
  }

  // Copies a whole word, which most of a text consists of.
  void letters() {
    const auto end = std::ranges::find_if_not(rest_, is_letter);
    const auto size = static_cast<std::size_t>(end - rest_.begin());
    copy(size, rest_[size - 1]);
  }

  void put(std::string_view instead, std::size_t size, char last) {
    out_ += instead;
    rest_.remove_prefix(size);
    last_ = last;
  }

  void markup() {
    const HtmlTag tag = html_tag(rest_);
    copy(tag.whole.size(), last_);
    if (tag.closes) {
      --depth_;
      if (languages_.size() > 1 && languages_.back().depth > depth_) languages_.pop_back();
      if (verbatim_ == tag.name && verbatim_depth_ > depth_) verbatim_ = {};
    } else if (!tag.is_empty) {
      ++depth_;
      if (!tag.language.empty())
        languages_.push_back({depth_, tag.language, &rules_of_language(tag.language)});
      if (verbatim_.empty() && is_one_of(verbatim, tag.name)) {
        verbatim_ = tag.name;
        verbatim_depth_ = depth_;
      }
    }
    const bool is_block = !is_one_of(within_line, tag.name);
    if (is_one_of(verbatim, tag.name)) last_ = 'x';
    else if (tag.is_apart || is_block) last_ = ' ';
    if (is_block && !is_one_of(verbatim, tag.name)) is_quoted_ = is_inner_quoted_ = false;
  }

  void quote(std::size_t size, bool is_double) {
    const char next = rest_.size() > size ? rest_[size] : ' ';
    const bool after_opening = is_space(last_) || std::string_view("([{/-").find(last_) != npos;
    bool opens = after_opening && !is_space(next);
    // Without spaces around them, marks open and close alternately.
    if (is_unspaced(language()) && !is_letter(last_) && !is_digit(last_))
      opens = !(is_double ? is_quoted_ : is_inner_quoted_);
    if (is_double && is_within_hebrew(size)) return put("״", size, 'x');
    if (is_double) {
      is_quoted_ = opens;
      return put(opens ? rules().open : rules().close, size, opens ? '(' : 'x');
    }
    const bool is_year = is_digit(next);  // as in '90s
    if (opens && !is_year) {
      is_inner_quoted_ = true;
      return put(rules().inner_open, size, '(');
    }
    const bool closes = is_inner_quoted_ && (is_unspaced(language()) || !begins_letter(next));
    if (closes) is_inner_quoted_ = false;
    else if (is_after_hebrew()) return put("׳", size, 'x');
    put(closes ? rules().inner_close : "’", size, 'x');
  }

  // Hebrew writes abbreviations (צה״ל) and foreign sounds (ג׳) with signs that are typed as
  // quotation marks.
  static constexpr char hebrew = '\xD7';
  bool is_after_hebrew() const { return out_.size() > 1 && out_[out_.size() - 2] == hebrew; }
  bool is_within_hebrew(std::size_t size) const {
    return is_after_hebrew() && rest_.size() > size && rest_[size] == hebrew;
  }

  void space(std::size_t size) {
    const std::string_view behind = rest_.substr(size);
    const std::string_view word = is_digit(last_) ? leading_word(behind) : ""sv;
    if (is_unit_sign(word)) return space_before_unit(size, word);
    if (const auto instead = space_of_punctuation(behind); !instead.empty())
      return put(instead, size, ' ');
    copy(size, ' ');
  }

  void space_before_unit(std::size_t size, std::string_view word) {
    const std::size_t number = number_before();
    if (!is_right_to_left(language()) || number == out_.size()) return put(narrow_space, size, ' ');
    out_.insert(number, isolate);
    put(narrow_space, size, ' ');
    copy(word.size(), 'x');
    out_ += isolate_end;
  }

  // Start of the number at the end of `out_`, or its size if a tag is in between.
  std::size_t number_before() const {
    constexpr std::string_view parts = "0123456789.,", minus = "−";
    const auto before = out_.find_last_not_of(parts);
    const std::size_t begin = before == npos ? 0 : before + 1;
    const bool is_negative =
        begin < out_.size() && std::string_view(out_).substr(0, begin).ends_with(minus);
    return is_negative ? begin - minus.size() : begin;
  }

  // The no-break space before French punctuation, or "" if none belongs here.
  std::string_view space_of_punctuation(std::string_view behind) const {
    if (rules().punctuation != Punctuation::french || behind.empty()) return {};
    if (std::string_view(";!?").find(behind[0]) != npos) return narrow_space;
    const bool within = out_.ends_with("«") || out_.ends_with("‹") || behind.starts_with("»") ||
                        behind.starts_with("›");
    return within || behind[0] == ':' ? no_break_space : ""sv;
  }

  std::size_t digits_before() const {
    std::size_t count = 0;
    while (count < out_.size() && is_digit(out_[out_.size() - 1 - count])) ++count;
    return count;
  }

  // Whether a comma or space separates groups of digits ("65|,|536", "16 777| |216") and the
  // language sets groups apart with spaces.
  bool is_between_groups() const {
    if (!rules().spaces_thousands) return false;
    if (rest_.front() != ',' && rest_.front() != ' ') return false;
    const auto is_group = [&](std::size_t at) { return at < rest_.size() && is_digit(rest_[at]); };
    const std::size_t before = digits_before();
    if (before == 0 || before > 3 || !is_group(1) || !is_group(2) || !is_group(3)) return false;
    const char earlier = before < out_.size() ? out_[out_.size() - 1 - before] : ' ';
    return !is_group(4) && earlier != '.';
  }

  // A number of four digits is not split: "4,096" becomes "4096".
  void between_groups() {
    const std::string_view behind = rest_.substr(4);
    const bool is_whole =
        !std::string_view(out_).substr(0, out_.size() - 1).ends_with(narrow_space);
    const bool goes_on = behind.starts_with(',') && behind.size() > 1 && is_digit(behind[1]);
    const bool is_short = rest_.front() == ',' && digits_before() == 1 && is_whole && !goes_on;
    put(is_short ? ""sv : narrow_space, 1, ' ');
  }

  static constexpr auto npos = std::string_view::npos;
  std::string_view rest_;
  std::string out_;
  char last_ = ' ';  // kind of the last character: '(' after an opening mark, 'x' after a word
  std::size_t depth_ = 0, verbatim_depth_ = 0;
  std::string_view verbatim_;  // element whose text is copied unchanged; empty: none
  bool is_quoted_ = false, is_inner_quoted_ = false;  // a mark of this block is open
  std::vector<Scope> languages_;
};

}  // namespace

std::string set_html(std::string_view html, std::string_view language) {
  return Setter(html, language).run();
}

std::string set_text(std::string_view text, std::string_view language) {
  std::string out;
  bool is_code = false;
  for (;;) {
    const auto tick = text.find('`');
    const std::string_view part = text.substr(0, tick);
    if (is_code) out += part;
    else if (part.find_first_of("<&") == part.npos) out += set_html(part, language);
    else out += part;
    if (tick == text.npos) return out;
    out += '`';
    text.remove_prefix(tick + 1);
    is_code = !is_code;
  }
}

}  // namespace primer
