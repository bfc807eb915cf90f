#include "problem.hpp"

namespace kernels::matmul {
namespace {

// A pseudo-random integer below 2^20 for each position.
double challenge(int i) {
  std::uint32_t x = std::uint32_t(i) * 0x9e3779b9u + 0x7f4a7c15u;
  x = (x ^ (x >> 15)) * 0x2c1b3c6du;
  return double((x ^ (x >> 12)) & 0xfffff) + 1;
}

}  // namespace

Shape shape_of(const Args& args) {
  const int n = int(args.value[0]), m = int(args.value[1]), k = int(args.value[2]);
  return {m ? m : n, n, k ? k : n};
}

Matrices lay_out(const Args& args, Arena& arena) {
  const Shape s = shape_of(args);
  Matrices m{};
  m.shape = s;
  m.a = arena.take<float>(std::size_t(s.m) * s.k);
  m.b = arena.take<float>(std::size_t(s.k) * s.n);
  m.c = arena.take<float>(std::size_t(s.m) * s.n);
  m.check = arena.take<double>(s.k);
  return m;
}

double flops(const Args& args) {
  const Shape s = shape_of(args);
  return 2.0 * s.m * s.n * s.k;
}

double bytes(const Args& args) {
  const Shape s = shape_of(args);
  return sizeof(float) * (double(s.m) * s.k + double(s.k) * s.n + double(s.m) * s.n);
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  lay_out(args, arena);
  return arena.used();
}

void prepare(const Args& args, void* base) {
  Arena arena(base);
  const Matrices m = lay_out(args, arena);
  const auto [rows, columns, depth] = m.shape;
  fill(m.a, std::size_t(rows) * depth);
  fill(m.b, std::size_t(depth) * columns);
  fill(m.c, std::size_t(rows) * columns);
  for (int p = 0; p < depth; ++p) m.check[p] = 0;
}

double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  const Matrices m = lay_out(args, arena);
  const auto [rows, columns, depth] = m.shape;
  for (int p = 0; p < depth; ++p) {
    double sum = 0;
    for (int j = 0; j < columns; ++j) sum += double(m.b[p * columns + j]) * challenge(j);
    m.check[p] = sum;
  }
  double error = 0;
  for (int i = 0; i < rows; ++i) {
    double expected = 0, found = 0;
    for (int p = 0; p < depth; ++p) expected += double(m.a[i * depth + p]) * m.check[p];
    for (int j = 0; j < columns; ++j) found += double(m.c[i * columns + j]) * challenge(j);
    error = larger(error, distance(expected, found));
  }
  *tolerance = 0;
  return error;
}

}  // namespace kernels::matmul
