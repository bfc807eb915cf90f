#include "figures/bars.hpp"
#include "figures/curves.hpp"
#include "figures/hierarchy.hpp"
#include "figures/kinds.hpp"
#include "figures/layers.hpp"
#include "figures/lengths.hpp"
#include "figures/number_formats.hpp"
#include "figures/roofline.hpp"
#include "figures/split.hpp"
#include "figures/sweep.hpp"
#include "figures/tiles.hpp"

namespace figures {

std::span<const Kind> kinds() {
  static constexpr Kind all[] = {{"roofline", render_roofline}, {"ladder", render_ladder},
                                 {"bars", render_bars},         {"sweep", render_sweep},
                                 {"curves", render_curves},     {"lengths", render_lengths},
                                 {"formats", render_formats},   {"layers", render_layers},
                                 {"split", render_split},       {"tiles", render_tiles},
                                 {"hierarchy", render_hierarchy}};
  return all;
}

}  // namespace figures
