// page.wasm: page_call() behind four exports, a memory and nothing else.
#include "figures/module_exports.hpp"
#include "figures/page_call.hpp"

std::string module_answer(std::string_view text) { return figures::page_call(text); }
