// Code → colours by a tree-sitter grammar: compiled in (grammar_painter.cpp), or in a page's worker a module of its own for
// each (browser/grammar_modules.cpp). Nothing else of highlighting knows tree-sitter.
#pragma once

#include <string_view>

#include "figures/base/result.hpp"
#include "generator/code/paint.hpp"

namespace primer {

// `grammar` is the name of one that there is. Fails for code that takes seconds to parse. Safe to call from several threads; a
// grammar's query is compiled when it is first needed.
figures::Result<Painting> paint_by_grammar(std::string_view grammar, std::string_view code);

}  // namespace primer
