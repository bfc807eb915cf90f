// Source code → HTML with coloured spans, at build time.
//
// tree-sitter's grammars find the syntax, queries name it (highlight_query.hpp), paint.hpp writes
// it. WGSL has a scanner, and so have languages that a book describes by their words (word_scanner.hpp);
// "console" colours what follows a "$ " prompt as shell. The classes are
// hl-k keyword, hl-t type, hl-f function, hl-s string, hl-n number or constant, hl-c comment,
// hl-o operator, hl-v parameter or variable, hl-p preprocessor, attribute or prompt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/base/word_language.hpp"

namespace primer {

// Whether a code block may name this language, coloured ("cpp", "cuda") or plain ("text", "yaml").
bool highlights(std::string_view language);

// Every name that highlights() knows, sorted; for suggestions.
std::vector<std::string> highlighted_languages();

// tree-sitter 0.20 frees memory twice when an error gathers more than 65,535 syntax nodes in one;
// nodes are no shorter than a byte, so this keeps far away from it. It is some 800 lines of code.
inline constexpr std::size_t largest_code_block = 32 * 1024;  // bytes

// Escaped, well-formed HTML for each line of code; spans are closed within their line. Fails for an
// unknown language, for too much code and for code that takes seconds to parse. Safe to call from
// several threads; a language's query is compiled when it is first needed.
figures::Result<std::vector<std::string>> highlight(std::string_view language,
                                                    std::string_view code);

// The same for a language that a book describes.
figures::Result<std::vector<std::string>> highlight(const WordLanguage& language,
                                                    std::string_view code);

}  // namespace primer
