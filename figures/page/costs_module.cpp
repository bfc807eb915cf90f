// costs.wasm, the module of /your-model/: costs_call() behind four exports and a memory.
#include "figures/page/call_memory.hpp"
#include "figures/page/costs_call.hpp"
#include "figures/page/module_exports.hpp"

std::string module_answer(std::string_view text) { return figures::costs_call(text); }
void module_reset() { call_memory_end = &__heap_base; }
