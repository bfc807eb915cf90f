// A module of the page: page_call() behind four exports and a memory. KINDS names its group of
// kinds.
#include "figures/kinds/kinds.hpp"
#include "figures/page/call_memory.hpp"
#include "figures/page/module_exports.hpp"
#include "figures/page/page_call.hpp"

namespace figures {

std::span<const Kind> kinds() { return KINDS(); }

}  // namespace figures

std::string module_answer(std::string_view text) { return figures::page_call(text); }
void module_reset() { call_memory_end = &__heap_base; }
