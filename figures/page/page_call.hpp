// The interface between a page and the C++ that draws and evaluates: one JSON object in, one out.
//
//   op          members of the request                    members of the answer
//   "render"    spec, options, words                      svg, width, height, title, description,
//                                                         table: {columns, rows}, from
//   "evaluate"  expression, unit, digits                  value, text, from
//   "verdict"   on, cases: [{when, say}]                  say, case, from
//   "grade"     answer, given, unit, tolerance, input,    correct, expected
//               machine
//   "compare"   input, unit, measured                     guess, measured, from, ratio, factor
//
// Every request also takes "facts" (id -> {value in base units, unit}), "registry" (kernels),
// "reference" and "reader" (profiles or null). "from" names whose results were used: "reader",
// "reference" or, if no measurement was used, "facts" ("evaluate" only). An error is an answer,
// too: {"error": {"message", "suggestion"}}. Nothing survives between calls; in a module, the
// answer is valid until reset().
#pragma once

#include <string>
#include <string_view>

namespace figures {

// Never fails: an error is an answer, too. A request is at most 4 MiB.
std::string page_call(std::string_view request);

}  // namespace figures
