// page.wasm: page_call() behind four exports, a memory and nothing else.
#include "figures/call_memory.hpp"
#include "figures/module_exports.hpp"
#include "figures/page_call.hpp"

std::string module_answer(std::string_view text) { return figures::page_call(text); }
void module_reset() { call_memory_end = &__heap_base; }
