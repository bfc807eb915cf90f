// Colors per byte of code, and the HTML for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"

namespace primer {

enum class Paint : std::uint8_t {
  none,
  keyword,
  type,
  function,
  string,
  number,
  comment,
  op,
  variable,
  preprocessor,
  removed  // a removed line of a diff; an added one is a string
};

using Painting = std::vector<Paint>;  // one per byte of the code

// Paints code with a tree-sitter grammar. The rest of highlighting does not know tree-sitter, so
// there are two implementations: highlight_query.cpp has all grammars compiled in, and
// host/browser/page_calls.cpp loads each grammar as a WebAssembly module into a page's worker.
//
// `grammar` must name an existing grammar. Fails for code that takes seconds to parse. Safe to call
// from several threads. A grammar's query is compiled on first use.
figures::Result<Painting> paint_by_grammar(std::string_view grammar, std::string_view code);

// Returns one well-formed piece of HTML per line, with every span closed on its line. Characters
// that XML does not allow become U+FFFD.
std::vector<std::string> painted_lines(std::string_view code, const Painting& painting);

}  // namespace primer
