// Decode, prefill and training as three points of one roofline. A point lies at the FLOPs per byte of
// the task and on the roof of the first machine, so it shows the highest rate that the task can
// have there. The other machines are drawn for comparison: the same intensity may be left of the
// ridge on one machine and right of it on another.
//
// One chip is drawn, because the intensity does not depend on how many chips share the work.
#pragma once

#include "figures/costs/bill.hpp"

namespace figures::costs {

// The three tasks with their formulas and their floors on the machine.
Section roofline_section(const Network& network, const Settings& settings, const Machine& machine);

// The floors of the three tasks, one row per machine.
Grid floors(const Network& network, const Settings& settings, std::span<const Machine> machines);

// The specification of the figure (figures/kinds/roofline.hpp), as JSON. The figure translates its
// labels.
std::string roofline_spec(const Network& network, const Settings& settings,
                          std::span<const Machine> machines);

}  // namespace figures::costs
