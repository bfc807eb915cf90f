// Colours for a language of which a book says the words and patterns (word_language.hpp). Never compiled code: what a book brings
// along is read by this scanner, and by nothing else.
#pragma once

#include <string_view>

#include "figures/base/result.hpp"
#include "generator/base/word_language.hpp"
#include "generator/code/paint.hpp"

namespace primer {

// Fails where the patterns take too long on this code.
figures::Result<Painting> paint_words(const WordLanguage& language, std::string_view code);

}  // namespace primer
