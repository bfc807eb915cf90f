// The costs of a model as a bill: lines with a value, the formulas behind it with the numbers filled
// in, and a source. The build writes it as HTML (costs_block.cpp), and the page's module answers
// with the same lines (costs_call.cpp).
#pragma once

#include <span>

#include "figures/costs/counts.hpp"

namespace figures::costs {

struct Step {
  std::string_view formula;  // translated
  std::string filled;        // numbers and units only
};
struct Line {
  Sentence label, value;
  double share = 0;  // of the section's sum, for the bar; 0: no bar
  std::vector<Step> steps;
  std::string_view source;  // id of a reference; "" if the configuration itself is the source
  bool is_sum = false;
};
struct Section {
  std::string_view id;
  Sentence title;
  std::vector<Line> lines;
};

struct Machine {
  Sentence name;
  double peak = 0, bandwidth = 0;  // FLOP/s and B/s of one
  double memory = 0;               // B of one; 0: not considered
  double count = 1;                // 0: as many as the memory requires
  std::string label = {};          // in figures; "": the name
};

// Each assumption is one of these. read_settings() in costs_call.cpp limits them.
struct Settings {
  bool is_training = false;
  double batch = 1, tokens = 8192;
  double weight_bits = 0;  // 0: as stored
  double cache_bits = 16;
  bool recomputes = true;     // activations, in training
  double gradient_bytes = 2;  // per parameter
  double usable = 0.92;       // share of a chip's memory
  double chunk = 2048;        // tokens of a prompt that are processed at once
};

Precision precision_of(const Network& network, const Settings& settings);
// Bytes of everything that must be in memory.
double memory_bytes(const Network& network, const Settings& settings);
// Chips of this memory that hold it.
double chips_needed(const Network& network, const Settings& settings, double memory);

// `machines`: one section of times per machine.
std::vector<Section> bill(const Network& network, const Settings& settings,
                          std::span<const Machine> machines);

// One sentence: the memory, the machine's number of chips and its speed.
Sentence summary(const Network& network, const Settings& settings, const Machine& machine);

// "the larger of bytes / bandwidth and FLOPs / peak", with the numbers of this work.
Step larger_of(const Work& work, double bandwidth, double peak);
// Work of a training step with these settings.
Work training_work(const Network& network, const Settings& settings);
// "1.2 ms", "12,300 s".
std::string time_text(double seconds);

// "16.1 GB", "1.2 ms", "5.12 TFLOP": three significant digits.
std::string with_prefix(double value, std::string_view unit);
// A text that needs no translation as a sentence.
Sentence plain(std::string text);
// "12,300": three significant digits.
std::string rounded(double value);
// "1,024"
std::string whole_text(double count);
// "17.2 GB (16.0 GiB)": tools print either unit.
Sentence memory_text(double value);
// "8.03 billion" as a sentence.
Sentence count_text(double value);

}  // namespace figures::costs
