// Training runs that others printed, and what the simulation of cluster.hpp says of them.
//
// One number is fitted, and for each sort of chip to one run: the share of the best product's rate. The
// other runs are predicted with it.
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
  double printed = 0, here = 0;  // of a chip: FLOP/s as its source counts them, or tokens/s
};

// In the order of their sources. Needs published_facts(), and those of Llama 3.1 405B and 8B, of the
// H100 and the A100.
std::vector<PublishedRun> published_runs(const Numbers& numbers);
std::vector<std::string> published_facts();

// A language model of the facts ("llama-3.1-405b"); a chip in nodes of eight ("h100-sxm"), with ports of
// 50 GB/s and the share that was fitted to it, or to the H100 where no run was. Each with its facts.
Network network_of(std::string_view id, const Numbers& numbers);
void add_network_facts(std::string_view id, std::vector<std::string>& ids);
Hardware hardware_of(std::string_view id, const Numbers& numbers);
void add_hardware_facts(std::string_view id, std::vector<std::string>& ids);

}  // namespace figures::models
