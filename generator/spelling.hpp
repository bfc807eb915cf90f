// "Did you mean …": the nearest of the valid names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace primer {

// Edits (insert, delete, replace, swap neighbours) that turn one word into the other; counting
// stops at limit + 1, so the cost is bounded on hostile input.
int edit_distance(std::string_view a, std::string_view b, int limit);

// The nearest candidate, or "" when none is close enough to be worth suggesting.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace primer
