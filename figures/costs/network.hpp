// The shape of a language model, read from its configuration: what the costs are computed from.
//
// A model is a list of layers, and equal layers are one entry with a count. Each entry holds the
// weights of its parts and the sizes that decide its cache, its operations and its activations, so
// the formulas in counts.cpp are sums over entries and know no architecture:
//
//   config.json --> read_config() --> Network --> counts.hpp --> bill.hpp
//
// An entry has at most one attention, one recurrent state and one MLP or set of experts. A model
// whose layers differ has more entries. Vision and audio parts are not counted.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace figures::costs {

// A sentence with its values: "“{key}” is missing", {{"key", "hidden_size"}}. The page and the build
// translate the text and fill in the values.
struct Sentence {
  std::string_view text;
  std::vector<std::pair<std::string_view, std::string>> values = {};
};

struct Layer {
  double count = 1;
  // Copies of the weights of this entry. Fewer than `count` if layers share them (Zamba2).
  double stored = 1;

  // Weights of one layer.
  double attention = 0;  // projections of the attention, with biases
  double recurrent = 0;  // projections, convolutions and parameters of a state-space layer
  double dense = 0;      // MLP that every token uses
  double shared = 0;     // shared experts
  double router = 0;
  double expert = 0;  // one routed expert
  double norms = 0;

  // Routed experts of a layer, and how many of them a token uses. 0: no experts.
  double experts = 0, chosen = 0;

  // Attention. `heads` 0: this entry has none.
  double heads = 0, kv_heads = 0, key_width = 0, value_width = 0;
  double latent = 0, rotary = 0;  // of MLA, which caches one latent vector and one rotary key
  double window = 0;              // tokens that a token can see; 0: all before it
  // Sparse attention (DeepSeek V3.2): an indexer scores all tokens, and attention reads only the
  // best. Its heads and their width; `best` 0: attention reads all tokens that it can see.
  double index_heads = 0, index_width = 0, best = 0;

  // Elements of the recurrent state per sequence, and FLOPs per token to update and read it.
  double state = 0, convolution = 0, state_flops = 0;
  double state_bytes = 0;  // per element of `state`; 0: as many as the cache has

  // Outputs of the first matmuls of the recurrent part and of the MLP, per token: activations.
  double recurrent_width = 0, mlp_width = 0;
  double mlp_matmuls = 3;  // 2 for an MLP without a gate
};

// Bits per number.
struct Precision {
  double attention = 16;  // and recurrent layers
  double mlp = 16;        // and shared experts
  double expert = 16;     // routed experts
  double head = 16;       // an output layer that is not the embedding table
  double other = 16;      // embedding table, router and norms
  double cache = 16;
};

struct Network {
  std::string type;  // "llama"; "" if the configuration has no model_type
  double width = 0, vocabulary = 0;
  double embedding = 0, positions = 0, head = 0, final_norm = 0;  // weights; head 0: tied
  bool tied = false;
  double longest = 0;  // tokens that the model allows; 0: not said
  std::vector<Layer> layers;

  Precision stored;             // how the checkpoint stores weights
  std::vector<Sentence> notes;  // what a reader must know about the result
};

}  // namespace figures::costs
