#include "figures/kinds/curves.hpp"
#include "figures/kinds/kinds.hpp"
#include "figures/kinds/sweep.hpp"

namespace figures {

std::span<const Kind> plot_kinds() {
  static constexpr Kind group[] = {{"curves", render_curves}, {"sweep", render_sweep}};
  return group;
}

}  // namespace figures
