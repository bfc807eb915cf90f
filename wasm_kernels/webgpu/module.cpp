// The registry of webgpu.wasm: only these kernels.
#include "webgpu.hpp"

namespace kernels {

Registry registry() { return webgpu_registry(); }

}  // namespace kernels
