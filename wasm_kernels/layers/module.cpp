// layers-*.wasm have these kernels and no others.
#include "layers.hpp"

namespace kernels {

Registry registry() { return layers_registry(); }

}  // namespace kernels
