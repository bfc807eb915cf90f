// The data sheets of chips as the book's facts have them: a fixed list, oldest chip first.
#pragma once

#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "figures/models/model.hpp"

namespace figures::models {

// Number of widths for which a data sheet has a peak.
inline constexpr int widths = 3;
inline constexpr std::array<int, widths> bits_of{16, 8, 4};

// Base units; 0: not in the data sheet. Everything computed from a 0 is 0 again, which means
// unknown.
struct DataSheet {
  std::string label;
  bool announced = false;  // not sold yet
  double year = 0;
  std::array<double, widths> peak{};  // dense FLOP/s of the fastest format of each width
  double bandwidth = 0, memory = 0, power = 0;
  double link = 0;               // one direction, sum of all links
  double achieved = 0;           // FLOP/s of a good matmul in 16 bits
  double pod = 0, pod_peak = 0;  // number of chips; FLOP/s of all chips
  double other_bandwidth = 0;    // another published bandwidth
  std::string_view other_part;   // the part that has it

  double ridge(int width) const { return over(peak[width], bandwidth); }
  // b* = s I*/2, for weights and compute of this width.
  double tokens(int width) const { return ridge(width) * bits_of[width] / 16; }
  double per_byte_sent(int width) const { return over(peak[width], link); }
  double joules(int width) const { return over(power, peak[width]); }  // per operation at peak
  double seconds_to_read() const { return over(memory, bandwidth); }

  static double over(double a, double b) { return a > 0 && b > 0 ? a / b : 0; }
};

inline constexpr Choice data_sheet_choices[] = {
    {"v100-sxm2-32", "V100"},    {"tpu-v2", "TPU v2"}, {"tpu-v3", "TPU v3"}, {"tpu-v4", "TPU v4"},
    {"a100-sxm-80", "A100"},     {"h100-sxm", "H100"}, {"mi300x", "MI300X"}, {"tpu-v5e", "TPU v5e"},
    {"tpu-v5p", "TPU v5p"},      {"h200-sxm", "H200"}, {"b200-sxm", "B200"}, {"mi325x", "MI325X"},
    {"tpu-v6e", "TPU v6e"},      {"b300-sxm", "B300"}, {"mi355x", "MI355X"}, {"tpu-v7", "TPU7x"},
    {"rubin", "Rubin"},          {"tpu-8t", "TPU 8t"}, {"tpu-8i", "TPU 8i"}, {"mi455x", "MI455X"},
    {"own", "your own numbers"},
};
// Without the reader's own sheet
inline constexpr int data_sheet_count = std::size(data_sheet_choices) - 1;

// The sheet at `index`, which is less than data_sheet_count.
DataSheet data_sheet(int index, const Numbers& numbers);
// The facts that data_sheet() reads.
std::vector<std::string> data_sheet_facts();

// The operations of a chip while it reads its memory once, counted part by part, and the time this
// takes. Tests compare the closed formulas with it. Empty if a number is unknown.
struct Reading {
  double seconds = 0, operations = 0, bytes = 0;
};
Reading read_once(const DataSheet& sheet, int width);
// The smallest whole number of tokens for which compute takes as long as reading the weights. 0:
// unknown.
double fewest_tokens(const DataSheet& sheet, int width);

}  // namespace figures::models
