// Calls from the module to the worker that runs it: convert formulas, highlight code and, in Node,
// access files.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace primer {

// Thrown if the worker has not loaded a grammar yet, so that nothing is made without colors. The
// worker loads it and repeats the request (primer_module.cpp).
struct GrammarNeeded {
  std::string name;
};

// JSON [{id, tex, display}, …] in, JSON array of what converted_formula() reads out.
std::string page_typeset(std::string_view formulas);

// Answers a request of worker_files.cpp. "" if the worker has no files.
std::string page_files(std::string_view request);

// Returns one Paint per byte of `code`. A result of another length is the reason why there is none.
std::string page_paint(std::string_view grammar, std::string_view code);

}  // namespace primer
