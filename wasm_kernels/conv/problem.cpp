#include "problem.hpp"

#include "../reference.hpp"

namespace kernels::conv {
namespace {

Shape shape_of(const Args& args) {
  return {int(args.value[0]), int(args.value[1]), int(args.value[2])};
}

}  // namespace

// Adds room to the image, because whole vectors and pairs of rows may read beyond its right and
// lower edges.
Problem lay_out(const Args& args, Arena& arena) {
  Problem p{};
  p.shape = shape_of(args);
  const auto [in, out, side] = p.shape;
  p.pitch = round_up(side, 4) + 4;
  p.plane = std::ptrdiff_t(round_up(side, 2) + 2) * p.pitch;
  p.image = arena.take<float>(std::size_t(in) * p.plane);
  p.filters = arena.take<float>(std::size_t(out) * in * taps);
  p.result = arena.take<float>(std::size_t(out) * side * side);
  p.check = arena.take<double>(std::size_t(in) * taps);
  return p;
}

double flops(const Args& args) {
  const auto [in, out, side] = shape_of(args);
  return 2.0 * taps * in * out * side * side;
}

double bytes(const Args& args) {
  const auto [in, out, side] = shape_of(args);
  return sizeof(float) *
         (double(in) * side * side + double(taps) * in * out + double(out) * side * side);
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  lay_out(args, arena);
  return arena.used();
}

void prepare(const Args& args, void* base) {
  Arena arena(base);
  const Problem p = lay_out(args, arena);
  const auto [in, out, side] = p.shape;
  clear(p.image, std::size_t(in) * p.plane);
  Values values;
  for (int c = 0; c < in; ++c)
    for (int y = 1; y <= side; ++y)
      for (int x = 1; x <= side; ++x) p.image[c * p.plane + y * p.pitch + x] = values.next();
  fill(p.filters, std::size_t(out) * in * taps);
  fill(p.result, std::size_t(out) * side * side);
  for (int i = 0; i < in * taps; ++i) p.check[i] = 0;
}

double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  const Problem p = lay_out(args, arena);
  const auto [in, out, side] = p.shape;
  for (int i = 0; i < in * taps; ++i) {
    p.check[i] = 0;
    for (int o = 0; o < out; ++o) p.check[i] += random_weight(o) * p.filters[o * in * taps + i];
  }
  Deviation deviation;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      double expected = 0, found = 0;
      for (int c = 0; c < in; ++c)
        for (int tap = 0; tap < taps; ++tap)
          expected += p.check[c * taps + tap] *
                      p.image[c * p.plane + (y + tap / 3) * p.pitch + x + tap % 3];
      for (int o = 0; o < out; ++o)
        found += random_weight(o) * p.result[(std::size_t(o) * side + y) * side + x];
      deviation.compare(found, expected);
    }
  }
  *tolerance = 0;
  return deviation.largest();
}

}  // namespace kernels::conv
