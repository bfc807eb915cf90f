// The tables next to a bill. Each compares one model over several machines or batches, where the
// bill explains one case line by line. A cell is a sentence, so that a page can translate it.
#pragma once

#include "figures/costs/bill.hpp"

namespace figures::costs {

struct Grid {
  std::vector<std::string_view> columns;  // translated
  std::vector<std::vector<Sentence>> rows;
};

// The floors of decode, prefill and training, one row per machine.
Grid floors(const Network& network, const Settings& settings, std::span<const Machine> machines);
// A decode step on a machine for batches of 1 to 1,024 sequences.
Grid batches(const Network& network, const Settings& settings, const Machine& machine);
// How many of each machine hold the model, and how fast they can be.
Grid fits(const Network& network, const Settings& settings, std::span<const Machine> machines);

}  // namespace figures::costs
