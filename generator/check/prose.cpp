#include "generator/check/prose.hpp"

#include <algorithm>
#include <cctype>

#include "figures/base/ascii.hpp"
#include "figures/quantities/quantity.hpp"
#include "generator/base/text.hpp"
#include "generator/index/index.hpp"

namespace primer {
namespace {

using figures::is_digit;

bool is_word_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || (static_cast<unsigned char>(c) & 0x80);
}

// What is read as a word: a run of letters or digits, with whatever clings to it.
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

// A full stop, question mark or exclamation mark with a space and a capital, a digit or the end
// after it. "e.g. the" and "Fig. 3 shows" end nothing that is worth the name of a sentence.
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

struct Number {
  std::size_t begin = 0, end = 0;
};

// The end of a unit that begins at `at`: as far as a word and its "/s" go.
std::size_t unit_end(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const bool part = is_word_part(text[at]) || text[at] == '/' || text[at] == '%';
    if (!part) break;
    ++at;
  }
  while (at > 0 && text[at - 1] == '/') --at;
  return at;
}

// "3.35 TB/s", "64 MiB", "36×", "$2.50/h": a number and a unit that is more than a count. A count
// ("four rows", "12 layers") is what anybody can count.
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
    // "70B", without a space, is the name of a model with so many billion parameters; bytes have one.
    const bool name = unit == end && text.substr(unit, last - unit) == "B";
    if (last > unit && !name && literal && (ratio || !literal->quantity.dimension.is_number())) {
      all.push_back({i, last});
    }
    i = std::max(i, end - 1);
  }
  return all;
}

class Reader {
 public:
  Reader(const Source& source, Diagnostics& diagnostics, const ProseLimits& limits)
      : source_(source), diagnostics_(diagnostics), limits_(limits) {}

  void read(const Node& node) {
    for (const auto& child : node.children) block(child);
  }

  void finish() {
    end_section();
    if (lengths_.empty()) return;
    auto middle = lengths_.begin() + static_cast<std::ptrdiff_t>(lengths_.size() / 2);
    std::nth_element(lengths_.begin(), middle, lengths_.end());
    if (*middle <= limits_.median_sentence) return;
    diagnostics_.error(Rule::long_sentences, source_, longest_.offset, 1,
                       "the median sentence of this chapter has " + std::to_string(*middle) +
                           " words; at most " + std::to_string(limits_.median_sentence) +
                           " are easy to read");
    diagnostics_.hint("its longest has " + std::to_string(longest_.words) + " and is here");
  }

 private:
  struct Longest {
    std::size_t offset = 0;
    int words = 0;
  };

  void block(const Node& node) {
    if (node.kind == NodeKind::heading && node.level == 2) {
      end_section();
      heading_ = &node;
    }
    if (node.kind == NodeKind::code_block && own_block(node.info)) shows_ = true;
    if (node.kind == NodeKind::paragraph) paragraph(node);
    if (node.kind == NodeKind::heading || node.kind == NodeKind::table) numbers(node);
    if (node.kind != NodeKind::paragraph) read_below(node);
  }

  void read_below(const Node& node) {
    if (node.kind == NodeKind::heading || node.kind == NodeKind::table) return;
    read(node);
  }

  void paragraph(const Node& node) {
    numbers(node);
    const std::string text = plain_text(node);
    const int words = word_count(text);
    words_ += words;
    if (words > limits_.paragraph) {
      diagnostics_.error(Rule::long_paragraph, source_, node.offset, 1,
                         "this paragraph has " + std::to_string(words) + " words; at most " +
                             std::to_string(limits_.paragraph) + " are easy to read");
    }
    for (const auto sentence : sentences_of(text)) {
      const int length = word_count(sentence);
      lengths_.push_back(length);
      if (length > longest_.words) longest_ = {node.offset, length};
    }
  }

  // Code, formulas and the book's own links hold numbers of their own.
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
  std::vector<int> lengths_;       // of sentences, in words
  Longest longest_;                // sentence
  const Node* heading_ = nullptr;  // of the section so far; none before the first
  int words_ = 0;                  // of the section so far
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
