#include "generator/code/word_scanner.hpp"

#include <algorithm>
#include <unordered_map>

#include "figures/base/ascii.hpp"
#include "generator/base/text.hpp"
#include "generator/formats/text_pattern.hpp"

namespace primer {
namespace {

using Signs = std::vector<std::string>;

// States of patterns at bytes of a piece of code (TextPattern::length_at): half a second.
constexpr std::size_t most_effort = 30'000'000;

constexpr std::pair<std::string_view, Paint> kinds[] = {
    {"attribute", Paint::preprocessor}, {"comment", Paint::comment}, {"function", Paint::function},
    {"keyword", Paint::keyword},        {"number", Paint::number},   {"operator", Paint::op},
    {"string", Paint::string},          {"type", Paint::type},       {"variable", Paint::variable}};

Paint paint_of_kind(std::string_view kind) {
  const auto found = std::ranges::find(kinds, kind, [](const auto& each) { return each.first; });
  return found == std::end(kinds) ? Paint::none : found->second;
}

constexpr std::string_view operator_signs = "+-*/%=<>!&|^~?";

std::string in_small_letters(std::string_view text) {
  std::string all(text);
  for (char& c : all) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return all;
}

// The longest of the signs that the text begins with; null: none.
const std::string* sign_at(const Signs& signs, std::string_view text) {
  const std::string* found = nullptr;
  for (const auto& sign : signs)
    if (text.starts_with(sign) && (!found || sign.size() > found->size())) found = &sign;
  return found;
}

class WordScanner {
 public:
  WordScanner(const WordLanguage& language, std::string_view code)
      : language_(language), code_(code), painting_(code.size(), Paint::none) {
    for (const auto& [words, with] :
         {std::pair(&language.types, Paint::type), std::pair(&language.constants, Paint::number),
          std::pair(&language.keywords, Paint::keyword)}) {
      for (const auto& word : *words)
        words_[language.any_case ? in_small_letters(word) : word] = with;
    }
    for (const auto& [kind, pattern] : language.patterns) {
      if (auto parsed = TextPattern::parse(pattern))
        patterns_.emplace_back(paint_of_kind(kind), std::move(parsed).value());
    }
  }

  figures::Result<Painting> scan() {
    while (at_ < code_.size()) {
      if (effort_ == 0)
        return figures::Error("the patterns of " + in_quotes(language_.name) +
                              " take too long on this code, so it has no colours");
      if (!pattern() && !comment() && !text() && !number() && !word()) {
        const bool sign = operator_signs.find(code_[at_]) != operator_signs.npos;
        paint(1, sign ? Paint::op : Paint::none);
      }
    }
    return std::move(painting_);
  }

 private:
  std::string_view rest() const { return code_.substr(at_); }

  void paint(std::size_t length, Paint with) {
    std::fill_n(painting_.begin() + static_cast<std::ptrdiff_t>(at_), length, with);
    at_ += length;
  }

  // Up to `end`, which belongs to it if it is not a line's; what is never closed goes on to the end.
  std::size_t length_to(std::string_view end, std::size_t from) const {
    const auto found = rest().find(end, from);
    return found == std::string_view::npos ? rest().size() : found + (end == "\n" ? 0 : end.size());
  }

  // The longest match, of equal ones the first: within its line, and not up to the middle of a word.
  bool pattern() {
    if (patterns_.empty()) return false;
    const auto before = at_ == 0 ? std::string_view::npos : code_.rfind('\n', at_ - 1);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view line = code_.substr(start, code_.find('\n', at_) - start);
    const auto may_end = [&](std::size_t end) {
      return end == line.size() || !is_word(line[end - 1]) || !is_word(line[end]);
    };
    std::size_t longest = 0;
    Paint with = Paint::none;
    for (const auto& [paint, one] : patterns_) {
      const std::size_t length = one.length_at(line, at_ - start, may_end, effort_);
      if (length > longest) longest = length, with = paint;
    }
    if (longest == 0) return false;
    paint(longest, with);
    return true;
  }

  bool comment() {
    for (const auto& [open, close] : language_.block_comments) {
      if (!rest().starts_with(open)) continue;
      paint(length_to(close, open.size()), Paint::comment);
      return true;
    }
    if (!sign_at(language_.comments, rest())) return false;
    paint(length_to("\n", 0), Paint::comment);
    return true;
  }

  // One between signs of one character ends with its line; a backslash keeps what follows it.
  bool text() {
    const std::string* mark = sign_at(language_.strings, rest());
    if (!mark) return false;
    std::size_t end = mark->size();
    while (end < rest().size() && !rest().substr(end).starts_with(*mark)) {
      if (mark->size() == 1 && rest()[end] == '\n') break;
      end += rest()[end] == '\\' ? 2 : 1;
    }
    const bool closed = end < rest().size() && rest()[end] != '\n';
    paint(std::min(end + (closed ? mark->size() : 0), rest().size()), Paint::string);
    return true;
  }

  bool is_word(char c) const {
    return figures::is_digit(c) || figures::is_letter(c) || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80 ||
           language_.word_characters.find(c) != std::string::npos;
  }

  std::size_t word_length(std::string_view text) const {
    return static_cast<std::size_t>(
        std::ranges::find_if_not(text, [&](char c) { return is_word(c); }) - text.begin());
  }

  // "0x1F", "1.5e-3", "2u".
  bool number() {
    if (!figures::is_digit(rest().front())) return false;
    std::size_t end = 1;
    while (end < rest().size()) {
      const char c = rest()[end], before = rest()[end - 1];
      const bool sign = (c == '+' || c == '-') && (before == 'e' || before == 'E') && end > 1 &&
                        !rest().starts_with("0x");
      const bool point = c == '.' && end + 1 < rest().size() && figures::is_digit(rest()[end + 1]);
      if (!figures::is_digit(c) && !figures::is_letter(c) && c != '_' && !point && !sign) break;
      ++end;
    }
    paint(end, Paint::number);
    return true;
  }

  bool word() {
    for (const auto& [signs, with] : {std::pair(&language_.attributes, Paint::preprocessor),
                                      std::pair(&language_.variables, Paint::variable)}) {
      const std::string* sign = sign_at(*signs, rest());
      if (!sign) continue;
      paint(sign->size() + word_length(rest().substr(sign->size())), with);
      return true;
    }
    if (!is_word(rest().front())) return false;
    const std::string_view all = rest().substr(0, word_length(rest()));
    const auto known = words_.find(language_.any_case ? in_small_letters(all) : std::string(all));
    const bool called = rest().substr(all.size()).starts_with('(');
    paint(all.size(), known != words_.end() ? known->second
                      : called              ? Paint::function
                                            : Paint::none);
    return true;
  }

  const WordLanguage& language_;
  std::string_view code_;
  Painting painting_;
  std::unordered_map<std::string, Paint> words_;
  std::vector<std::pair<Paint, TextPattern>> patterns_;
  std::size_t effort_ = most_effort;
  std::size_t at_ = 0;
};

}  // namespace

figures::Result<Painting> paint_words(const WordLanguage& language, std::string_view code) {
  return WordScanner(language, code).scan();
}

}  // namespace primer
