// The interface between a page and the models: one JSON object in, one out, as in page_call.hpp.
//
//   {"op": "frame", "model", "params": {id: number or choice}, "step": 12, "options", "facts",
//    "machine": {"label", "peak", "bandwidth", "l1", "l2"}}   step: -1 first, -2 for paper
//     -> {"svg", "width", "height", "title", "description", "table", "step", "length",
//         "params": as used, "notices": [sentence], "where": "12 of 40 kernels",
//         "unused": [control]}
//   {"op": "counts", as above}    the whole run
//     -> {"rows": [[name, counted, lowest and highest of the closed form]]}
//   {"op": "controls", "model"}
//     -> {"rows": [[id, low, high, initial, "doubling" | "", choice…]]}
//   {"op": "controls"}   -> {"models": [name], "facts": [id that some model needs]}
//
// "facts" maps an id to {"value" in base units, "unit"}. If something is wrong with the request,
// the answer is {"error": {"message", "suggestion"}}.
#pragma once

#include <string>
#include <string_view>

#include "figures/models/render.hpp"
#include "figures/page/reply.hpp"

namespace figures::models {

// Caches the last model, so that the next frame of a run costs one step.
class Desk {
 public:
  // Never fails: an error is an answer, too. A request is at most 4 MiB.
  std::string answer(std::string_view request);

 private:
  Result<Reply> run(std::string_view request);

  Player player_;
};

}  // namespace figures::models
