// Convolution as a matmul. The patch under the filter at each pixel becomes a column, and the
// result is filters times patches. The patches are nine copies of the image, written directly in
// the order in which the matmul reads them.
#include "../strips.hpp"
#include "problem.hpp"

namespace kernels {
namespace {

using conv::Problem;

struct Im2col {
  Problem problem;
  strips::Strips patches;  // (in × 9) × pixels
};

Im2col lay_out(const Args& args, Arena& arena) {
  Im2col c{conv::lay_out(args, arena), {}};
  const auto [in, out, side] = c.problem.shape;
  c.patches = {arena.take<float>(strips::size(side * side, in * conv::taps)),
               in * conv::taps * strips::width};
  return c;
}

// region: patches
// Copies four pixels of a strip, starting at `pixel`: for each tap, the values of the image under
// it.
void copy_patches(const Problem& p, int pixel, float* patch) {
  const int side = p.shape.side, y = pixel / side, x = pixel % side;
  const bool one_row = x + lanes <= side;
  const float* corner = p.image + y * p.pitch + x;

  int place[lanes];  // positions of the four pixels, if they are not consecutive
  for (int q = 0; q < lanes; ++q) {
    const int other = smaller(pixel + q, side * side - 1);
    place[q] = (other / side - y) * p.pitch + other % side - x;
  }
  for (int c = 0; c < p.shape.in; ++c, corner += p.plane) {
    for (int tap = 0; tap < conv::taps; ++tap, patch += strips::width) {
      const float* at = corner + tap / 3 * p.pitch + tap % 3;
      if (one_row) store(patch, load(at));
      else store(patch, f32x4{at[place[0]], at[place[1]], at[place[2]], at[place[3]]});
    }
  }
}

void convolve(const Im2col& c) {
  const Problem& p = c.problem;
  const auto [in, out, side] = p.shape;
  const int pixels = side * side, depth = in * conv::taps;
  for (int pixel = 0; pixel < round_up(pixels, strips::width); pixel += lanes)
    copy_patches(p, smaller(pixel, pixels - 1), c.patches.at(pixel, 0) + pixel % strips::width);
  strips::multiply({out, pixels, depth}, {p.filters, depth}, c.patches, {p.result, pixels}, false,
                   {});
}
// end region: patches

double bytes(const Args& args) {
  return conv::bytes(args) +
         2.0 * sizeof(float) * conv::taps * args.value[0] * args.value[2] * args.value[2];
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  lay_out(args, arena);
  return arena.used();
}

void prepare(const Args& args, void* base) {
  conv::prepare(args, base);
  Arena arena(base);
  const Im2col c = lay_out(args, arena);
  const auto [in, out, side] = c.problem.shape;
  clear(c.patches.data, strips::size(side * side, in * conv::taps));
}

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Im2col c = lay_out(args, arena);
  for (int rep = 0; rep < reps; ++rep) convolve(c);
}

}  // namespace

const Kernel conv_im2col = {
    .id = "conv.im2col",
    .title = "Convolution as a matrix product",
    .unit = "GFLOP/s",
    .roof_class = vector_class,
    .element = "f32",
    .source = "wasm_kernels/conv/im2col.cpp#patches",
    .bytes_count =
        "image and filters once, read; each of nine copies of the image written and "
        "read; the result written",
    .params = {conv::in_param, conv::out_param, conv::side_param},
    .flops = conv::flops,
    .bytes = bytes,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .verify = conv::verify};

}  // namespace kernels
