// The GPU's ladder of matmuls, C = A · B, all row-major: matmul_*.wgsl.
#include "webgpu.hpp"

namespace kernels {
namespace {

using namespace webgpu;

constexpr Param n{"n", "", "columns of B and C", 1024, 4, 2048};
constexpr Param m{"m", "", "rows of A and C; 0: n", 0, 0, 2048};
constexpr Param k{"k", "", "columns of A and rows of B; 0: n", 0, 0, 2048};
constexpr double tiles[] = {0, 404, 408, 804, 808, 416, 1604, 816, 1608};
constexpr Param tile{
    "tile", "", "rows * 100 + columns of each lane; 0: the winner of a race", 0, 0, 1608, tiles, 9};

struct Shape {
  Index m, n, k;
};
Shape shape_of(const Args& args) {
  const Index columns = Index(args.value[0]), rows = Index(args.value[1]);
  const Index depth = Index(args.value[2]);
  return {rows ? rows : columns, columns, depth ? depth : columns};
}

double operations(const Args& args) {
  const Shape s = shape_of(args);
  return 2.0 * s.m * s.n * s.k;
}
double elements(const Args& args) {
  const Shape s = shape_of(args);
  return double(s.m) * s.k + double(s.k) * s.n + double(s.m) * s.n;
}
double f32_bytes(const Args& args) { return 4 * elements(args); }
double f16_bytes(const Args& args) {
  const Shape s = shape_of(args);
  return 2 * elements(args) + 2.0 * s.m * s.n;  // C is written in FP32
}

// B begins where fill.wgsl's numbers for A end.
struct Product : NoInput {
  static Index outputs(const Args& args) {
    const Shape s = shape_of(args);
    return s.m * s.n;
  }
  static float output(const Args& args, Index i) {
    const Shape s = shape_of(args);
    const Index row = i / s.n, column = i % s.n;
    float sum = 0;
    for (Index p = 0; p < s.k; ++p)
      sum += value(row * s.k + p) * value(s.m * s.k + p * s.n + column);
    return sum;
  }
};

constexpr Kernel product(const char* id, const char* title, const char* source) {
  return {.id = id,
          .title = title,
          .unit = "GFLOP/s",
          .roof_class = "f32",
          .element = "f32",
          .source = source,
          .bytes_count = "A, B and C once each",
          .params = {n, m, k},
          .flops = operations,
          .bytes = f32_bytes};
}
constexpr Kernel product_f16() {
  Kernel kernel = product("gpu.matmul.f16", "GPU: product with FP16 operands",
                          "wasm_kernels/webgpu/matmul_f16.wgsl#f16");
  kernel.roof_class = kernel.element = "f16";
  kernel.needs = "shader-f16";
  kernel.bytes = f16_bytes;
  return kernel;
}
constexpr Kernel product_tuned() {
  Kernel kernel = product("gpu.matmul.tuned", "GPU: product, the best of eight blocks",
                          "wasm_kernels/webgpu/matmul_vec4.wgsl#vec4");
  kernel.params[3] = tile;
  return kernel;
}

}  // namespace

const Kernel gpu_matmul_strided =
    completed<Product>(product("gpu.matmul.strided", "GPU: product, neighbours in a column",
                               "wasm_kernels/webgpu/matmul_strided.wgsl#strided"));
const Kernel gpu_matmul_naive =
    completed<Product>(product("gpu.matmul.naive", "GPU: product, neighbours in a row",
                               "wasm_kernels/webgpu/matmul_naive.wgsl#naive"));
const Kernel gpu_matmul_tiled =
    completed<Product>(product("gpu.matmul.tiled", "GPU: product, tiles in workgroup memory",
                               "wasm_kernels/webgpu/matmul_tiled.wgsl#tiled"));
const Kernel gpu_matmul_regblock = completed<Product>(
    product("gpu.matmul.regblock", "GPU: product, a block in each lane's registers",
            "wasm_kernels/webgpu/matmul_regblock.wgsl#regblock"));
const Kernel gpu_matmul_vec4 =
    completed<Product>(product("gpu.matmul.vec4", "GPU: product, loads of four floats",
                               "wasm_kernels/webgpu/matmul_vec4.wgsl#vec4"));
const Kernel gpu_matmul_f16 = completed<Product>(product_f16());
const Kernel gpu_matmul_tuned = completed<Product>(product_tuned());

}  // namespace kernels
