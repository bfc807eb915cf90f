// Shared by the three convolutions: 3 × 3 filters with padding 1 over one square image. All arrays
// are ordered by channel, then by row. The image is stored with its border of zeros, so that no
// loop needs to check for its edge.
#pragma once
#include "../families.hpp"
#include "../memory.hpp"

namespace kernels::conv {

inline constexpr int taps = 9;  // of a filter per channel

struct Shape {
  int in, out;  // channels
  int side;     // of the image and of the result
};

struct Problem {
  Shape shape;
  int pitch;             // floats from row to row of the image
  std::ptrdiff_t plane;  // floats from channel to channel of the image
  float* image;          // in × rows × pitch; its first row and column are border
  float* filters;        // out × in × 3 × 3
  float* result;         // out × side × side
  double* check;         // in × 3 × 3 numbers for verify()
};

Problem lay_out(const Args& args, Arena& arena);

double flops(const Args& args);
double bytes(const Args& args);
std::size_t memory(const Args& args);
void prepare(const Args& args, void* base);

// Freivalds' check over the output channels: the sum of all filters with random weights, applied to
// the image, must equal the sum of all results with the same weights. Nothing is rounded.
double verify(const Args& args, void* base, double* tolerance);

inline constexpr Param in_param{
    .name = "in", .doc = "channels of the image", .default_value = 64, .min = 1, .max = 512};
inline constexpr Param out_param{
    .name = "out", .doc = "channels of the result", .default_value = 64, .min = 1, .max = 512};
inline constexpr Param side_param{.name = "side",
                                  .doc = "rows and columns of the image",
                                  .default_value = 56,
                                  .min = 1,
                                  .max = 224};

}  // namespace kernels::conv
