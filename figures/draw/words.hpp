// Translates the text of figures. The English labels and their translations come from outside as
// data, so that no language makes the modules of another one larger.
//
// The form of a label is the label with '#' for each of its numbers: "2,048 rows of 16 KiB" has the
// form "# rows of # KiB". A translation has the same number of '#', which are filled with the
// numbers in their order. All labels pass through text_width() and draw_text() with a style that
// points to a Words object.
//
// Text next to a figure is translated sentence by sentence. There, a '#' stands for a word that
// contains a digit, together with the unit behind it: "The H100 needs 12 ms." has the form "The #
// needs #."
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace figures {

// The label with '#' for each number, which is a run of digits with commas and points between them.
std::string form_of(std::string_view label);

// Whether the text has words (three lower-case letters in a row, or "of") apart from numbers, names
// and units.
bool has_words(std::string_view text);

// The form of a sentence and the values of its '#'. Sentences are translated in native builds only.
struct SentenceForm {
  std::string form;
  std::vector<std::string> marked;
};
SentenceForm sentence_form(std::string_view sentence);

// "One. Two: 3." → "One.", "Two:", "3."
std::vector<std::string_view> sentences_of(std::string_view text);

class Words {
 public:
  // `forms` translates labels: {"# rows": "# filas"}. Its member "," is the separator of thousands,
  // if that is not a comma. `beside` translates sentences next to figures; null: none. Both must
  // outlive this.
  explicit Words(const nlohmann::json& forms, const nlohmann::json* beside = nullptr)
      : forms_(forms), beside_(beside) {}

  // The label in this language. A label without a translation is returned unchanged and added to
  // unsaid(). Native builds also apply the language's separator of thousands to numbers of at least
  // five digits.
  std::string say(std::string_view english) const;

  // The sentences in this language; nothing if one has no translation. Untranslated sentences are
  // added to unsaid().
  std::optional<std::string> tell(std::string_view english) const;

  // The forms with words that say() and tell() could not translate. Native builds only.
  const std::vector<std::string>& unsaid() const { return unsaid_; }

 private:
  const std::string* find(const std::string& form) const;
  std::string grouped(std::string text) const;

  const nlohmann::json& forms_;
  const nlohmann::json* beside_;
  mutable std::vector<std::string> unsaid_;
};

// The text in a language; null: the text unchanged.
std::string said(const Words* words, std::string_view text);

}  // namespace figures
