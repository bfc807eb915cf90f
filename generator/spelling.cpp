#include "generator/spelling.hpp"

#include <algorithm>
#include <cstdlib>

namespace primer {

int edit_distance(std::string_view a, std::string_view b, int limit) {
  const int rows = static_cast<int>(a.size());
  const int columns = static_cast<int>(b.size());
  if (std::abs(rows - columns) > limit) return limit + 1;
  std::vector<int> before, previous(b.size() + 1), current(b.size() + 1);
  for (int j = 0; j <= columns; ++j) previous[static_cast<std::size_t>(j)] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = static_cast<int>(i);
    int best = current[0];
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({replace, previous[j] + 1, current[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
      best = std::min(best, current[j]);
    }
    if (best > limit) return limit + 1;
    before = previous;
    std::swap(previous, current);
  }
  return std::min(previous[b.size()], limit + 1);
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  int best_distance = static_cast<int>(std::min<std::size_t>(name.size(), 100)) / 3 + 2;
  std::string best;
  for (const auto& candidate : candidates) {
    const int distance = edit_distance(name, candidate, best_distance);
    const bool closer = distance < best_distance;
    const bool tie = distance == best_distance && (best.empty() || candidate < best);
    if (!closer && !tie) continue;
    if (distance >= static_cast<int>(candidate.size())) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

}  // namespace primer
