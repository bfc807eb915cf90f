#include "figures/bars.hpp"
#include "figures/kinds.hpp"
#include "figures/roofline.hpp"

namespace figures {

std::span<const Kind> roof_kinds() {
  static constexpr Kind group[] = {
      {"roofline", render_roofline}, {"ladder", render_ladder}, {"bars", render_bars}};
  return group;
}

}  // namespace figures
