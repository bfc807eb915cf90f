// Decode, prefill and training as three points of one roofline. A point lies at the FLOPs per byte of
// the task and on the roof of the first machine, so it shows the highest rate that the task can
// have there. The other machines are drawn for comparison: the same intensity may be left of the
// ridge on one machine and right of it on another.
//
// One chip is drawn, because the intensity does not depend on how many chips share the work.
#pragma once

#include "figures/costs/bill.hpp"

namespace figures::costs {

struct Task {
  std::string_view label, point;  // in the table and in the figure
  Work work;
  bool trains = false;
  double chips = 1;  // that share the work
  double intensity() const { return work.flops / work.bytes; }
};
// Decode, prefill and training, in this order.
std::vector<Task> tasks(const Network& network, const Settings& settings, const Machine& machine);
// The shortest time on the machine in seconds.
double floor_of(const Task& task, const Machine& machine);

// The three tasks with their formulas and their floors on the machine.
Section roofline_section(const Network& network, const Settings& settings, const Machine& machine);

// The specification of the figure (figures/kinds/roofline.hpp), as JSON. The figure translates its
// labels.
std::string roofline_spec(const Network& network, const Settings& settings,
                          std::span<const Machine> machines);

}  // namespace figures::costs
