// What pictures say in another language: English labels and their translations, as data from outside, so that no
// language weighs on the modules of another.
//
// A label's form is the label with a '#' for each of its numbers: "2,048 rows of 16 KiB" is of the form "# rows of # KiB",
// and its translation has as many, which take the numbers in their order. All labels become pictures through
// text_width() and draw_text() with a style that carries these.
//
// What stands beside a picture is told sentence by sentence. There a '#' is a word that holds a digit, with the unit behind it:
// "The H100 needs 12 ms." is of the form "The # needs #."
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace figures {

// The label with '#' for each number: digits, with commas and points between them.
std::string form_of(std::string_view label);

// Whether the text has words, three small letters in a row or an "of", beside numbers, names and signs of units.
bool has_words(std::string_view text);

// A sentence's form, and what its marks stand for; natively only, as all that is told.
struct SentenceForm {
  std::string form;
  std::vector<std::string> marked;
};
SentenceForm sentence_form(std::string_view sentence);

// "One. Two: 3." → "One.", "Two:", "3."
std::vector<std::string_view> sentences_of(std::string_view text);

class Words {
 public:
  // `forms` of labels: {"# rows": "# filas"}; `beside`, of what stands beside pictures, or null. Under "," stands in `forms` what
  // sets thousands apart, where that is no comma. Both outlive this.
  explicit Words(const nlohmann::json& forms, const nlohmann::json* beside = nullptr)
      : forms_(forms), beside_(beside) {}

  // The label in this language; what has no translation stays, and is kept in unsaid(). Natively thousands are set apart as
  // the language does, from five digits on.
  std::string say(std::string_view english) const;

  // Sentences in this language; nothing where one has no translation, which is kept in unsaid().
  std::optional<std::string> tell(std::string_view english) const;

  // Forms with words that say() and tell() found no translation of, natively only.
  const std::vector<std::string>& unsaid() const { return unsaid_; }

 private:
  const std::string* find(const std::string& form) const;
  std::string grouped(std::string text) const;

  const nlohmann::json& forms_;
  const nlohmann::json* beside_;
  mutable std::vector<std::string> unsaid_;
};

// The text in a language; null: as it is.
std::string said(const Words* words, std::string_view text);

}  // namespace figures
