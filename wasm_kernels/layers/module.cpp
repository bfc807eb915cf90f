// The registry of layers-*.wasm: only these kernels.
#include "layers.hpp"

namespace kernels {

Registry registry() { return layers_registry(); }

}  // namespace kernels
