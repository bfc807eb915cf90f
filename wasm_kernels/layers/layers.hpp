// Fast building blocks of networks: matmuls of few bits, convolution, attention, a Transformer
// block. They are in separate modules, layers-*.wasm, because the modules with the book's ladders
// have no room left. A page that runs one of these kernels loads the second module.
#pragma once
#include "../registry.hpp"

namespace kernels {

Registry layers_registry();

extern const Kernel matmul_i8, matmul_i8_plain, matmul_i4;
extern const Kernel attention_heads, conv_packed, block_gpt2;

}  // namespace kernels
