// Published training runs, compared with the simulation of cluster.hpp.
//
// One number is fitted, to one run per kind of chip: the share of the best matmul's rate. The
// simulation predicts the other runs with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/models/many/cluster.hpp"
#include "figures/models/model.hpp"

namespace figures::models {

struct PublishedRun {
  std::string label;
  bool fitted = false, tokens_rate = false;
  double printed = 0, here = 0;  // per chip: FLOP/s as the source counts them, or tokens/s
};

// In the order of their sources. Needs published_facts() and the facts of Llama 3.1 405B and 8B,
// the H100 and the A100.
std::vector<PublishedRun> published_runs(const Numbers& numbers);
std::vector<std::string> published_facts();

// A language model from the facts ("llama-3.1-405b"), and a chip in nodes of eight ("h100-sxm")
// with ports of 50 GB/s and its fitted share (the H100's, if no run was fitted to the chip). The
// other functions list their facts.
Network network_of(std::string_view id, const Numbers& numbers);
void add_network_facts(std::string_view id, std::vector<std::string>& ids);
Hardware hardware_of(std::string_view id, const Numbers& numbers);
void add_hardware_facts(std::string_view id, std::vector<std::string>& ids);

}  // namespace figures::models
