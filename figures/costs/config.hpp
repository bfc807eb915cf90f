// Reads a config.json of Hugging Face, a params.json of Llama or Mistral, or plain numbers such as
// {"layers": 32, "width": 4096, "heads": 32, "kv_heads": 8, "mlp_width": 14336, "vocabulary":
// 128256}.
//
// The input is untrusted: sizes are limited, and a wrong, missing or misspelled member is a
// sentence that names it. `Infinity` and `NaN`, which Python writes, are accepted.
#pragma once

#include <optional>

#include "figures/costs/network.hpp"

namespace figures::costs {

struct Reading {
  Network network;
  std::optional<Sentence> problem;  // then the network is not complete
};

// At most 1 MB of text.
Reading read_config(std::string_view text);

}  // namespace figures::costs
