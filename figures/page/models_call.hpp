// What a page asks of the models: one JSON object in, one out, as in page_call.hpp.
//
//   {"op": "frame", "model", "params": {id: number or choice}, "step": 12, "options", "facts",
//    "machine": {"label", "peak", "bandwidth", "l1", "l2"}}   step: -1 first, -2 for paper
//     -> {"svg", "width", "height", "title", "description", "table", "step", "length",
//         "params": as used, "notices": [sentence], "where": "12 of 40 kernels", "unused": [control]}
//   {"op": "counts", as above}    the whole run
//     -> {"rows": [[name, counted, lowest and highest of the closed form]]}
//   {"op": "controls", "model"}
//     -> {"rows": [[id, low, high, initial, "doubling" | "", choice…]]}
//   {"op": "controls"}   -> {"models": [name], "facts": [id that some model needs]}
// "facts" as a page carries them: id -> {"value": base units, "unit"}. Whatever is wrong with the
// request: {"error": {"message", "suggestion"}}.
#pragma once

#include <string>
#include <string_view>

#include "figures/models/render.hpp"
#include "figures/page/reply.hpp"

namespace figures::models {

// Keeps the model that was asked for last, so that the next frame of a run costs one step.
class Desk {
 public:
  // Never fails; 4 MiB of request at most.
  std::string answer(std::string_view request);

 private:
  Result<Reply> run(std::string_view request);

  Player player_;
};

}  // namespace figures::models
