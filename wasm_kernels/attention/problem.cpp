#include "problem.hpp"

#include "../reference.hpp"

namespace kernels::attention {
namespace {

double square_root(double x) {
  double root = x;
  for (int i = 0; i < 40; ++i) root = (root + x / root) / 2;
  return root;
}

// The scores of token i, computed as in the definition.
double scores(const Head& head, int i) {
  const auto [n, d] = head.shape;
  double most = -1e300;
  for (int j = 0; j < n; ++j) {
    double sum = 0;
    for (int p = 0; p < d; ++p) sum += double(head.q[i * d + p]) * head.k[j * d + p];
    head.check[j] = sum / square_root(d);
    most = larger(most, head.check[j]);
  }
  return most;
}

void softmax(double* row, int n, double most) {
  double total = 0;
  for (int j = 0; j < n; ++j) total += row[j] = reference_exp(row[j] - most);
  for (int j = 0; j < n; ++j) row[j] /= total;
}

}  // namespace

Shape shape_of(const Args& args) { return {int(args.value[0]), int(args.value[1])}; }

Head lay_out(const Args& args, Arena& arena) {
  const auto [n, d] = shape_of(args);
  const std::size_t size = std::size_t(n) * d;
  Head head{};
  head.shape = {n, d};
  head.scale = float(1 / square_root(d));
  head.q = arena.take<float>(size);
  head.k = arena.take<float>(size);
  head.v = arena.take<float>(size);
  head.o = arena.take<float>(size);
  head.keys = {arena.take<float>(strips::size(n, d)), d * strips::width};
  head.values = {arena.take<float>(strips::size(d, n)), n * strips::width};
  head.check = arena.take<double>(n);
  return head;
}

// Queries are small, so that many tokens contribute to each result, and no exponential is close to
// the denormals.
void prepare(const Head& head) {
  const auto [n, d] = head.shape;
  Values values;
  for (int i = 0; i < n * d; ++i) head.q[i] = values.next() / 4;
  for (int i = 0; i < n * d; ++i) head.k[i] = values.next();
  for (int i = 0; i < n * d; ++i) head.v[i] = values.next();
  for (int i = 0; i < n * d; ++i) head.o[i] = 100;  // no mean of the values is this large
  clear(head.keys.data, strips::size(n, d));
  clear(head.values.data, strips::size(d, n));
  for (int j = 0; j < n; ++j) head.check[j] = 0;
}

void pack(const Head& head) {
  const auto [n, d] = head.shape;
  strips::pack_transposed(n, d, head.k, head.keys);
  strips::pack(d, n, head.v, head.values);
}

// Checks about 64 tokens, in steps that reach all six rows of a tile.
double verify(const Head& head, Result result, const float* rows, double* tolerance) {
  const auto [n, d] = head.shape;
  Deviation deviation;
  const int step = n / 64 / 6 * 6 + 1;
  for (int i = 0; i < n; i += step) {
    const double most = scores(head, i);
    if (result != Result::scores) softmax(head.check, n, most);
    if (result != Result::output) {
      for (int j = 0; j < n; ++j) deviation.compare(rows[std::size_t(i) * n + j], head.check[j]);
      continue;
    }
    for (int p = 0; p < d; ++p) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += head.check[j] * head.v[j * d + p];
      deviation.compare(head.o[i * d + p], sum);
    }
  }
  *tolerance = 1e-5;  // the values are at most 3.5
  return deviation.largest();
}

}  // namespace kernels::attention
