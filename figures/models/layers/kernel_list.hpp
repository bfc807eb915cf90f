// The layers of a network as the kernels that a machine runs, each with its FLOPs and its bytes.
//
// Counted as in chapter 0. A multiply-add is 2 FLOPs. Every kernel reads its inputs and writes its
// outputs once (compulsory traffic: no fusion, no data cached between kernels). A softmax takes 5
// FLOPs per element and a normalization 7, and both read twice and write once. Biases, rotary
// positions and the optimizer are left out. Attention is counted over all pairs, without a causal
// mask.
#pragma once

#include <string>
#include <vector>

namespace figures::models {

enum class Work { product, attention, rest };
enum class Phase { training, prefill, decode };

struct Kernel {
  std::string name;
  Work work = Work::product;
  double m = 0, n = 0, k = 0;                // of one matmul; 0: no matmul
  double products = 0;                       // number of matmuls in the whole network
  double flops = 0, bytes = 0, weights = 0;  // totals of all repeats; weights in elements
};

// One block of a Transformer, the number of blocks and the output layer.
struct Transformer {
  double layers = 0, width = 0, hidden = 0, heads = 0, kv_heads = 0, head_width = 0, vocabulary = 0;
  bool gated = false;  // the feed-forward part has three matrices instead of two
};

// The input of one pass.
struct Pass {
  Phase phase = Phase::prefill;
  double sequences = 1, context = 1;  // decode: one new token per sequence, after `context` others
  double bytes = 2;                   // per element
  double queries() const { return phase == Phase::decode ? 1 : context; }
  double tokens() const { return sequences * queries(); }
};

// `whole`: all blocks and the output layer; otherwise one block.
std::vector<Kernel> transformer_kernels(const Transformer& net, const Pass& pass, bool whole);
// Two dense layers on pass.sequences rows with a ReLU between them. Training computes only the
// gradients of the weights.
std::vector<Kernel> perceptron_kernels(double inputs, double hidden, double outputs,
                                       const Pass& pass);
// A k×k convolution (stride 1, padded) as a copy of patches and a matmul.
std::vector<Kernel> convolution_kernels(double channels_in, double channels_out, double kernel,
                                        double pixels, const Pass& pass);

// The FLOPs of the matmuls in a Transformer pass and the weights that it reads, each as one
// formula.
double product_flops(const Transformer& net, const Pass& pass, bool whole);
double product_weights(const Transformer& net, bool whole);

}  // namespace figures::models
