#include "figures/kinds/bit_formats.hpp"
#include "figures/kinds/cells.hpp"
#include "figures/kinds/hierarchy.hpp"
#include "figures/kinds/kinds.hpp"
#include "figures/kinds/lanes.hpp"
#include "figures/kinds/layers.hpp"
#include "figures/kinds/lengths.hpp"
#include "figures/kinds/machine.hpp"
#include "figures/kinds/split.hpp"
#include "figures/kinds/squares.hpp"
#include "figures/kinds/tiles.hpp"
#include "figures/kinds/wall.hpp"

namespace figures {

std::span<const Kind> still_kinds() {
  static constexpr Kind group[] = {{"cells", render_cells},     {"lengths", render_lengths},
                                   {"formats", render_formats}, {"lanes", render_lanes},
                                   {"layers", render_layers},   {"split", render_split},
                                   {"tiles", render_tiles},     {"hierarchy", render_hierarchy},
                                   {"squares", render_squares}, {"machine", render_machine},
                                   {"wall", render_wall}};
  return group;
}

}  // namespace figures
