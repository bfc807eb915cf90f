#include "generator/base/spelling.hpp"

#include <algorithm>

#include "figures/base/nearest.hpp"

namespace primer {

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.empty()) return {};
  figures::Nearest nearest(name);
  for (const auto& candidate : candidates) nearest.offer(candidate);
  if (!nearest.best().empty()) return std::string(nearest.best());
  // "my-roof" for "fig-my-roof": the larger half of a name, or a name with something added.
  std::string_view best;
  const auto size_difference = [&](std::string_view candidate) {
    return std::max(candidate.size(), name.size()) - std::min(candidate.size(), name.size());
  };
  for (const std::string_view candidate : candidates) {
    const auto [part, whole] =
        std::minmax(name, candidate, [](auto a, auto b) { return a.size() < b.size(); });
    if (part.size() < 4 || 2 * part.size() < whole.size()) continue;
    if (whole.find(part) == whole.npos) continue;
    if (best.empty() || size_difference(candidate) < size_difference(best)) best = candidate;
  }
  return std::string(best);
}

}  // namespace primer
