// How a checkpoint stores its weights. Reads quantization_config (Transformers, compressed-tensors,
// ModelOpt, GPTQ, AWQ, bitsandbytes) and quantization (MLX).
//
// A configuration gives the bits of all matrices or of groups of modules, and lists modules that
// stay in 16 bits. A module is a name or a pattern: "model.layers.3.self_attn*",
// "re:.*shared_experts.*". The words in it decide which part of the layers it belongs to. A part
// that is not the same in all layers counts as in most of them.
#pragma once

#include "figures/costs/config_keys.hpp"
#include "figures/costs/network.hpp"

namespace figures::costs {

// `layers`: of the model. Adds a note if the bits are not known.
void read_storage(Keys& keys, double layers, Network& network);

}  // namespace figures::costs
