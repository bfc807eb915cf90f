// webgpu.wasm has these kernels and no others.
#include "webgpu.hpp"

namespace kernels {

Registry registry() { return webgpu_registry(); }

}  // namespace kernels
