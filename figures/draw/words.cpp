#include "figures/draw/words.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "figures/base/ascii.hpp"
#include "figures/base/result.hpp"

namespace figures {
namespace {

using namespace std::string_view_literals;

// The length of the number at the start of the text ("2,048", "3.35"); 0 if there is none.
std::size_t number_at(std::string_view text) {
  std::size_t end = 0;
  const auto digit_at = [&](std::size_t at) { return at < text.size() && is_digit(text[at]); };
  while (digit_at(end) || (end > 0 && digit_at(end + 1) && (text[end] == ',' || text[end] == '.')))
    ++end;
  return end;
}

const std::string* word_in(const nlohmann::json& forms, const std::string& form) {
  const auto found = forms.find(form);
  return found == forms.end() ? nullptr : found->get_ptr<const std::string*>();
}

// "GB/s", "µs", "%". Must match site/runtime/page/drawing_words.js.
bool is_unit(std::string_view word) {
  constexpr std::array whole{"%"sv, "×"sv, "tokens/s"sv};
  constexpr std::array bases{"B"sv, "FLOP"sv, "op"sv, "J"sv, "W"sv, "Hz"sv, "s"sv};
  constexpr std::array prefixes{""sv,   "k"sv, "Ki"sv, "M"sv, "Mi"sv, "G"sv, "Gi"sv, "T"sv,
                                "Ti"sv, "P"sv, "Pi"sv, "E"sv, "m"sv,  "µ"sv, "n"sv,  "p"sv};
  if (std::ranges::find(whole, word) != whole.end()) return true;
  const std::string_view per = word.substr(std::min(word.find('/'), word.size()));
  const bool plain =
      std::ranges::all_of(per.substr(std::min<std::size_t>(per.size(), 1)), is_letter);
  if (per.size() == 1 || !plain) return false;
  word.remove_suffix(per.size());
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) {
    if (!word.starts_with(prefix)) return false;
    return std::ranges::find(bases, word.substr(prefix.size())) != bases.end();
  });
}

// The word without punctuation and without a final "'s".
std::string_view bare(std::string_view word) {
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (const std::string_view end : {".", ",", ";", ":", "?", "!", "'s", "’s"}) {
      if (!word.ends_with(end)) continue;
      word.remove_suffix(end.size());
      goes_on = true;
    }
  }
  return word;
}

constexpr std::string_view between_words = " ()\"";

std::string_view word_at(std::string_view text) {
  return text.substr(0, std::min(text.find_first_of(between_words), text.size()));
}

}  // namespace

std::string form_of(std::string_view label) {
  std::string form;
  for (; !label.empty(); label.remove_prefix(1)) {
    if (const std::size_t number = number_at(label)) label.remove_prefix(number - 1), form += '#';
    else form += label[0];
  }
  return form;
}

bool has_words(std::string_view text) {
  int small = 0;
  for (const char c : text) {
    small = c >= 'a' && c <= 'z' ? small + 1 : 0;
    if (small == 3) return true;
  }
  // "75 of 86 GB"
  constexpr std::array short_words{"of"sv, "to"sv, "in"sv, "at"sv, "on"sv, "by"sv, "is"sv, "or"sv};
  while (!text.empty()) {
    const std::string_view word = text.substr(0, std::min(text.find(' '), text.size()));
    if (std::ranges::find(short_words, word) != short_words.end()) return true;
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return false;
}

SentenceForm sentence_form(std::string_view sentence) {
  SentenceForm out;
  while (!sentence.empty()) {
    const std::string_view word = word_at(sentence), core = bare(word);
    if (std::ranges::none_of(core, is_digit)) {
      const std::size_t length = std::max<std::size_t>(word.size(), 1);
      out.form += sentence.substr(0, length);
      sentence.remove_prefix(length);
      continue;
    }
    std::size_t length = core.size();
    const std::string_view behind = sentence.substr(length);
    if (behind.starts_with(' '))
      if (const std::string_view unit = bare(word_at(behind.substr(1))); is_unit(unit))
        length += 1 + unit.size();
    out.form += '#';
    out.marked.emplace_back(sentence.substr(0, length));
    sentence.remove_prefix(length);
  }
  return out;
}

std::vector<std::string_view> sentences_of(std::string_view text) {
  std::vector<std::string_view> all;
  std::size_t from = 0;
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    const char next = text[i + 2];
    const bool begins = (next >= 'A' && next <= 'Z') || is_digit(next);
    if (std::string_view(".:?!").find(text[i]) == text.npos || text[i + 1] != ' ' || !begins)
      continue;
    all.push_back(text.substr(from, i + 1 - from));
    from = i + 2;
  }
  if (from < text.size()) all.push_back(text.substr(from));
  return all;
}

const std::string* Words::find(const std::string& form) const {
  const std::string* word = word_in(forms_, form);
  if constexpr (tells_authors)
    if (word == nullptr && beside_ != nullptr) word = word_in(*beside_, form);
  return word;
}

// Native builds only. In a page, the scripts group the digits of all numbers.
std::string Words::grouped(std::string text) const {
  if constexpr (tells_authors) {
    const std::string* comma = word_in(forms_, ",");
    if (comma == nullptr) return text;
    std::string out;
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view number = rest.substr(0, number_at(rest));
      const std::size_t whole = std::min(number.find('.'), number.size());
      for (const char c : number)
        if (c != ',') out += c;
        else if (whole > std::string_view("1,024").size()) out += *comma;
      if (number.empty()) out += rest[0];
      rest.remove_prefix(std::max<std::size_t>(number.size(), 1));
    }
    return out;
  }
  return text;
}

std::string Words::say(std::string_view english) const {
  const std::string form = form_of(english);
  const std::string* word = find(form);
  if (word == nullptr) {
    // Truncated text was reported before it was cut.
    if constexpr (tells_authors)
      if (has_words(english) && !english.ends_with("…")) unsaid_.push_back(form);
    return grouped(std::string(english));
  }
  std::string out;
  for (const char c : *word) {
    if (c != '#') {
      out += c;
      continue;
    }
    while (!english.empty() && !is_digit(english[0])) english.remove_prefix(1);
    const std::size_t number = number_at(english);
    out += english.substr(0, number);
    english.remove_prefix(number);
  }
  return grouped(std::move(out));
}

std::optional<std::string> Words::tell(std::string_view english) const {
  std::string out;
  bool whole = true;
  for (const std::string_view sentence : sentences_of(english)) {
    const auto [form, marked] = sentence_form(sentence);
    const std::string* word = find(form);
    if (word == nullptr && has_words(sentence)) {
      unsaid_.push_back(form);
      whole = false;
      continue;
    }
    if (!out.empty()) out += ' ';
    if (word == nullptr) {
      out += sentence;
      continue;
    }
    auto mark = marked.begin();
    for (const char c : *word) {
      if (c != '#') out += c;
      else if (mark != marked.end()) out += *mark++;
    }
  }
  if (!whole) return std::nullopt;
  return grouped(std::move(out));
}

std::string said(const Words* words, std::string_view text) {
  return words != nullptr ? words->say(text) : std::string(text);
}

}  // namespace figures
