// The machines that a reader can choose in an interactive model: chips from the facts, and the
// measured machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/models/model.hpp"

namespace figures::models {

// The first choice is the measured machine.
inline constexpr Choice chip_choices[] = {
    {"machine", "this machine"}, {"h100-sxm", "H100"},   {"h200-sxm", "H200"},
    {"a100-sxm-80", "A100"},     {"b200-sxm", "B200"},   {"mi300x", "MI300X"},
    {"tpu-v5e", "TPU v5e"},      {"tpu-v6e", "TPU v6e"},
};

struct Chip {
  std::string label;               // "H100", "reference machine"
  double peak = 0, bandwidth = 0;  // FLOP/s, B/s; 0: not measured
  double bytes = 4;                // per element: f32 in a browser, bf16 on accelerators
  double ridge() const { return bandwidth > 0 ? peak / bandwidth : 0; }
  bool known() const { return peak > 0 && bandwidth > 0; }
};

// The label of a machine within a sentence and at its beginning: "the H100", "your machine".
std::string the_machine(const std::string& label);
std::string capital(std::string words);

// The chip of a choice's index.
Chip chip_of(int index, const Numbers& numbers);
// The facts that chip_of() reads.
std::vector<std::string> chip_facts();

}  // namespace figures::models
