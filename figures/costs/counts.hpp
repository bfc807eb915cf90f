// Costs of a language model: parameters, cache, memory, FLOPs, bytes and the shortest times.
//
// The formulas are those of chapters 5 and 6, summed over layers. With L layers, b sequences of S
// tokens, h query heads and h_kv key-value heads of widths w_k and w_v:
//
//   cache      per token and layer: h_kv (w_k + w_v) elements; with latent attention: latent +
//              rotary elements; with a window of W tokens: only min(S, W) tokens; an indexer adds a
//              key of w elements in 8 bits, with a 32-bit scale per 128 of them
//   attention  2 h (w_k + w_v) FLOPs per token, layer and token seen; an indexer of h heads adds
//              2 h w and limits the tokens that attention reads
//   experts    of E experts, a batch of b tokens that chooses k of them each touches
//              E (1 - (1 - k/E)^b) on average, if the choices are independent
//   a step     reads the touched weights once and the cache of each sequence, and writes one token
//              and all recurrent states; it takes at least the larger of bytes/bandwidth and
//              FLOPs/peak
//
// Left out: norms, activation functions and softmax in FLOPs; communication between chips; the
// fragmentation of caches in pages. Chunked attention counts as a window of one chunk, which is
// the most that a token sees.
#pragma once

#include "figures/costs/network.hpp"

namespace figures::costs {

// Elements of keys and values per token and layer.
constexpr double cached_elements(double kv_heads, double key_width, double value_width) {
  return kv_heads * (key_width + value_width);
}
// FLOPs of attention per token, layer and token seen: a multiply and an add for each element of a
// key and of a value.
constexpr double pair_flops(double heads, double key_width, double value_width) {
  return 2 * heads * (key_width + value_width);
}

struct Parameters {
  double embedding = 0, attention = 0, recurrent = 0, dense = 0, experts = 0, router = 0, norms = 0,
         head = 0;
  double total() const {
    return embedding + attention + recurrent + dense + experts + router + norms + head;
  }
};

// All parameters of the model; `shared` experts count as dense.
Parameters parameters(const Network& network);
// Parameters that one token uses, without the embedding table, of which it needs one row; a tied
// table counts, because it is the output layer.
double active(const Network& network);
// Parameters of active() that are in routed experts.
double active_experts(const Network& network);
// Expected number of different experts that `tokens` tokens touch in one layer.
double experts_touched(double experts, double chosen, double tokens);

Precision stored_precision(const Network& network, double cache);
Precision same_precision(double weights, double cache);

double weight_bytes(const Network& network, const Precision& precision);
// Bytes of weights that a pass over `tokens` tokens reads.
double weight_traffic(const Network& network, const Precision& precision, double tokens);

// Cache of one sequence.
struct Cache {
  double attention = 0;  // grows with every token
  double windowed = 0;   // stops growing at the window
  double state = 0;      // does not grow
  double all() const { return attention + windowed + state; }
};
Cache cache(const Network& network, double tokens, double bits);
// Bytes that the cache of a sequence with `tokens` tokens grows per token: layers with a window
// stop when it is full.
double cache_growth(const Network& network, double tokens, double bits);
// Bytes of keys and values of one layer per token, and of the keys of its indexer.
double kv_bytes(const Layer& layer, double bits);
double index_bytes(const Layer& layer);

// FLOPs of matmuls with weights, per token, with or without the output layer.
double matmul_flops(const Network& network, bool with_head);
// FLOPs of attention for one token that sees `seen` tokens, itself included, and of recurrent
// states. `absorbed`: decode with latent attention computes on the latent vectors.
double attention_flops(const Network& network, double seen, bool absorbed);
// The same, summed over the tokens of a prompt under a causal mask.
double prompt_attention_flops(const Network& network, double tokens);
// One prompt; only its last token passes the output layer.
double prompt_flops(const Network& network, double tokens);
// One decoded token of a sequence with `seen` tokens.
double decode_flops(const Network& network, double seen);
// Forward and backward pass over a sequence; with `again`, the forward pass runs twice.
double training_flops(const Network& network, double tokens, bool again);

// Activations that the backward pass needs, in 16 bits, for one sequence. The scores of attention
// are not stored. With `again`, only the input of each layer and one layer's activations are.
double activation_bytes(const Network& network, double tokens, bool again);
// Per token of one layer, of the given width.
double layer_activation_bytes(const Layer& layer, double width);
// Buffers of inference: `chunk` tokens of activations of the widest layer, and logits in 32 bits.
double inference_buffers(const Network& network, double chunk, double batch);
// Logits in 32 bits and their gradients.
double training_buffers(const Network& network, double tokens);

// Mixed precision with Adam: bytes per parameter of weights, gradients, and optimizer state (a copy
// of the weights and two moments in 32 bits).
inline constexpr double training_weight_bytes = 2, optimizer_bytes = 12;
// Bytes per parameter that a training step moves: the weights are read in each pass (with `again`,
// three instead of two) and written at the end, the gradient and the optimizer state are written and
// read.
constexpr double training_traffic(bool again, double gradient_bytes) {
  return training_weight_bytes * (again ? 4 : 3) + 2 * (gradient_bytes + optimizer_bytes);
}

struct Work {
  double bytes = 0, flops = 0;
};
// One decode step: a token for each of `batch` sequences that have `seen` tokens.
Work decode_step(const Network& network, const Precision& precision, double batch, double seen);
Work prompt_work(const Network& network, const Precision& precision, double batch, double tokens);
// One optimizer step over `batch` sequences, with Adam. Its bytes: `training_traffic` per parameter,
// and activations written once and read once.
Work training_step(const Network& network, double batch, double tokens, bool again,
                   double gradient_bytes);
// No shorter time is possible with this bandwidth and this peak.
double shortest(const Work& work, double bandwidth, double peak);

}  // namespace figures::costs
