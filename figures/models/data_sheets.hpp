// What the data sheets of chips say, as the book's facts have them: a fixed list, oldest first.
#pragma once

#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "figures/models/model.hpp"

namespace figures::models {

// Widths of the numbers that a peak is printed for.
inline constexpr int widths = 3;
inline constexpr std::array<int, widths> bits_of{16, 8, 4};

// Base units; 0 where nothing is printed. What is computed from a 0 is 0 again: an unknown.
struct DataSheet {
  std::string label;
  bool announced = false;  // and not yet sold
  double year = 0;
  std::array<double, widths> peak{};  // dense FLOP/s, of the fastest format of each width
  double bandwidth = 0, memory = 0, power = 0;
  double link = 0;               // one direction, all links
  double achieved = 0;           // FLOP/s of a good matrix product, 16 bits
  double pod = 0, pod_peak = 0;  // chips; FLOP/s of all of them
  double other_bandwidth = 0;    // another that is in print
  std::string_view other_part;   // and what it belongs to

  double ridge(int width) const { return over(peak[width], bandwidth); }
  // b* = s I*/2, with weights and arithmetic of that width.
  double tokens(int width) const { return ridge(width) * bits_of[width] / 16; }
  double per_byte_sent(int width) const { return over(peak[width], link); }
  double joules(int width) const {
    return over(power, peak[width]);
  }  // an operation's, at the peak
  double seconds_to_read() const { return over(memory, bandwidth); }

  static double over(double a, double b) { return a > 0 && b > 0 ? a / b : 0; }
};

inline constexpr Choice data_sheet_choices[] = {
    {"v100-sxm2-32", "V100"}, {"tpu-v2", "TPU v2"},    {"tpu-v3", "TPU v3"},
    {"tpu-v4", "TPU v4"},     {"a100-sxm-80", "A100"}, {"h100-sxm", "H100"},
    {"mi300x", "MI300X"},     {"tpu-v5e", "TPU v5e"},  {"tpu-v5p", "TPU v5p"},
    {"h200-sxm", "H200"},     {"b200-sxm", "B200"},    {"mi325x", "MI325X"},
    {"tpu-v6e", "TPU v6e"},   {"b300-sxm", "B300"},    {"mi355x", "MI355X"},
    {"tpu-v7", "TPU7x"},      {"rubin", "Rubin"},      {"tpu-8t", "TPU 8t"},
    {"tpu-8i", "TPU 8i"},     {"mi455x", "MI455X"},    {"own", "numbers of your own"},
};
inline constexpr int data_sheet_count = std::size(data_sheet_choices) - 1;  // but for one's own

// The sheet at `index`, below data_sheet_count.
DataSheet data_sheet(int index, const Numbers& numbers);
// What data_sheet() needs of all of them.
std::vector<std::string> data_sheet_facts();

// The operations that a chip does while it reads its memory once, part by part, and the time that takes:
// what the closed forms are held against. Unknown: nothing.
struct Reading {
  double seconds = 0, operations = 0, bytes = 0;
};
Reading read_once(const DataSheet& sheet, int width);
// The fewest whole tokens whose arithmetic takes as long as their weights take to come. 0: unknown.
double fewest_tokens(const DataSheet& sheet, int width);

}  // namespace figures::models
