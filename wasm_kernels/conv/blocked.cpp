// The same sums, 48 at a time: a tile of six output channels by eight pixels stays in registers.
// Each loaded weight is used for eight pixels and each pixel for six weights, as in the matmul, but
// without a copy of the image.
#include "../simd.hpp"
#include "problem.hpp"

namespace kernels {
namespace {

using conv::Problem;

constexpr int channels = 6, tile_rows = 2;  // and four columns, one vector

struct Blocked {
  Problem problem;
  // Filters of six output channels: by channel, column and row of the filter, then output
  float* packed;
};

Blocked lay_out(const Args& args, Arena& arena) {
  Blocked b{conv::lay_out(args, arena), nullptr};
  const conv::Shape s = b.problem.shape;
  b.packed = arena.take<float>(std::size_t(round_up(s.out, channels)) * s.in * conv::taps);
  return b;
}

void pack_filters(const Blocked& b) {
  const auto [in, out, side] = b.problem.shape;
  float* packed = b.packed;
  for (int first = 0; first < out; first += channels)
    for (int c = 0; c < in; ++c)
      for (int dx = 0; dx < 3; ++dx)
        for (int dy = 0; dy < 3; ++dy)
          for (int o = first; o < first + channels; ++o)
            *packed++ = o < out ? b.problem.filters[(o * in + c) * conv::taps + dy * 3 + dx] : 0;
}

// Stores the part of the tile that is inside the result.
void put(const Problem& p, int first, int y, int x, const f32x4 (&sums)[channels][tile_rows]) {
  const auto [in, out, side] = p.shape;
  for (int o = 0; o < channels && first + o < out; ++o) {
    for (int row = 0; row < tile_rows && y + row < side; ++row) {
      float* at = p.result + (std::ptrdiff_t(first + o) * side + y + row) * side + x;
      if (x + lanes <= side) store(at, sums[o][row]);
      else
        for (int lane = 0; x + lane < side; ++lane) at[lane] = sums[o][row][lane];
    }
  }
}

// region: tile
// Two rows of four pixels. The lower row of one tap is the upper row of the next tap.
void convolve_tile(const Problem& p, int first, int y, int x, const float* weights) {
  const float* corner = p.image + y * p.pitch + x;
  f32x4 sums[channels][tile_rows] = {};

  for (int c = 0; c < p.shape.in; ++c, corner += p.plane) {
    for (int dx = 0; dx < 3; ++dx) {
      f32x4 upper = load(corner + dx);
      for (int dy = 0; dy < 3; ++dy, weights += channels) {
        const f32x4 lower = load(corner + (dy + 1) * p.pitch + dx);
        for (int o = 0; o < channels; ++o) {
          const f32x4 weight = splat(weights[o]);
          sums[o][0] = madd(weight, upper, sums[o][0]);
          sums[o][1] = madd(weight, lower, sums[o][1]);
        }
        upper = lower;
      }
    }
  }

  f32x4 done[channels][tile_rows];  // a copy: an address keeps an array out of registers
  for (int o = 0; o < channels; ++o)
    for (int row = 0; row < tile_rows; ++row) done[o][row] = sums[o][row];
  put(p, first, y, x, done);
}
// end region: tile

// region: blocked
void convolve(const Blocked& b) {
  const Problem& p = b.problem;
  const auto [in, out, side] = p.shape;
  for (int y = 0; y < side; y += tile_rows) {
    for (int first = 0; first < out; first += channels) {
      const float* weights = b.packed + std::ptrdiff_t(first) * in * conv::taps;
      for (int x = 0; x < side; x += lanes) convolve_tile(p, first, y, x, weights);
    }
  }
}
// end region: blocked

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  lay_out(args, arena);
  return arena.used();
}

void prepare(const Args& args, void* base) {
  conv::prepare(args, base);
  Arena arena(base);
  pack_filters(lay_out(args, arena));
}

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Blocked b = lay_out(args, arena);
  for (int rep = 0; rep < reps; ++rep) convolve(b);
}

}  // namespace

const Kernel conv_blocked = {
    .id = "conv.blocked",
    .title = "Convolution, tiles in registers",
    .unit = "GFLOP/s",
    .roof_class = vector_class,
    .element = "f32",
    .source = "wasm_kernels/conv/blocked.cpp#tile",
    .bytes_count = "image and filters (packed beforehand) once, read; the result written",
    .params = {conv::in_param, conv::out_param, conv::side_param},
    .flops = conv::flops,
    .bytes = conv::bytes,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .verify = conv::verify};

}  // namespace kernels
