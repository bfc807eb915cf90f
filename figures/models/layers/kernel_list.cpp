#include "figures/models/layers/kernel_list.hpp"

namespace figures::models {
namespace {

// Collects kernels. `repeats` is the number of times that the network runs each.
class List {
 public:
  List(const Pass& pass, double repeats) : pass_(pass), repeats_(repeats) {}

  void repeat(double times) { repeats_ = times; }

  // y = x·W for M rows. Training adds the gradients of W and, if `input_gradient`, of x: two more
  // matmuls of the same size over the same three arrays.
  void dense(std::string name, double m, double k, double n, bool input_gradient = true) {
    const double products = training() ? (input_gradient ? 3 : 2) : 1;
    const double elements = m * k + k * n + m * n;
    kernels_.push_back({std::move(name), Work::product, m, n, k, products * repeats_,
                        2 * m * n * k * products * repeats_,
                        pass_.bytes * elements * products * repeats_, k * n * repeats_});
  }

  // `count` matmuls of M×K and K×N that read and write `elements` in total (heads may share
  // theirs). Training adds the gradients of both factors.
  void attention(std::string name, double m, double k, double n, double count, double elements) {
    const double products = training() ? 3 : 1;
    kernels_.push_back({std::move(name), Work::attention, m, n, k, products * repeats_ * count,
                        2 * m * n * k * count * products * repeats_,
                        pass_.bytes * elements * products * repeats_, 0});
  }

  // `flops` per element over arrays that are read and written `arrays` times in total. Training adds
  // as many FLOPs and `backward` reads and writes. Usually, these are the same ones and a read of
  // the gradient.
  void rest(std::string name, double elements, double flops, double arrays) {
    rest(std::move(name), elements, flops, arrays, arrays + 1);
  }
  void rest(std::string name, double elements, double flops, double arrays, double backward) {
    const double passes = training() ? arrays + backward : arrays;
    kernels_.push_back({std::move(name), Work::rest, 0, 0, 0, 0,
                        flops * elements * (training() ? 2 : 1) * repeats_,
                        pass_.bytes * elements * passes * repeats_, 0});
  }

  std::vector<Kernel> take() { return std::move(kernels_); }

 private:
  bool training() const { return pass_.phase == Phase::training; }

  const Pass& pass_;
  double repeats_;
  std::vector<Kernel> kernels_;
};

// Rows whose next token is needed; in training these are all rows.
double output_rows(const Pass& pass) {
  return pass.phase == Phase::training ? pass.tokens() : pass.sequences;
}

}  // namespace

std::vector<Kernel> transformer_kernels(const Transformer& net, const Pass& pass, bool whole) {
  const double tokens = pass.tokens(), queries = pass.queries(), keys = pass.context;
  const double q = net.heads * net.head_width, kv = net.kv_heads * net.head_width;
  const double many = pass.sequences * net.heads;  // heads over all sequences
  const double q_elements = tokens * q, k_elements = pass.sequences * keys * kv;
  const double scores = many * queries * keys;
  List list(pass, whole ? net.layers : 1);
  list.rest("normalizations", tokens * net.width, 14, 6);
  list.dense("query, key, value", tokens, net.width, q + 2 * kv);
  list.attention("scores", queries, net.head_width, keys, many, q_elements + k_elements + scores);
  list.rest("softmax", scores, 5, 2);  // one kernel, whose rows stay on the chip
  list.attention("scores × values", queries, keys, net.head_width, many,
                 scores + k_elements + q_elements);
  list.dense("attention output", tokens, q, net.width);
  list.rest("residual adds", tokens * net.width, 2, 6, 6);  // backward, they add two gradients
  list.dense(net.gated ? "feed-forward, up and gate" : "feed-forward, up", tokens, net.width,
             net.hidden * (net.gated ? 2 : 1));
  list.rest("activation", tokens * net.hidden, 8, net.gated ? 3 : 2);
  list.dense("feed-forward, down", tokens, net.hidden, net.width);
  if (whole) {
    list.repeat(1);
    list.dense("output layer", output_rows(pass), net.width, net.vocabulary);
  }
  return list.take();
}

std::vector<Kernel> perceptron_kernels(double inputs, double hidden, double outputs,
                                       const Pass& pass) {
  const double rows = pass.sequences;
  List list(pass, 1);
  list.dense("layer 1", rows, inputs, hidden, false);  // the gradient of the pixels is not needed
  list.rest("bias 1", rows * hidden, 1, 2, 1);         // backward, it sums the gradient's rows
  list.rest("ReLU", rows * hidden, 1, 2);
  list.dense("layer 2", rows, hidden, outputs);
  list.rest("bias 2", rows * outputs, 1, 2, 1);
  return list.take();
}

std::vector<Kernel> convolution_kernels(double channels_in, double channels_out, double kernel,
                                        double pixels, const Pass& pass) {
  const double taps = kernel * kernel, columns = pass.sequences * pixels;
  List list(pass, 1);
  list.rest("patches as columns", channels_in * columns, 0, 1 + taps);
  list.dense("matmul", columns, taps * channels_in, channels_out);
  list.rest("ReLU", channels_out * columns, 1, 2);
  return list.take();
}

double product_flops(const Transformer& net, const Pass& pass, bool whole) {
  const double copies = whole ? net.layers : 1;
  const double block = net.width * net.head_width * (2 * net.heads + 2 * net.kv_heads) +
                       net.width * net.hidden * (net.gated ? 3 : 2);
  const double pairs = 4 * pass.tokens() * pass.context * net.heads * net.head_width;
  const double output = whole ? 2 * output_rows(pass) * net.width * net.vocabulary : 0;
  const double forward = copies * (2 * pass.tokens() * block + pairs) + output;
  return pass.phase == Phase::training ? 3 * forward : forward;
}

double product_weights(const Transformer& net, bool whole) {
  const double block = net.width * net.head_width * (2 * net.heads + 2 * net.kv_heads) +
                       net.width * net.hidden * (net.gated ? 3 : 2);
  return whole ? net.layers * block + net.width * net.vocabulary : block;
}

}  // namespace figures::models
