// Paints code with a tree-sitter grammar. The rest of highlighting does not know tree-sitter, so
// there are two implementations: grammar_painter.cpp has all grammars compiled in, and
// browser/grammar_modules.cpp loads each grammar as a WebAssembly module into a page's worker.
#pragma once

#include <string_view>

#include "figures/base/result.hpp"
#include "generator/core/code/paint.hpp"

namespace primer {

// `grammar` must name an existing grammar. Fails for code that takes seconds to parse. Safe to call
// from several threads. A grammar's query is compiled on first use.
figures::Result<Painting> paint_by_grammar(std::string_view grammar, std::string_view code);

}  // namespace primer
