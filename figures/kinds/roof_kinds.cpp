#include "figures/kinds/bars.hpp"
#include "figures/kinds/kinds.hpp"
#include "figures/kinds/roofline.hpp"

namespace figures {

std::span<const Kind> roof_kinds() {
  static constexpr Kind group[] = {
      {"roofline", render_roofline}, {"ladder", render_ladder}, {"bars", render_bars}};
  return group;
}

}  // namespace figures
