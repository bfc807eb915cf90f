// How many machines have how much of something: a row of bars over a logarithmic axis, and its quantiles in words.
#pragma once

#include <string>

#include "figures/draw/scale.hpp"
#include "generator/base/html.hpp"
#include "generator/load/gallery_summary.hpp"

namespace primer {

struct Distribution {
  std::string id, what;  // "memory", "What one core reads from memory"
  Spread spread;
  figures::Meaning meaning;
};

void write_distribution(Html& out, const Distribution& all);

// 101 of them, for scripts, which tell where a reader's own value lies: "1.2e10,1.31e10,…".
std::string percentiles(const Distribution& all);

}  // namespace primer
