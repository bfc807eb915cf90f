// What the module asks the worker that it runs in: to set formulas, to colour code, and, in Node, for files.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace primer {

// A grammar that the worker has not loaded yet: thrown through everything, so that nothing is made without colours. The
// worker loads it and asks again (primer_module.cpp).
struct GrammarNeeded {
  std::string name;
};

// [{id, tex, display}, …] → [what converted_formula() reads, …], both JSON.
std::string page_typeset(std::string_view formulas);

// What worker_files.hpp asks; "" where the worker has no files.
std::string page_files(std::string_view request);

// Code → a byte for each of its bytes, the Paint. Shorter: why there is none.
std::string page_paint(std::string_view grammar, std::string_view code);

}  // namespace primer
