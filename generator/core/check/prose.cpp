#include "generator/core/check/prose.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include "figures/base/ascii.hpp"
#include "figures/quantities/quantity.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/index/index.hpp"
#include "generator/core/markdown/anchor_kind.hpp"
#include "generator/core/markdown/quote_marker.hpp"

namespace primer {
namespace {
// Replaces bytes that are not text, so that no word continues across them.
constexpr char hidden = '|';

void hide(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < std::min(to, text.size()); ++i) text[i] = hidden;
}

// End of a span from `open` at `at` to `close`, including `close`. No value if it does not end in
// the line.
std::optional<std::size_t> end_of(std::string_view line, std::size_t at, std::string_view open,
                                  std::string_view close) {
  if (!line.substr(at).starts_with(open)) return std::nullopt;
  const auto end = line.find(close, at + open.size());
  return end == line.npos ? std::nullopt : std::optional(end + close.size());
}

// "](<calc: …>)" comes before "](…)", because expressions contain parentheses.
constexpr std::string_view no_text[][2] = {
    {"<!--", "-->"}, {"](<", ">)"}, {"](", ")"}, {"`", "`"}, {"$", "$"}};

void hide_in_line(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t at = from; at < to; ++at) {
    const std::string_view line = std::string_view(text).substr(0, to);
    for (const auto& [open, close] : no_text) {
      const auto end = end_of(line, at, open, close);
      if (!end) continue;
      hide(text, at, *end);
      at = *end - 1;
      break;
    }
  }
}

// The source with everything that is not text hidden. Offsets stay the same.
std::string only_text(std::string_view source) {
  constexpr std::string_view fence = "```";
  std::string text(source);
  bool inside = false, code = false;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    const std::string_view line = std::string_view(source).substr(from, to - from);
    if (line.starts_with(fence)) {
      inside = !inside;
      code = inside && !own_block(trim(line.substr(fence.size())));
      hide(text, from, to);
    } else if (code) {
      hide(text, from, to);
    } else {
      hide_in_line(text, from, to);
    }
    from = to + 1;
  }
  return text;
}

bool is_blank(char c) { return c == ' ' || c == '\n'; }

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// First byte of U+00C0 to U+00FF, letters with diacritics. Quotation marks and dashes have another.
constexpr char marked_letter = '\xC3';

bool begins_word(std::string_view text, std::size_t at) {
  const bool behind_mark = at > 1 && text[at - 2] == marked_letter;
  return at == 0 || (!is_letter(text[at - 1]) && !behind_mark);
}

bool ends_word(std::string_view text, std::size_t at) {
  return at >= text.size() || (!is_letter(text[at]) && text[at] != marked_letter);
}

// End of `word` in the text if it is at `at`. A space in it matches any run of blanks.
std::optional<std::size_t> match(std::string_view text, std::size_t at, std::string_view word) {
  const std::size_t start = at;
  for (const char c : word) {
    if (at >= text.size()) return std::nullopt;
    const bool capital =
        at == start && text[at] == static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const bool same = c == ' ' ? is_blank(text[at]) : text[at] == c || capital;
    if (!same) return std::nullopt;
    ++at;
    while (c == ' ' && at < text.size() && is_blank(text[at])) ++at;
  }
  return ends_word(text, at) ? std::optional(at) : std::nullopt;
}

}  // namespace

void check_wording(const Source& source, const std::vector<AvoidedWord>& words,
                   Diagnostics& diagnostics) {
  if (words.empty()) return;
  const std::string text = only_text(source.text());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_blank(text[at]) || text[at] == hidden || !begins_word(text, at)) continue;
    for (const auto& word : words) {
      const auto end = match(text, at, word.word);
      if (!end) continue;
      diagnostics.warning(Rule::avoided_word, source, at, *end - at,
                          "avoided word for " + in_quotes(word.english), word.instead);
      if (!word.why.empty()) diagnostics.hint(word.why);
      break;
    }
  }
}

void check_placeholders(const Source& source, Diagnostics& diagnostics) {
  constexpr std::string_view mark = "TODO";
  if (source.text().find(mark) == std::string_view::npos) return;
  const std::string text = only_text(source.text());
  for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at + mark.size())) {
    if (!begins_word(text, at) || !ends_word(text, at + mark.size())) continue;
    diagnostics.warning(Rule::placeholder, source, at, mark.size(),
                        "this text is a placeholder: expected yours in its place");
  }
}

// Originals: check_prose().

namespace {
using figures::is_digit;

bool is_word_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || (static_cast<unsigned char>(c) & 0x80);
}

// Counts words: runs without spaces that contain a letter or digit.
int word_count(std::string_view text) {
  int count = 0;
  bool inside = false, counted = false;
  for (const char c : text) {
    inside = !std::isspace(static_cast<unsigned char>(c));
    if (!inside) counted = false;
    if (inside && !counted && is_word_part(c)) {
      ++count;
      counted = true;
    }
  }
  return count;
}

// Splits text into sentences. A sentence ends with a full stop, question mark or exclamation mark,
// and what follows does not begin with a lower-case letter ("e.g. the").
std::vector<std::string_view> sentences_of(std::string_view text) {
  std::vector<std::string_view> all;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '.' && text[i] != '?' && text[i] != '!') continue;
    std::size_t next = i + 1;
    while (next < text.size() && (text[next] == ')' || text[next] == '"')) ++next;
    const bool spaced = next >= text.size() || text[next] == ' ';
    const auto begin = text.find_first_not_of(' ', next);
    const bool lower = begin != text.npos && std::islower(static_cast<unsigned char>(text[begin]));
    if (!spaced || lower) continue;
    all.push_back(trim(text.substr(start, next - start)));
    start = next;
  }
  if (const auto rest = trim(text.substr(start)); !rest.empty()) all.push_back(rest);
  return all;
}

// Precedes each linked number in marked_text().
constexpr char value_mark = '\x01';

// The text of a paragraph with a mark before each linked number.
std::string marked_text(const Node& node) {
  if (is_number_link(node)) return value_mark + plain_text(node);
  if (node.children.empty()) return plain_text(node);
  std::string text;
  for (const auto& child : node.children) text += marked_text(child);
  return text;
}

// The first words of a sentence, in quotation marks, to find it in its paragraph.
std::string beginning_of(std::string_view sentence) {
  std::string words;
  int count = 0;
  for (const char c : sentence) {
    if (c == ' ' && ++count == 5) return in_quotes(words + " …");
    if (c != value_mark) words += c;
  }
  return in_quotes(words);
}

// "from 1 GiB on" before a punctuation mark, with at most four words in between; empty if there is
// none.
std::string from_on(std::string_view sentence) {
  for (std::size_t at = sentence.find("from "); at != sentence.npos;
       at = sentence.find("from ", at + 1)) {
    if (at > 0 && sentence[at - 1] != ' ') continue;
    const auto end = sentence.find_first_of(",.;:)", at);
    const auto phrase = sentence.substr(at, end == sentence.npos ? end : end - at);
    if (!phrase.ends_with(" on") || std::ranges::count(phrase, ' ') > 5) continue;
    std::string words(phrase);
    std::erase(words, value_mark);
    return words;
  }
  return {};
}

struct Number {
  std::size_t begin = 0, end = 0;
};

// End of the unit that begins at `at`, for example "TB/s".
std::size_t unit_end(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const bool part = is_word_part(text[at]) || text[at] == '/' || text[at] == '%';
    if (!part) break;
    ++at;
  }
  while (at > 0 && text[at - 1] == '/') --at;
  return at;
}

// Finds numbers with a unit: "3.35 TB/s", "64 MiB", "36×", "$2.50/h". Not counts such as "four
// rows" or "12 layers", which readers can check themselves.
std::vector<Number> numbers_in(std::string_view text) {
  std::vector<Number> all;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins =
        is_digit(text[i]) &&
        (i == 0 || (!is_word_part(text[i - 1]) && text[i - 1] != '.' && text[i - 1] != '-'));
    if (!begins) continue;
    std::size_t end = i;
    const auto digit_at = [&](std::size_t at) { return at < text.size() && is_digit(text[at]); };
    const auto mark_at = [&](std::size_t at) {
      return at < text.size() && (text[at] == '.' || text[at] == ',') && digit_at(at + 1);
    };
    while (digit_at(end) || mark_at(end)) ++end;
    std::size_t unit = end;
    if (text.substr(unit).starts_with("\u00a0")) unit += 2;
    if (unit < text.size() && text[unit] == ' ') ++unit;
    const std::size_t last = unit_end(text, unit);
    const std::string written =
        std::string(text.substr(i, end - i)) + ' ' + std::string(text.substr(unit, last - unit));
    const auto literal = figures::parse_literal(written);
    const bool ratio = text.substr(unit, last - unit) == "×";
    // "70B" without a space is part of a model's name. Bytes are written with a space.
    const bool name = unit == end && text.substr(unit, last - unit) == "B";
    if (last > unit && !name && literal && (ratio || !literal->quantity.dimension.is_number())) {
      all.push_back({i, last});
    }
    i = std::max(i, end - 1);
  }
  return all;
}

}  // namespace

std::vector<std::string> written_numbers(std::string_view text) {
  std::vector<std::string> all;
  for (const auto& [begin, end] : numbers_in(text))
    all.emplace_back(text.substr(begin, end - begin));
  return all;
}

namespace {
class Reader {
 public:
  Reader(const Source& source, Diagnostics& diagnostics, const ProseLimits& limits)
      : source_(source), diagnostics_(diagnostics), limits_(limits) {}

  void read(const Node& node) {
    for (const auto& child : node.children) block(child);
  }

  void finish() { end_section(); }

 private:
  void block(const Node& node) {
    if (node.kind == NodeKind::heading && node.level == 2) {
      end_section();
      heading_ = &node;
    }
    if (node.kind == NodeKind::code_block && own_block(node.info)) {
      shows_ = true;
      trap(node);
    }
    const auto marker = quote_marker(node);
    if (node.kind == NodeKind::paragraph)
      paragraph(marker ? without_marker_line(node, *marker) : node);
    if (node.kind == NodeKind::heading || node.kind == NodeKind::table) numbers(node);
    if (node.kind != NodeKind::paragraph) read_below(node);
  }

  void read_below(const Node& node) {
    if (node.kind == NodeKind::heading || node.kind == NodeKind::table) return;
    read(node);
  }

  void paragraph(const Node& node) {
    numbers(node);
    const std::string text = marked_text(node);
    const int words = word_count(text);
    if (words_ == 0) first_word(node, text);
    words_ += words;
    if (words > limits_.paragraph) {
      diagnostics_.error(Rule::long_paragraph, source_, node.offset, 1,
                         "this paragraph has " + std::to_string(words) + " words; at most " +
                             std::to_string(limits_.paragraph) + " are easy to read");
    }
    for (const auto written : sentences_of(text)) sentence(node, written);
  }

  void first_word(const Node& node, std::string_view text) {
    if (!heading_) return;
    for (const std::string_view word : {"It", "They"})
      if (text.starts_with(word) && ends_word(text, word.size()))
        odd(node, "this section begins with " + in_quotes(word), "name the subject again");
  }

  void sentence(const Node& node, std::string_view text) {
    if (const int words = word_count(text); words > limits_.sentence)
      warn(Rule::long_sentence, node,
           "this sentence has " + std::to_string(words) + " words; at most " +
               std::to_string(limits_.sentence) + " are easy to read: " + beginning_of(text));
    if (const auto numbers = std::ranges::count(text, value_mark); numbers > limits_.numbers)
      warn(Rule::crowded_sentence, node,
           "this sentence has " + std::to_string(numbers) + " linked numbers; at most " +
               std::to_string(limits_.numbers) + " are easy to follow: " + beginning_of(text));
    if (text.starts_with("What ") && text.ends_with('.'))
      odd(node, "this statement begins with \"What\": " + beginning_of(text),
          "begin with who or what acts");
    if (const auto phrase = from_on(text); !phrase.empty())
      odd(node, in_quotes(phrase) + " is not idiomatic", "write \"at … and above\" or \"after …\"");
  }

  // A trap says which mistake leads to which answer.
  void trap(const Node& block) {
    constexpr std::string_view key = "\ntrap:";
    const std::string text = '\n' + block.text;
    const auto at = text.find(key);
    if (at == text.npos) return;
    const auto begin = text.find_first_not_of(" >|-\n\"'[", at + key.size());
    if (begin == text.npos || !is_digit(text[begin])) return;
    odd(block, "this trap begins with a number", "write \"If you got 12, you …\"");
  }

  void warn(Rule rule, const Node& node, const std::string& message) {
    diagnostics_.warning(rule, source_, node.offset, 1, message);
  }

  void odd(const Node& node, const std::string& message, const std::string& hint) {
    warn(Rule::odd_phrase, node, message);
    diagnostics_.hint(hint);
  }

  // Skips code, formulas and the book's own links, whose numbers have sources.
  void numbers(const Node& node) {
    if (node.kind == NodeKind::link && !node.url.starts_with("http")) return;
    if (node.kind == NodeKind::text) {
      for (const auto& number : numbers_in(node.text)) {
        const bool placed = node.in_source == InSource::verbatim;
        diagnostics_.error(Rule::bare_number, source_, node.offset + (placed ? number.begin : 0),
                           placed ? number.end - number.begin : 1,
                           "the number \"" +
                               node.text.substr(number.begin, number.end - number.begin) +
                               "\" has no source");
        diagnostics_.hint(
            "make it a fact:, calc:, live: or claim: link; an example's own number is "
            "a fact of kind assumed");
      }
    }
    for (const auto& child : node.children) numbers(child);
  }

  void end_section() {
    if (words_ > limits_.section && !shows_) {
      diagnostics_.error(Rule::long_section, source_, heading_ ? heading_->offset : 0,
                         heading_ ? 2 : 1,
                         "this section has " + std::to_string(words_) +
                             " words and no figure, question or measurement");
    }
    words_ = 0;
    shows_ = false;
  }

  const Source& source_;
  Diagnostics& diagnostics_;
  const ProseLimits& limits_;
  const Node* heading_ = nullptr;  // of the current section; null before the first
  int words_ = 0;                  // in the current section
  bool shows_ = false;
};

}  // namespace

void check_prose(const Node& document, const Source& source, Diagnostics& diagnostics,
                 const ProseLimits& limits) {
  Reader reader(source, diagnostics, limits);
  reader.read(document);
  reader.finish();
}

}  // namespace primer
