#include "generator/typeset/typography.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "figures/quantities/quantity.hpp"

namespace primer {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view narrow_space = "\u202F", no_break_space = "\u00A0";

struct Manners {
  std::string_view language, open,
      close;              // double quotation marks; single ones are ‘ and ’ in each
  bool spaces_thousands;  // 65 536, and 2048 in one piece; others write commas
};
// The first is for all other languages.
constexpr Manners manners[] = {{"en", "“", "”", false}, {"es", "«", "»", true}};

const Manners& manners_of(std::string_view language) {
  const auto* found = std::ranges::find(manners, language, &Manners::language);
  return found == std::end(manners) ? manners[0] : *found;
}

constexpr std::array verbatim = {"code"sv, "pre"sv,    "kbd"sv,   "svg"sv,
                                 "math"sv, "script"sv, "style"sv, "textarea"sv};
// Elements inside a line: the text goes on through their tags.
constexpr std::array within_line = {"a"sv,   "b"sv,   "data"sv,  "del"sv,  "dfn"sv,
                                    "em"sv,  "i"sv,   "small"sv, "span"sv, "strong"sv,
                                    "sub"sv, "sup"sv, "time"sv};

bool is_one_of(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }

// "GB/s", "ms", "%": a sign for a unit. "rows", "tok" and "billion" are words, "×" is a sign between numbers.
bool is_unit_sign(std::string_view word) {
  const auto marks = [](char c) {
    return c == '/' || c == '%' || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
  };
  // Most of what follows a number is a word, which costs less to see than to look for among the units.
  const bool is_word = word.size() > 2 && std::ranges::none_of(word, marks);
  // So is "Part": with one capital, in front, only "Gbit" and "Gop" are none.
  const bool is_name = word.size() > 2 && word[0] >= 'A' && word[0] <= 'Z' &&
                       std::ranges::none_of(word.substr(1), marks) && !word.ends_with("bit") &&
                       !word.ends_with("op");
  if (word.empty() || is_word || is_name || word.starts_with("×") || !figures::parse_unit(word))
    return false;
  return figures::counted_noun(word).empty() || !std::islower(static_cast<unsigned char>(word[0]));
}

// The unit's sign that the text begins with, if nothing of its word follows it.
std::string_view leading_word(std::string_view text) {
  constexpr std::string_view ends = " \n\t<,;:!?)]\"'&|\x02";
  std::string_view word = text.substr(0, text.find_first_of(ends));
  for (const std::string_view tail : {"”"sv, "’"sv, "»"sv, "—"sv, "–"sv, " "sv}) {
    if (const auto at = word.find(tail); at != word.npos) word = word.substr(0, at);
  }
  while (word.ends_with('.')) word.remove_suffix(1);
  return word;
}

struct HtmlTag {
  std::string_view whole, name, language;
  bool closes = false, is_empty = false,
       is_apart = false;  // apart: a tip, whose text stands by itself
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
    languages_.push_back({0, language});
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
  };

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
    for (const std::string_view opening : {"“"sv, "‘"sv, "«"sv, "¿"sv, "¡"sv, "—"sv, "–"sv}) {
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

  // Most of a text: a word at once.
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
      if (!tag.language.empty()) languages_.push_back({depth_, tag.language});
      if (verbatim_.empty() && is_one_of(verbatim, tag.name)) {
        verbatim_ = tag.name;
        verbatim_depth_ = depth_;
      }
    }
    if (is_one_of(verbatim, tag.name)) last_ = 'x';
    else if (tag.is_apart || !is_one_of(within_line, tag.name)) last_ = ' ';
  }

  void quote(std::size_t size, bool is_double) {
    const char next = rest_.size() > size ? rest_[size] : ' ';
    const bool after_opening = is_space(last_) || std::string_view("([{/-").find(last_) != npos;
    const bool opens = after_opening && !is_space(next);
    const Manners& marks = manners_of(languages_.back().language);
    if (is_double) return put(opens ? marks.open : marks.close, size, opens ? '(' : 'x');
    const bool is_year = std::isdigit(static_cast<unsigned char>(next)) != 0;  // '90s
    put(opens && !is_year ? "‘" : "’", size, opens ? '(' : 'x');
  }

  void space(std::size_t size) {
    const bool after_number = std::isdigit(static_cast<unsigned char>(last_)) != 0;
    if (after_number && is_unit_sign(leading_word(rest_.substr(size))))
      return put(narrow_space, size, ' ');
    copy(size, ' ');
  }

  std::size_t digits_before() const {
    std::size_t count = 0;
    while (count < out_.size() && is_digit(out_[out_.size() - 1 - count])) ++count;
    return count;
  }

  // "65|,|536", "16 777| |216": a comma or a space where this language sets thousands apart with spaces.
  bool is_between_groups() const {
    if (!manners_of(languages_.back().language).spaces_thousands) return false;
    if (rest_.front() != ',' && rest_.front() != ' ') return false;
    const auto is_group = [&](std::size_t at) { return at < rest_.size() && is_digit(rest_[at]); };
    const std::size_t before = digits_before();
    if (before == 0 || before > 3 || !is_group(1) || !is_group(2) || !is_group(3)) return false;
    const char earlier = before < out_.size() ? out_[out_.size() - 1 - before] : ' ';
    return !is_group(4) && earlier != '.';
  }

  // A number of four digits, whose comma ends its first one, is in one piece.
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
  char last_ =
      ' ';  // what stands before, where only its kind counts: '(' for all that opens, 'x' for a word
  std::size_t depth_ = 0, verbatim_depth_ = 0;
  std::string_view verbatim_;  // the element whose text stays, or empty
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
