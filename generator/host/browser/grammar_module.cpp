// One grammar as a module: code in, its paint out (page_calls.hpp). Linked with only that grammar.
#include "figures/page/module_exports.hpp"
#include "generator/core/code/highlight_query.hpp"

std::string module_answer(std::string_view code) {
  const auto painting = primer::paint_by_grammar(primer::grammars().front().name, code);
  // A message of the same length as the code would be taken for its paint.
  if (!painting)
    return painting.error().message + (painting.error().message.size() == code.size() ? "." : "");
  std::string bytes;
  for (const primer::Paint paint : *painting) bytes += static_cast<char>(paint);
  return bytes;
}

void module_reset() {}
