#include "figures/costs/counts.hpp"

#include <algorithm>

#include "figures/base/portable_math.hpp"

namespace figures::costs {
namespace {

// Weights of a layer that every token uses, without norms.
double used_by_all(const Layer& layer) {
  return layer.attention + layer.recurrent + layer.dense + layer.shared + layer.router;
}

// Of `tokens` tokens, those that a layer keeps, and those that its attention reads.
double visible(const Layer& layer, double tokens) {
  return layer.window > 0 ? std::min(tokens, layer.window) : tokens;
}
double attended(const Layer& layer, double tokens) {
  const double seen = visible(layer, tokens);
  return layer.best > 0 ? std::min(seen, layer.best) : seen;
}

// FLOPs of one token per token that it sees.
double score_flops(const Layer& layer, bool absorbed) {
  if (!(layer.heads > 0)) return 0;
  if (layer.latent > 0 && absorbed) return 2 * layer.heads * (2 * layer.latent + layer.rotary);
  return pair_flops(layer.heads, layer.key_width, layer.value_width);
}
double index_flops(const Layer& layer) { return 2 * layer.index_heads * layer.index_width; }

// Bytes of caches that one step reads and writes for a sequence with `seen` tokens.
double cache_traffic(const Network& network, double seen, double bits) {
  double out = cache_growth(network, 0, bits) + 2 * cache(network, seen, bits).state;
  for (const Layer& layer : network.layers)
    out += layer.count * (kv_bytes(layer, bits) * attended(layer, seen) +
                          index_bytes(layer) * visible(layer, seen));
  return out;
}

}  // namespace

Parameters parameters(const Network& network) {
  Parameters out;
  out.embedding = network.embedding + network.positions;
  out.head = network.head;
  out.norms = network.final_norm;
  for (const Layer& layer : network.layers) {
    out.attention += layer.stored * layer.attention;
    out.recurrent += layer.stored * layer.recurrent;
    out.dense += layer.stored * (layer.dense + layer.shared);
    out.experts += layer.stored * layer.experts * layer.expert;
    out.router += layer.stored * layer.router;
    out.norms += layer.stored * layer.norms;
  }
  return out;
}

double active_experts(const Network& network) {
  double out = 0;
  for (const Layer& layer : network.layers) out += layer.count * layer.chosen * layer.expert;
  return out;
}

double active(const Network& network) {
  double out = network.tied ? network.embedding : network.head;
  out += network.final_norm + active_experts(network);
  for (const Layer& layer : network.layers) out += layer.count * (used_by_all(layer) + layer.norms);
  return out;
}

double experts_touched(double experts, double chosen, double tokens) {
  if (!(experts > 0)) return 0;
  const double missed = 1 - std::min(1.0, chosen / experts);
  // (1 - k/E)^b; a base of 0 means that every token uses all experts.
  const double none = missed > 0 ? exp2_of(tokens * log2_of(missed)) : 0;
  return experts * (1 - none);
}

Precision stored_precision(const Network& network, double cache) {
  Precision out = network.stored;
  out.cache = cache;
  return out;
}
Precision same_precision(double weights, double cache) {
  return {weights, weights, weights, weights, weights, cache};
}

double weight_bytes(const Network& network, const Precision& precision) {
  const Parameters all = parameters(network);
  return (precision.attention * (all.attention + all.recurrent) + precision.mlp * all.dense +
          precision.expert * all.experts + precision.head * all.head +
          precision.other * (all.embedding + all.router + all.norms)) /
         8;
}

double weight_traffic(const Network& network, const Precision& precision, double tokens) {
  double bits = precision.other * (network.final_norm + tokens * network.width);
  bits += network.tied ? precision.other * network.embedding : precision.head * network.head;
  for (const Layer& layer : network.layers) {
    bits += layer.count * precision.attention * (layer.attention + layer.recurrent);
    bits += layer.count * precision.mlp * (layer.dense + layer.shared);
    bits += layer.count * precision.other * (layer.router + layer.norms);
    bits += layer.count * precision.expert * layer.expert *
            experts_touched(layer.experts, layer.chosen, tokens);
  }
  return bits / 8;
}

Cache cache(const Network& network, double tokens, double bits) {
  Cache out;
  for (const Layer& layer : network.layers) {
    const double one = layer.count * (kv_bytes(layer, bits) + index_bytes(layer));
    (layer.window > 0 ? out.windowed : out.attention) += one * visible(layer, tokens);
    out.state += layer.count * (layer.state * (layer.state_bytes > 0 ? layer.state_bytes : 2) +
                                layer.convolution * 2);
  }
  return out;
}

double kv_bytes(const Layer& layer, double bits) {
  if (!(layer.heads > 0)) return 0;
  const double elements = layer.latent > 0
                              ? layer.latent + layer.rotary
                              : cached_elements(layer.kv_heads, layer.key_width, layer.value_width);
  return elements * bits / 8;
}

double index_bytes(const Layer& layer) { return layer.index_width * (1 + 4.0 / 128); }

double cache_growth(const Network& network, double tokens, double bits) {
  double out = 0;
  for (const Layer& layer : network.layers)
    if (!(layer.window > 0) || tokens < layer.window)
      out += layer.count * (kv_bytes(layer, bits) + index_bytes(layer));
  return out;
}

double matmul_flops(const Network& network, bool with_head) {
  double weights = active_experts(network);
  for (const Layer& layer : network.layers) weights += layer.count * used_by_all(layer);
  if (with_head) weights += network.tied ? network.embedding : network.head;
  return 2 * weights;
}

double attention_flops(const Network& network, double seen, bool absorbed) {
  double out = 0;
  for (const Layer& layer : network.layers) {
    out += layer.count * (score_flops(layer, absorbed) * attended(layer, seen) +
                          index_flops(layer) * visible(layer, seen) + layer.state_flops);
  }
  return out;
}

double prompt_attention_flops(const Network& network, double tokens) {
  double out = 0;
  for (const Layer& layer : network.layers) {
    // 1 + 2 + … up to the most that a token sees, then as many for each further token.
    const auto pairs = [&](double most) { return most * (most + 1) / 2 + (tokens - most) * most; };
    out += layer.count *
           (score_flops(layer, false) * pairs(attended(layer, tokens)) +
            index_flops(layer) * pairs(visible(layer, tokens)) + layer.state_flops * tokens);
  }
  return out;
}

double prompt_flops(const Network& network, double tokens) {
  return matmul_flops(network, false) * tokens + matmul_flops(network, true) -
         matmul_flops(network, false) + prompt_attention_flops(network, tokens);
}

double decode_flops(const Network& network, double seen) {
  return matmul_flops(network, true) + attention_flops(network, seen, true);
}

double training_flops(const Network& network, double tokens, bool again) {
  const double forward =
      matmul_flops(network, true) * tokens + prompt_attention_flops(network, tokens);
  return forward * (again ? 4 : 3);
}

double layer_activation_bytes(const Layer& layer, double width) {
  double elements = 0;
  // The input and its normalized form; queries, keys, values and the output of attention.
  if (layer.heads > 0)
    elements += 2 * width + layer.heads * (layer.key_width + layer.value_width) +
                layer.kv_heads * (layer.key_width + layer.value_width);
  if (layer.recurrent > 0)
    elements += (layer.heads > 0 ? 0 : 2) * width + layer.recurrent_width * 1.5;
  // The input and its normalized form; the outputs of the first matmuls and what enters the last.
  if (layer.mlp_width > 0) elements += 2 * width + layer.mlp_matmuls * layer.mlp_width;
  return 2 * elements;
}

double activation_bytes(const Network& network, double tokens, bool again) {
  double all = 0, inputs = 0, largest = 0;
  for (const Layer& layer : network.layers) {
    const double one = layer_activation_bytes(layer, network.width);
    all += layer.count * one;
    inputs += layer.count * 2 * network.width;
    largest = std::max(largest, one);
  }
  return tokens * (again ? inputs + largest : all);
}

double inference_buffers(const Network& network, double chunk, double batch) {
  double widest = 0;
  for (const Layer& layer : network.layers)
    widest = std::max(widest, layer_activation_bytes(layer, network.width));
  return chunk * widest + 4 * batch * network.vocabulary;
}

double training_buffers(const Network& network, double tokens) {
  return 2 * 4 * tokens * network.vocabulary;
}

Work decode_step(const Network& network, const Precision& precision, double batch, double seen) {
  return {weight_traffic(network, precision, batch) +
              batch * cache_traffic(network, seen, precision.cache),
          batch * decode_flops(network, seen)};
}

Work prompt_work(const Network& network, const Precision& precision, double batch, double tokens) {
  return {weight_traffic(network, precision, batch * tokens) +
              batch * cache(network, tokens, precision.cache).all(),
          batch * prompt_flops(network, tokens)};
}

Work training_step(const Network& network, double batch, double tokens, bool again,
                   double gradient_bytes) {
  return {parameters(network).total() * training_traffic(again, gradient_bytes) +
              2 * activation_bytes(network, batch * tokens, again),
          batch * training_flops(network, tokens, again)};
}

double shortest(const Work& work, double bandwidth, double peak) {
  return std::max(work.bytes / bandwidth, work.flops / peak);
}

}  // namespace figures::costs
