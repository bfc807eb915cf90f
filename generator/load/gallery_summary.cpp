#include "generator/load/gallery_summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "generator/formats/json_file.hpp"
#include "generator/formats/schema.hpp"

namespace primer {
namespace {

// What the schema cannot say: percentiles do not fall, and the bars hold each machine once.
bool adds_up(const JsonFile& file, const std::string& name, const Spread& spread,
             Diagnostics& diagnostics) {
  if (!std::ranges::is_sorted(spread.percentiles)) {
    json_error(file, name + ".percentiles", "a percentile is less than the one before it",
               diagnostics);
    return false;
  }
  const auto sum = std::accumulate(spread.bars.begin(), spread.bars.end(), std::uint64_t{0});
  if (sum == spread.machines) return true;
  json_error(file, name + ".bars",
             "these are " + std::to_string(sum) + " machines, and there are " +
                 std::to_string(spread.machines),
             diagnostics);
  return false;
}

}  // namespace

double Spread::at(double share) const {
  const auto last = static_cast<double>(percentiles.size() - 1);
  return percentiles[static_cast<std::size_t>(std::lround(share * last))];
}

Spread spread_of(std::vector<double> values) {
  std::ranges::sort(values);
  Spread spread{{}, std::vector<std::uint64_t>(Spread::bar_count), values.size()};
  const auto last = static_cast<double>(values.size() - 1);
  for (int i = 0; i <= 100; ++i)
    spread.percentiles.push_back(values[static_cast<std::size_t>(std::lround(i / 100.0 * last))]);
  const double low = std::log(values.front()), high = std::log(values.back());
  const double step = std::max(high - low, 1e-9) / static_cast<double>(Spread::bar_count);
  for (const double value : values) {
    const auto bar = static_cast<std::size_t>((std::log(value) - low) / step);
    ++spread.bars[std::min(bar, Spread::bar_count - 1)];
  }
  return spread;
}

std::optional<GallerySummary> load_gallery_summary(const FileSystem& files,
                                                   Diagnostics& diagnostics, Cache* cache) {
  const auto file = read_json(files, gallery_summary_file, diagnostics);
  if (!file || !conforms("gallery", "the summary", *file, diagnostics, cache)) return std::nullopt;
  const nlohmann::json& value = file->value;
  GallerySummary summary;
  summary.first = value.at("first");
  summary.last = value.at("last");
  for (const auto& [why, count] : value.at("left_out").items())
    summary.left_out += count.get<std::uint64_t>();
  bool good = true;
  for (const auto& [name, spread] :
       {std::pair("arithmetic", &summary.arithmetic), std::pair("memory", &summary.memory)}) {
    const auto& of = value.at(name);
    *spread = {of.at("percentiles"), of.at("bars"), value.at("machines")};
    good = adds_up(*file, name, *spread, diagnostics) && good;
  }
  if (!good) return std::nullopt;
  summary.text = digest(file->source.text());
  return summary;
}

}  // namespace primer
