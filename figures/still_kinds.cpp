#include "figures/hierarchy.hpp"
#include "figures/kinds.hpp"
#include "figures/layers.hpp"
#include "figures/lengths.hpp"
#include "figures/number_formats.hpp"
#include "figures/split.hpp"
#include "figures/tiles.hpp"

namespace figures {

std::span<const Kind> still_kinds() {
  static constexpr Kind group[] = {{"lengths", render_lengths}, {"formats", render_formats},
                                   {"layers", render_layers},   {"split", render_split},
                                   {"tiles", render_tiles},     {"hierarchy", render_hierarchy}};
  return group;
}

}  // namespace figures
