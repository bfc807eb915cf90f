#include "figures/bars.hpp"
#include "figures/curves.hpp"
#include "figures/kinds.hpp"
#include "figures/lengths.hpp"
#include "figures/number_formats.hpp"
#include "figures/roofline.hpp"
#include "figures/sweep.hpp"

namespace figures {

std::span<const Kind> kinds() {
  static constexpr Kind all[] = {{"roofline", render_roofline}, {"ladder", render_ladder},
                                 {"bars", render_bars},         {"sweep", render_sweep},
                                 {"curves", render_curves},     {"lengths", render_lengths},
                                 {"formats", render_formats}};
  return all;
}

}  // namespace figures
