#include "figures/base/nearest.hpp"

#include <algorithm>

#include "figures/base/ascii.hpp"

namespace figures {
namespace {

constexpr std::size_t longest = 64;

}  // namespace

int edit_distance(std::string_view a, std::string_view b, int limit) {
  const int size_a = static_cast<int>(a.size()), size_b = static_cast<int>(b.size());
  if (a.size() > longest || b.size() > longest || std::abs(size_a - size_b) > limit)
    return limit + 1;
  int before[longest + 1], last[longest + 1], row[longest + 1] = {};
  for (int j = 0; j <= size_b; ++j) row[j] = j;
  for (int j = 0; j <= size_b; ++j) last[j] = 0;
  for (int i = 1; i <= size_a; ++i) {
    std::copy(last, last + size_b + 1, before);
    std::copy(row, row + size_b + 1, last);
    row[0] = i;
    int least = i;
    for (int j = 1; j <= size_b; ++j) {
      const char x = lower(a[i - 1]), y = lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (x == y ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
  }
  return std::min(row[size_b], limit + 1);
}

Nearest::Nearest(std::string_view text)
    : text_(text), distance_(std::min(4, std::max(1, static_cast<int>(text.size()) / 3)) + 1) {}

void Nearest::weigh(std::string_view candidate) {
  const int distance = edit_distance(text_, candidate, distance_ - 1);
  if (distance >= distance_) return;
  distance_ = distance;
  best_ = candidate;
}

}  // namespace figures
