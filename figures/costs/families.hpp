// What a config.json does not say: the conventions of each architecture.
//
// A configuration leaves out members that have the default of their class, and never says which
// matrices have biases or how many norms a layer has. Each row has these for one model_type, as
// Hugging Face Transformers implements it. A model_type without a row is read by its keys, like
// Llama, and the result has a note.
#pragma once

#include <string_view>

namespace figures::costs {

enum Trait : unsigned {
  tied = 1,             // the output layer shares the embedding, unless the file says otherwise
  qkv_bias = 2,         // of query, key and value
  out_bias = 4,         // of the attention's output
  mlp_bias = 8,         // of the MLP
  ungated = 16,         // the MLP has two matrices
  norm_bias = 32,       // norms are layer norms with a bias
  one_norm = 64,        // per layer; default: two
  four_norms = 128,     // per layer
  head_norms = 256,     // of queries and keys, one weight per element of a head
  wide_norms = 512,     // of queries and keys, one weight per element of all heads
  head_bias = 1024,     // of the output layer
  sinks = 2048,         // one more score per head
  positions = 4096,     // a learned embedding of positions
  window_all = 8192,    // sliding_window counts for every layer
  window_flag = 16384,  // sliding_window counts if use_sliding_window is true, after
                        // max_window_layers layers
  no_window = 32768,    // sliding_window has no effect
  query_gate = 65536,   // the query projection also makes a gate of the output
  no_norm_weights = 131072,  // norms without weights
};

struct Family {
  std::string_view type;
  unsigned traits = 0;
  // Layers of which one is global and the others have a window, if the file does not say. 0: none.
  int pattern = 0;
  // Defaults of missing members: "vocab_size=262208 hidden_size=2304".
  std::string_view defaults = {};

  bool has(Trait trait) const { return (traits & trait) != 0; }
};

// The row of a model_type; null: unknown.
const Family* family_of(std::string_view type);
// The known model_type that is nearest; "": none is near.
std::string_view nearest_family(std::string_view type);

}  // namespace figures::costs
