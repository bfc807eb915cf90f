// One JSON object in, one out: what a page asks of the C++ that built it.
//
//   {"op": "render", "spec", "options": {"width": "wide" | "column" | "narrow", "theme", "lang"}}
//     -> {"svg", "width", "height", "title", "description", "table": {"columns", "rows"},
//         "from": "reader" (something in it was measured there) | "reference"}
//   {"op": "evaluate", "expression", "unit": "×", "digits": 3}
//     -> {"value", "text": "36×", "from": "reader" | "reference" | "facts"}
//   {"op": "verdict", "on", "cases": [{"when", "say"}]}
//     -> {"say", "case", "from": "reader" | "reference"}
//   {"op": "grade", "answer", "given": {name: expression}, "unit", "tolerance": "2 %", "input"}
//     -> {"correct", "expected": "295 FLOP/B"}
// Beside these members every operation takes "facts" (id -> {"value": base units, "unit"}),
// "registry" (the kernels' descriptions), "reference" and "reader" (profiles, or null).
// Whatever is wrong, in the request or in a stored profile: {"error": {"message", "suggestion"}}.
#pragma once

#include <string>
#include <string_view>

namespace figures {

// Never fails; 4 MiB of request at most.
std::string page_call(std::string_view request);

}  // namespace figures
