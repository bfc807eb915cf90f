#include "layers.hpp"

namespace kernels {
namespace {

const Kernel* const all[] = {
    &matmul_i8_plain, &matmul_i8, &matmul_i4, &conv_packed, &attention_heads, &block_gpt2,
};

}  // namespace

Registry layers_registry() { return {all, int(sizeof all / sizeof all[0])}; }

}  // namespace kernels
