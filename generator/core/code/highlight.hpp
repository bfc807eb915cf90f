// Highlights source code at build time: code in, HTML with colored spans out.
//
//   language --> grammar (C++, Python, ...) ------> paint_by_grammar() --+
//            --> words (WGSL, a book's language) --> paint_words() ------+--> Painting --> HTML
//            --> "console" ("$ " lines are bash), "diff" ----------------+
//
// The classes are hl-k keyword, hl-t type, hl-f function, hl-s string, hl-n number or constant,
// hl-c comment, hl-o operator, hl-v parameter or variable, hl-p preprocessor, attribute or prompt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/core/base/word_language.hpp"
#include "generator/core/code/paint.hpp"

namespace primer {

// Paints code in a language that book.yaml describes (word_language.hpp). A book cannot supply a
// compiled grammar: only this scanner reads its description.
//
// Fails if the patterns take too long on this code. `nested_comments`: block comments nest, which a
// book's language cannot request.
figures::Result<Painting> paint_words(const WordLanguage& language, std::string_view code,
                                      bool nested_comments = false);

// Whether a code block may name this language, colored ("cpp", "cuda") or plain ("text", "yaml").
bool highlights(std::string_view language);

// All names for which highlights() is true, sorted; for suggestions.
std::vector<std::string> highlighted_languages();

// The limit on a code block in bytes, about 800 lines. tree-sitter 0.20 frees memory twice if an
// error collects more than 65,535 syntax nodes in one node. A node has at least one byte, so half
// of that is safe.
inline constexpr std::size_t largest_code_block = 32 * 1024;

// Returns escaped, well-formed HTML per line of code. Spans are closed on their line. Fails for an
// unknown language, for too much code and for code that takes seconds to parse. Safe to call from
// several threads. A language's query is compiled on first use.
figures::Result<std::vector<std::string>> highlight(std::string_view language,
                                                    std::string_view code);

// Highlights a language that book.yaml describes.
figures::Result<std::vector<std::string>> highlight(const WordLanguage& language,
                                                    std::string_view code);

}  // namespace primer
