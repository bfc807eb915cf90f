// All kinds, for the native build.
#include "figures/kinds/kinds.hpp"

#include <vector>

namespace figures {

std::span<const Kind> kinds() {
  static const std::vector<Kind> all = [] {
    std::vector<Kind> kinds;
    for (const auto group : {roof_kinds(), plot_kinds(), still_kinds()})
      kinds.insert(kinds.end(), group.begin(), group.end());
    return kinds;
  }();
  return all;
}

}  // namespace figures
