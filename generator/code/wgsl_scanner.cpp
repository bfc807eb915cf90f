#include "generator/code/wgsl_scanner.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "figures/base/ascii.hpp"

namespace primer {
namespace {

using figures::is_digit;

constexpr std::array<std::string_view, 29> keywords{
    "alias",      "break",    "case",       "const",   "const_assert", "continue",
    "continuing", "default",  "diagnostic", "discard", "else",         "enable",
    "false",      "fn",       "for",        "if",      "let",          "loop",
    "override",   "requires", "return",     "struct",  "switch",       "true",
    "var",        "while",    "bitcast",    "read",    "read_write"};

constexpr std::array<std::string_view, 20> types{
    "bool",    "f16",     "f32",     "i32",      "u32",     "vec2",     "vec3",
    "vec4",    "array",   "atomic",  "mat2x2",   "mat3x3",  "mat4x4",   "ptr",
    "sampler", "storage", "uniform", "function", "private", "workgroup"};

constexpr std::string_view operators = "+-*/%=<>!&|^~";

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_word(char c) { return is_digit(c) || figures::is_letter(c) || c == '_'; }

class Scanner {
 public:
  explicit Scanner(std::string_view code) : code_(code), painting_(code.size(), Paint::none) {}

  Painting scan() {
    while (at_ < code_.size()) {
      const std::string_view rest = code_.substr(at_);
      if (rest.starts_with("//")) {
        paint(std::min(rest.find('\n'), rest.size()), Paint::comment);
      } else if (rest.starts_with("/*")) {
        paint(block_comment(rest), Paint::comment);
      } else if (rest.front() == '@') {
        paint(1 + word_length(rest.substr(1)), Paint::preprocessor);
      } else if (is_digit(rest.front())) {
        paint(number_length(rest), Paint::number);
      } else if (is_word(rest.front())) {
        word(rest);
      } else {
        paint(1, operators.find(rest.front()) == operators.npos ? Paint::none : Paint::op);
      }
    }
    return std::move(painting_);
  }

 private:
  void paint(std::size_t length, Paint with) {
    std::fill_n(painting_.begin() + static_cast<std::ptrdiff_t>(at_), length, with);
    at_ += length;
  }

  static std::size_t word_length(std::string_view text) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) -
                                    text.begin());
  }

  // "0x1F", "1.5e-3f", "2u": letters and digits, points, and a sign after the e of a decimal exponent.
  static std::size_t number_length(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    std::size_t end = 1;
    while (end < text.size()) {
      const char before = text[end - 1];
      const bool exponent = !hexadecimal && (before == 'e' || before == 'E');
      const bool sign = exponent && (text[end] == '+' || text[end] == '-');
      if (!is_word(text[end]) && text[end] != '.' && !sign) break;
      ++end;
    }
    return end;
  }

  // Block comments nest in WGSL; one that is never closed goes on to the end.
  static std::size_t block_comment(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
      const std::string_view pair = text.substr(i, 2);
      if (pair != "/*" && pair != "*/") continue;
      depth += pair == "/*" ? 1 : -1;
      ++i;
      if (depth == 0) return i + 1;
    }
    return text.size();
  }

  void word(std::string_view rest) {
    const std::string_view word = rest.substr(0, word_length(rest));
    const std::string_view behind = rest.substr(word.size());
    Paint with = Paint::none;
    if (contains(keywords, word)) {
      with = Paint::keyword;
    } else if (contains(types, word)) {
      with = Paint::type;
    } else if (behind.starts_with('(')) {
      with = Paint::function;
    }
    paint(word.size(), with);
  }

  std::string_view code_;
  Painting painting_;
  std::size_t at_ = 0;
};

}  // namespace

Painting paint_wgsl(std::string_view code) { return Scanner(code).scan(); }

}  // namespace primer
