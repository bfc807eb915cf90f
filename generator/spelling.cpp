#include "generator/spelling.hpp"

#include "figures/nearest.hpp"

namespace primer {

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.empty()) return {};
  figures::Nearest nearest(name);
  for (const auto& candidate : candidates) nearest.offer(candidate);
  return std::string(nearest.best());
}

}  // namespace primer
