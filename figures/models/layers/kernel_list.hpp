// A network's layers as the kernels that a machine runs, each with its arithmetic and its bytes.
//
// Counted as in chapter 0: a multiply-add is 2 FLOP; every kernel reads its inputs and writes its
// outputs once (compulsory traffic, nothing fused, nothing kept between kernels); a softmax takes 5
// FLOP an element and a normalisation 7, and both read twice and write once; biases, rotary
// positions and the optimiser are left out. Attention is counted over all pairs, without the causal
// half.
#pragma once

#include <string>
#include <vector>

namespace figures::models {

enum class Work { product, attention, rest };
enum class Phase { training, prefill, decode };

struct Kernel {
  std::string name;
  Work work = Work::product;
  double m = 0, n = 0, k = 0;                // of one product; 0: not one
  double products = 0;                       // how many of it, over the whole network
  double flops = 0, bytes = 0, weights = 0;  // of all of it; weights in elements
};

// One block of a Transformer, its depth and its output layer.
struct Transformer {
  double layers = 0, width = 0, hidden = 0, heads = 0, kv_heads = 0, head_width = 0, vocabulary = 0;
  bool gated = false;  // three matrices in the feed-forward part instead of two
};

// What one pass works on.
struct Pass {
  Phase phase = Phase::prefill;
  double sequences = 1, context = 1;  // decode: one new token a sequence, after `context` others
  double bytes = 2;                   // of an element
  double queries() const { return phase == Phase::decode ? 1 : context; }
  double tokens() const { return sequences * queries(); }
};

// `whole`: all blocks and the output layer; else one block.
std::vector<Kernel> transformer_kernels(const Transformer& net, const Pass& pass, bool whole);
// Two dense layers on pass.sequences rows, ReLU between; training as far as the weights' gradients.
std::vector<Kernel> perceptron_kernels(double inputs, double hidden, double outputs,
                                       const Pass& pass);
// A k×k convolution (stride 1, padded) as a copy of patches and a product.
std::vector<Kernel> convolution_kernels(double channels_in, double channels_out, double kernel,
                                        double pixels, const Pass& pass);

// FLOP of the products of a Transformer pass, and its weights that are read, in one formula each.
double product_flops(const Transformer& net, const Pass& pass, bool whole);
double product_weights(const Transformer& net, bool whole);

}  // namespace figures::models
