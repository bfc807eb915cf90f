#include "figures/models/data_sheets.hpp"

namespace figures::models {
namespace {

enum Has : unsigned { link = 1, power = 2, achieved = 4, pod = 8, no_year = 16 };

// The facts of a chip. An announced chip has claims, whose ids have no dot.
struct Source {
  std::string_view id;
  bool announced;
  std::array<std::string_view, widths>
      peaks;  // formats; the 8-bit rate of the V100 is not for matrices
  unsigned has;
  std::string_view other_bandwidth = {}, other_part = {};

  std::string fact(std::string_view what) const {
    std::string name = std::string(id) + "." + std::string(what);
    for (char& letter : name)
      if (announced && letter == '.') letter = '-';
    return name;
  }
};
constexpr Source sources[data_sheet_count] = {
    {"v100-sxm2-32", false, {"fp16"}, link | power},
    {"tpu-v2", false, {"bf16"}, link | power},
    {"tpu-v3", false, {"bf16"}, link | power},
    {"tpu-v4", false, {"bf16", "int8"}, link | power},
    {"a100-sxm-80",
     false,
     {"bf16", "int8", "int4"},
     link | power | achieved,
     "a100-sxm-40.bandwidth",
     "the 40 GB part"},
    {"h100-sxm", false, {"bf16", "fp8"}, link | power | achieved},
    {"mi300x", false, {"bf16", "fp8"}, link | power | achieved},
    {"tpu-v5e", false, {"bf16", "int8", "int4"}, link},
    {"tpu-v5p", false, {"bf16", "int8"}, link},
    {"h200-sxm", false, {"bf16", "fp8"}, link | power},
    {"b200-sxm",
     false,
     {"bf16", "fp8", "fp4"},
     link | power | achieved,
     "gb200-gpu.bandwidth",
     "the GB200"},
    {"mi325x", false, {"bf16", "fp8"}, link | power | achieved},
    {"tpu-v6e", false, {"bf16", "int8"}, link},
    {"b300-sxm", false, {"bf16", "fp8", "fp4"}, link | power | achieved},
    {"mi355x", false, {"bf16", "fp8", "fp4"}, link | power | achieved},
    {"tpu-v7", false, {"bf16", "fp8"}, link | pod},
    {"rubin", true, {"bf16", "fp8", "fp4"}, link},
    {"tpu-8t", true, {"", "", "fp4"}, link | pod},
    {"tpu-8i", true, {"", "", "fp4"}, 0},
    {"mi455x", true, {"bf16", "", "fp4"}, no_year, "mi455x-bandwidth-first", "an earlier month"},
};
static_assert([] {
  for (int i = 0; i < data_sheet_count; ++i)
    if (sources[i].id != data_sheet_choices[i].id) return false;
  return true;
}());

// Calls `take` with every fact of a source and the member that it fills.
template <class Take>
void each_fact(const Source& source, DataSheet& sheet, const Take& take) {
  take(source.fact("bandwidth"), sheet.bandwidth);
  take(source.fact("memory"), sheet.memory);
  for (std::size_t i = 0; i < widths; ++i)
    if (!source.peaks[i].empty())
      take(source.fact("peak." + std::string(source.peaks[i])), sheet.peak[i]);
  if (!(source.has & no_year)) take(source.fact("year"), sheet.year);
  if (source.has & link) take(source.fact("link"), sheet.link);
  if (source.has & power) take(source.fact("power"), sheet.power);
  if (source.has & achieved) take(source.fact("achieved.bf16"), sheet.achieved);
  if (source.has & pod) {
    take(source.fact("ici.pod"), sheet.pod);
    take(source.fact("pod-peak"), sheet.pod_peak);
  }
  if (!source.other_bandwidth.empty())
    take(std::string(source.other_bandwidth), sheet.other_bandwidth);
}

}  // namespace

DataSheet data_sheet(int index, const Numbers& numbers) {
  const Source& source = sources[index];
  DataSheet sheet;
  sheet.label = data_sheet_choices[index].label;
  sheet.announced = source.announced;
  sheet.other_part = source.other_part;
  each_fact(source, sheet, [&](const std::string& id, double& value) { value = numbers.fact(id); });
  return sheet;
}

std::vector<std::string> data_sheet_facts() {
  std::vector<std::string> ids;
  DataSheet unused;
  for (const Source& source : sources)
    each_fact(source, unused, [&](const std::string& id, double&) { ids.push_back(id); });
  return ids;
}

Reading read_once(const DataSheet& sheet, int width) {
  Reading reading;
  if (!(sheet.seconds_to_read() > 0)) return reading;
  constexpr int parts = 64;
  for (int i = 0; i < parts; ++i) {
    const double seconds = sheet.memory / parts / sheet.bandwidth;
    reading.bytes += sheet.memory / parts;
    reading.seconds += seconds;
    reading.operations += seconds * sheet.peak[width];
  }
  return reading;
}

double fewest_tokens(const DataSheet& sheet, int width) {
  if (!(sheet.tokens(width) > 0)) return 0;
  const double bytes = bits_of[width] / 8.0;  // per weight
  const auto fills = [&](double tokens) {
    return 2 * tokens / sheet.peak[width] >= bytes / sheet.bandwidth;
  };
  double many = 1, few = 0;
  while (!fills(many) && many < 1e15) few = many, many *= 2;
  while (many - few > 1) {
    const double middle = (few + many - (static_cast<long long>(few + many) % 2 ? 1 : 0)) / 2;
    (fills(middle) ? many : few) = middle;
  }
  return many;
}

}  // namespace figures::models
