// Convolution as a matmul whose matrix of patches is never stored. Filters are packed before the
// timed run. Only the strip of patches that the micro-kernel is about to read exists; it is as wide
// as a tile. One image, ordered by channel and row, with zeros around it as far as the filter
// reaches.
//
// The run copies the image once to add these zeros. With a stride of two, the copy separates even
// and odd columns, so that neighboring pixels of the result have consecutive inputs.
#include "../matmul/packed.hpp"
#include "../reference.hpp"
#include "layers.hpp"

namespace kernels {
namespace {

using matmul::Tile;

constexpr int most_depth = 640;  // of a strip of patches, in L1

int most_of(int a, int b) { return a > b ? a : b; }

struct Shape {
  int in, out;  // channels
  int side;     // of the image
  int filter;   // its number of rows and of columns
  int stride;
  int pad() const { return filter / 2; }
  int result() const { return (side + 2 * pad() - filter) / stride + 1; }
  int depth() const { return in * filter * filter; }
};

struct Problem {
  Shape shape;
  float* image;    // in × side × side
  float* filters;  // out × in × filter × filter
  float* result;   // out × result × result
  float* packed;   // the filters per depth block: whole strips of rows
  float* padded;   // the image with zeros: in × rows × (for each column modulo the stride) pitch
  int rows, pitch;
  float* patches;  // one strip
  float* spare;    // one tile
  double* check;   // one number per number of a filter, for verify()
};

Shape shape_of(const Args& args) {
  return {int(args.value[0]), int(args.value[1]), int(args.value[2]), int(args.value[3]),
          int(args.value[4])};
}
const Tile& tile_of(const Args& args) { return matmul::tile_of(args.value[5]); }

// A filter of one pixel needs no patches, because rows of pixels already are rows of the matrix.
bool is_plain(Shape s) { return s.filter == 1 && s.stride == 1; }
// Depth blocks are whole channels.
int most_channels(Shape s) { return most_depth / (s.filter * s.filter); }
int parts(Shape s) { return (s.in + most_channels(s) - 1) / most_channels(s); }
int begin_of(Shape s, int part) { return part * s.in / parts(s); }

// The tile for the last filters. If fewer than a tile's rows remain, a lower tile wastes less.
const Tile& tile_for(const Tile& tile, int rest) {
  return rest < tile.rows ? matmul::lowest(tile, rest) : tile;
}

std::size_t padded_size(const Problem& p) {
  const Shape s = p.shape;
  return std::size_t(s.in) * p.rows * s.stride * p.pitch;
}

Problem lay_out(const Args& args, Arena& arena) {
  Problem p{};
  const Tile& tile = tile_of(args);
  const Shape s = p.shape = shape_of(args);
  const std::size_t pixels = std::size_t(s.side) * s.side;
  p.image = arena.take<float>(s.in * pixels + tile.columns);
  p.filters = arena.take<float>(std::size_t(s.out) * s.depth());
  p.result = arena.take<float>(std::size_t(s.out) * s.result() * s.result());
  p.packed = arena.take<float>(std::size_t(round_up(s.out, tile.rows)) * s.depth() + lanes);
  p.rows = is_plain(s) ? 0 : (s.result() - 1) * s.stride + s.filter;
  p.pitch = most_of(round_up(s.result(), tile.columns) + (s.filter - 1) / s.stride,
                    (s.side + 2 * s.pad()) / s.stride + 1);
  p.padded = arena.take<float>(padded_size(p));
  p.patches = arena.take<float>(std::size_t(smaller(s.depth(), most_depth)) * tile.columns);
  p.spare = arena.take<float>(std::size_t(tile.rows) * tile.columns);
  p.check = arena.take<double>(s.depth());
  return p;
}

void copy(const float* from, int count, float* to) {
  int i = 0;
  for (; i + lanes <= count; i += lanes) store(to + i, load(from + i));
  for (; i < count; ++i) to[i] = from[i];
}

// Writes the even-numbered floats to one place and the odd-numbered ones to the other.
void deal(const float* from, int count, float* even, float* odd) {
  int i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes, even += lanes, odd += lanes) {
    const f32x4 first = load(from + i), second = load(from + i + lanes);
    store(even, __builtin_shufflevector(first, second, 0, 2, 4, 6));
    store(odd, __builtin_shufflevector(first, second, 1, 3, 5, 7));
  }
  for (; i < count; ++i) *(i % 2 ? odd++ : even++) = from[i];
}

void copy_image(const Problem& p) {
  const Shape s = p.shape;
  const int pad = s.pad(), last = smaller(s.side, p.rows - pad);
  for (int c = 0; c < s.in; ++c) {
    for (int y = 0; y < last; ++y) {
      const float* const row = p.image + (std::ptrdiff_t(c) * s.side + y) * s.side;
      float* const to = p.padded + (std::ptrdiff_t(c) * p.rows + y + pad) * s.stride * p.pitch;
      if (s.stride == 1) copy(row, s.side, to + pad);
      else
        deal(row, s.side, to + pad % 2 * p.pitch + pad / 2,
             to + (pad + 1) % 2 * p.pitch + (pad + 1) / 2);
    }
  }
}

// region: patches
// Packs the strip of patches for the pixels from (y, x), for the channels `begin` to `end`: for
// each number of a filter, in the order of the filters, the image value under it at each pixel.
template <int vectors>
void pack_patches(const Problem& p, int y, int x, int begin, int end) {
  const Shape s = p.shape;
  const std::ptrdiff_t row = s.stride * p.pitch;
  float* to = p.patches;
  for (int channel = begin; channel < end; ++channel) {
    const float* even = p.padded + (std::ptrdiff_t(channel) * p.rows + y * s.stride) * row + x;
    for (int dy = 0; dy < s.filter; ++dy, even += row) {
      const float* const odd = s.stride == 1 ? even + 1 : even + p.pitch;
      for (int dx = 0; dx < s.filter; ++dx, to += vectors * lanes) {
        const float* const from = (dx % 2 ? odd : even) + (s.stride == 1 ? dx & -2 : dx / 2);
        for (int v = 0; v < vectors; ++v) store(to + v * lanes, load(from + v * lanes));
      }
    }
  }
}
// end region: patches

void pack_patches(const Problem& p, int columns, int y, int x, int begin, int end) {
  if (columns == 8) pack_patches<2>(p, y, x, begin, end);
  if (columns == 16) pack_patches<4>(p, y, x, begin, end);
  if (columns == 24) pack_patches<6>(p, y, x, begin, end);
}

// The same for filters of one pixel.
void pack_pixels(const Problem& p, int columns, std::ptrdiff_t pixel, int begin, int end) {
  const std::ptrdiff_t plane = std::ptrdiff_t(p.shape.side) * p.shape.side;
  const float* from = p.image + begin * plane + pixel;
  float* to = p.patches;
  for (int q = begin; q < end; ++q, from += plane, to += columns)
    for (int v = 0; v < columns; v += lanes) store(to + v, load(from + v));
}

// Multiplies the filters from `i` with the packed strip. `pixel` is the index of its first pixel,
// and `width` pixels exist. `first` is the number of filter elements before the strip's `depth`.
void multiply_tile(const Problem& p, const Tile& usual, int i, std::ptrdiff_t pixel, int width,
                   int first, int depth) {
  const Shape s = p.shape;
  const Tile& tile = tile_for(usual, s.out - i);
  const int pixels = s.result() * s.result(), height = smaller(tile.rows, s.out - i);
  const float* const a =
      p.packed + std::ptrdiff_t(round_up(s.out, usual.rows)) * first + std::ptrdiff_t(i) * depth;
  float* const target = p.result + std::ptrdiff_t(i) * pixels + pixel;
  const bool fresh = first == 0;
  if (height == tile.rows && width == tile.columns)
    return tile.micro_kernel(depth, a, p.patches, target, pixels, fresh);
  tile.micro_kernel(depth, a, p.patches, p.spare, tile.columns, true);
  for (int r = 0; r < height; ++r)
    for (int q = 0; q < width; ++q)
      target[r * pixels + q] = p.spare[r * tile.columns + q] + (fresh ? 0 : target[r * pixels + q]);
}

// region: strips
void convolve(const Problem& p, const Tile& tile) {
  const Shape s = p.shape;
  const bool plain = is_plain(s);
  if (!plain) copy_image(p);
  const int side = s.result(), rows = plain ? 1 : side, row = plain ? side * side : side;
  const int taps = s.filter * s.filter;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < row; x += tile.columns) {
      for (int part = 0; part < parts(s); ++part) {
        const int begin = begin_of(s, part), end = begin_of(s, part + 1);
        if (plain) pack_pixels(p, tile.columns, x, begin, end);
        else pack_patches(p, tile.columns, y, x, begin, end);
        for (int i = 0; i < s.out; i += tile.rows)
          multiply_tile(p, tile, i, std::ptrdiff_t(y) * row + x, smaller(tile.columns, row - x),
                        begin * taps, (end - begin) * taps);
      }
    }
  }
}
// end region: strips

double flops(const Args& args) {
  const Shape s = shape_of(args);
  return 2.0 * s.out * s.depth() * s.result() * s.result();
}

double bytes(const Args& args) {
  const Shape s = shape_of(args);
  return sizeof(float) * (double(s.in) * s.side * s.side + double(s.out) * s.depth() +
                          double(s.out) * s.result() * s.result());
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  lay_out(args, arena);
  return arena.used();
}

void prepare(const Args& args, void* base) {
  Arena arena(base);
  const Problem p = lay_out(args, arena);
  const Tile& tile = tile_of(args);
  const Shape s = p.shape;
  const int taps = s.filter * s.filter;
  const std::size_t results = std::size_t(s.out) * s.result() * s.result();
  fill(p.image, std::size_t(s.in) * s.side * s.side);
  clear(p.image + std::size_t(s.in) * s.side * s.side, tile.columns);
  fill(p.filters, std::size_t(s.out) * s.depth());
  for (std::size_t i = 0; i < results; ++i) p.result[i] = 0.25f;  // no sum has this value
  clear(p.padded, padded_size(p));
  clear(p.patches, std::size_t(smaller(s.depth(), most_depth)) * tile.columns);
  clear(p.spare, std::size_t(tile.rows) * tile.columns);
  for (int i = 0; i < s.depth(); ++i) p.check[i] = 0;
  for (int part = 0; part < parts(s); ++part) {
    const int begin = begin_of(s, part) * taps, depth = begin_of(s, part + 1) * taps - begin;
    float* const packed = p.packed + std::ptrdiff_t(round_up(s.out, tile.rows)) * begin;
    const int last = s.out % tile.rows, whole = s.out - last;
    const matmul::Shape filters{.m = s.out, .n = 0, .k = s.depth()};
    tile.pack_a(filters, {0, whole}, {begin, depth}, p.filters, packed);
    if (last > 0)
      tile_for(tile, last)
          .pack_a(filters, {whole, last}, {begin, depth}, p.filters,
                  packed + std::ptrdiff_t(whole) * depth);
  }
}

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Problem p = lay_out(args, arena);
  for (int rep = 0; rep < reps; ++rep) convolve(p, tile_of(args));
}

// Freivalds' check over the output channels, as for the other convolutions. Nothing is rounded.
double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  const Problem p = lay_out(args, arena);
  const Shape s = p.shape;
  const int side = s.result(), taps = s.filter * s.filter;
  for (int i = 0; i < s.depth(); ++i) {
    p.check[i] = 0;
    for (int o = 0; o < s.out; ++o)
      p.check[i] += random_weight(o) * p.filters[std::ptrdiff_t(o) * s.depth() + i];
  }
  Deviation deviation;
  for (int pixel = 0; pixel < side * side; ++pixel) {
    double expected = 0, found = 0;
    for (int i = 0; i < s.depth(); ++i) {
      const int y = pixel / side * s.stride + i % taps / s.filter - s.pad();
      const int x = pixel % side * s.stride + i % s.filter - s.pad();
      if (y < 0 || y >= s.side || x < 0 || x >= s.side) continue;
      expected += p.check[i] * p.image[(std::ptrdiff_t(i / taps) * s.side + y) * s.side + x];
    }
    for (int o = 0; o < s.out; ++o)
      found += random_weight(o) * p.result[std::ptrdiff_t(o) * side * side + pixel];
    deviation.compare(found, expected);
  }
  *tolerance = 0;
  return deviation.largest();
}

constexpr double sides[] = {1, 3, 5, 7};

}  // namespace

const Kernel conv_packed = {
    .id = "conv.packed",
    .title = "Convolution, patches packed strip by strip",
    .unit = "GFLOP/s",
    .roof_class = vector_class,
    .element = "f32",
    .source = "wasm_kernels/layers/convolution.cpp#strips",
    .bytes_count = "image and filters (packed beforehand) once, read; the result written",
    .params =
        {{.name = "in", .doc = "channels of the image", .default_value = 64, .min = 1, .max = 1024},
         {.name = "out",
          .doc = "channels of the result",
          .default_value = 64,
          .min = 1,
          .max = 1024},
         {.name = "side",
          .doc = "rows and columns of the image",
          .default_value = 56,
          .min = 1,
          .max = 224},
         {.name = "filter",
          .doc = "rows and columns of a filter",
          .default_value = 3,
          .min = 1,
          .max = 7,
          .choices = sides,
          .choice_count = 4},
         {.name = "stride",
          .doc = "pixels from one place of the filter to the next",
          .default_value = 1,
          .min = 1,
          .max = 2},
         matmul::tile_param},
    .flops = flops,
    .bytes = bytes,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .verify = verify};

}  // namespace kernels
