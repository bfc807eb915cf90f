// How many machines have how much of something: a row of bars over a logarithmic axis, and its quantiles in words.
#pragma once

#include <string>
#include <vector>

#include "figures/draw/scale.hpp"
#include "generator/base/html.hpp"

namespace primer {

struct Distribution {
  std::string id, what;        // "memory", "What one core reads from memory"
  std::vector<double> values;  // sorted, above zero, not empty
  figures::Meaning meaning;

  // The value that a share of all lies below, from 0 to 1.
  double at(double share) const;
};

void write_distribution(Html& out, const Distribution& all);

// 101 of them, for scripts, which tell where a reader's own value lies: "1.2e10,1.31e10,…".
std::string percentiles(const Distribution& all);

}  // namespace primer
