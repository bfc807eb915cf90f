// How a language is set: the direction of its lines, its quotation marks, the spaces before its
// punctuation. One table, after Unicode's CLDR 45 (main/*/delimiters.json, script metadata), for
// pages, the e-book, the print page and the check of hidden characters.
//
// A language is a BCP 47 tag in lower case: "he", "pt-pt", "ku-arab". A tag that the table lacks has
// the rules of its beginning ("de-at": those of "de"), and at the end English's. A script in the tag
// decides about the direction ("az-arab", "yi-latn"); otherwise the language does.
#pragma once

#include <string>
#include <string_view>

namespace primer {

// What becomes of a space before closing punctuation. French: none of them breaks a line, and one
// before ";", "!" and "?" is narrow. Elsewhere: nothing.
enum class Punctuation { plain, french };

struct LanguageRules {
  std::string_view language;
  std::string_view open, close;              // quotation marks, for '"'
  std::string_view inner_open, inner_close;  // those inside, for "'" that is no apostrophe
  Punctuation punctuation = Punctuation::plain;
  bool spaces_thousands = false;  // 65 536, and 2048 in one piece; others write commas
};

const LanguageRules& rules_of_language(std::string_view language);

bool is_right_to_left(std::string_view language);

// Whether words stand without spaces between them, as in Chinese and Japanese.
bool is_unspaced(std::string_view language);

// The document with `dir` wherever the direction changes: on <html> and on every element whose
// `lang` is written the other way round than what is around it. In text from right to left, code,
// formulas and drawings keep their own: dir="ltr". A document without such text stays as it is.
// `html` is well formed, or nearly: what is not closed ends with what is around it.
std::string with_directions(std::string html);

}  // namespace primer
