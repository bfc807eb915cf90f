// Typographic rules of each language: text direction, quotation marks, and spaces before
// punctuation. One table, based on Unicode CLDR 45 (main/*/delimiters.json, script metadata),
// serves the pages, the e-book, the print page and the check for hidden characters.
//
// Languages are BCP 47 tags in lower case: "he", "pt-pt", "ku-arab". A tag that is not in the table
// falls back to its prefix ("de-at" to "de") and finally to English. A script in the tag decides
// the direction ("az-arab", "yi-latn"); without a script, the language does.
#pragma once

#include <string>
#include <string_view>

namespace primer {

// How to treat spaces before closing punctuation. french: they become no-break spaces, and narrow
// ones before ";", "!" and "?". plain: they are unchanged.
enum class Punctuation { plain, french };

struct LanguageRules {
  std::string_view language;
  std::string_view open, close;              // what '"' becomes
  std::string_view inner_open, inner_close;  // what "'" becomes, unless it is an apostrophe
  Punctuation punctuation = Punctuation::plain;
  bool spaces_thousands = false;  // true: "65 536", and "2048" without a space; false: commas
};

const LanguageRules& rules_of_language(std::string_view language);

bool is_right_to_left(std::string_view language);

// Whether the language writes words without spaces, as Chinese and Japanese do.
bool is_unspaced(std::string_view language);

// Adds `dir` wherever the direction changes: on <html>, and on every element whose `lang` runs in
// the other direction than its parent. Inside right-to-left text, code, formulas and figures get
// dir="ltr". A document without right-to-left text is unchanged. An element that is not closed ends
// with its parent.
std::string with_directions(std::string html);

}  // namespace primer
