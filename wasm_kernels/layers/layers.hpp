// What layers of networks are made of, in the form that is fastest here: products of few bits,
// convolution, attention, a block. They have modules of their own, layers-*.wasm, because those of
// the book's ladders are full; whoever runs one of these loads the other module.
#pragma once
#include "../registry.hpp"

namespace kernels {

Registry layers_registry();

extern const Kernel matmul_i8, matmul_i8_plain, matmul_i4;
extern const Kernel attention_heads, conv_packed, block_gpt2;

}  // namespace kernels
