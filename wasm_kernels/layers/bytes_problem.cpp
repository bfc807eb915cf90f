#include "bytes_problem.hpp"

namespace kernels::product_i8 {
namespace {

Shape shape_of(const Args& args) {
  const int n = int(args.value[0]), m = int(args.value[1]), k = int(args.value[2]);
  return {m ? m : n, n, k ? k : n};
}

void fill(std::int8_t* p, std::size_t count, RandomBytes& random) {
  for (std::size_t i = 0; i < count; ++i) p[i] = std::int8_t(random.next() - 128);
}

double sum_at(const Problem& p, int i, int j) {
  const Word* at = p.c + std::size_t(i) * p.shape.n + j;
  if (!p.scaled) return *at;
  return double(__builtin_bit_cast(float, *at)) / p.scale_of_row[i] / p.scale_of_column[j];
}

}  // namespace

Problem lay_out(const Args& args, Arena& arena) {
  Problem p{};
  const Shape s = p.shape = shape_of(args);
  p.scaled = args.value[3] != 0;
  p.a = arena.take<std::int8_t>(std::size_t(s.m) * s.k);
  p.b = arena.take<std::int8_t>(std::size_t(s.k) * s.n);
  p.c = arena.take<Word>(std::size_t(s.m) * s.n);
  p.scale_of_row = arena.take<float>(s.m);
  p.scale_of_column = arena.take<float>(s.n);
  p.check = arena.take<double>(s.k);
  return p;
}

double flops(const Args& args) {
  const Shape s = shape_of(args);
  return 2.0 * s.m * s.n * s.k;
}

double bytes(const Args& args) {
  const Shape s = shape_of(args);
  return double(s.m) * s.k + double(s.k) * s.n + 4.0 * s.m * s.n;
}

void prepare(const Problem& p) {
  const auto [m, n, k] = p.shape;
  RandomBytes random;
  fill(p.a, std::size_t(m) * k, random);
  fill(p.b, std::size_t(k) * n, random);
  for (std::size_t i = 0; i < std::size_t(m) * n; ++i) p.c[i] = 1 << 30;  // no sum is this large
  for (int i = 0; i < m; ++i) p.scale_of_row[i] = i % 3 ? 0.125f : 0.25f;
  for (int j = 0; j < n; ++j) p.scale_of_column[j] = j % 2 ? 0.5f : 2;
  for (int i = 0; i < k; ++i) p.check[i] = 0;
}

double verify(const Problem& p, double* tolerance) {
  const auto [m, n, k] = p.shape;
  double weights = 0;
  for (int j = 0; j < n; ++j) weights += random_weight(j);
  for (int i = 0; i < k; ++i) {
    p.check[i] = 0;
    for (int j = 0; j < n; ++j) p.check[i] += p.b[std::size_t(i) * n + j] * random_weight(j);
  }
  Deviation deviation;
  for (int i = 0; i < m; ++i) {
    double expected = 0, found = 0;
    for (int q = 0; q < k; ++q) expected += p.a[std::size_t(i) * k + q] * p.check[q];
    for (int j = 0; j < n; ++j) found += sum_at(p, i, j) * random_weight(j);
    deviation.compare(found, expected);
  }
  const double of_rounding = 1.0 / (1 << 24) * (1 << 14) * k * weights;
  *tolerance = p.scaled && k > 1024 ? of_rounding : 0;
  return deviation.largest();
}

}  // namespace kernels::product_i8
