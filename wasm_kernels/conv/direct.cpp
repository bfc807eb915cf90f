// Convolution as in its definition: six loops, one number at a time.
#include "problem.hpp"

namespace kernels {
namespace {

using conv::Problem;

// region: direct
void convolve(const Problem& p) {
  const auto [in, out, side] = p.shape;
  float* result = p.result;
  for (int o = 0; o < out; ++o) {
    const float* filter = p.filters + o * in * conv::taps;

    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        float sum = 0;
        for (int c = 0; c < in; ++c) {
          const float* corner = p.image + c * p.plane + y * p.pitch + x;
          for (int dy = 0; dy < 3; ++dy)
            for (int dx = 0; dx < 3; ++dx)
              sum += filter[c * conv::taps + dy * 3 + dx] * corner[dy * p.pitch + dx];
        }
        *result++ = sum;
      }
    }
  }
}
// end region: direct

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Problem p = conv::lay_out(args, arena);
  for (int rep = 0; rep < reps; ++rep) convolve(p);
}

}  // namespace

const Kernel conv_direct = {.id = "conv.direct",
                            .title = "Convolution, six loops",
                            .unit = "GFLOP/s",
                            .roof_class = "scalar",
                            .element = "f32",
                            .source = "wasm_kernels/conv/direct.cpp#direct",
                            .bytes_count = "image and filters once, read; the result written",
                            .params = {conv::in_param, conv::out_param, conv::side_param},
                            .flops = conv::flops,
                            .bytes = conv::bytes,
                            .memory = conv::memory,
                            .prepare = conv::prepare,
                            .run = run,
                            .verify = conv::verify};

}  // namespace kernels
