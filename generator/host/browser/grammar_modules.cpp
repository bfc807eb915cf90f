// Implements paint_by_grammar() with one module per grammar (grammar_module.cpp), which the worker
// loads on demand.
#include "generator/core/code/grammar_painter.hpp"
#include "generator/host/browser/page_calls.hpp"

namespace primer {

figures::Result<Painting> paint_by_grammar(std::string_view grammar, std::string_view code) {
  const std::string answer = page_paint(grammar, code);
  if (answer.size() != code.size()) return figures::Error(answer, 0, code.size());
  Painting painting;
  for (const char paint : answer) painting.push_back(static_cast<Paint>(paint));
  return painting;
}

}  // namespace primer
