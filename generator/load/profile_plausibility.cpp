#include "generator/load/profile_plausibility.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "figures/base/decimal_text.hpp"
#include "generator/base/calendar.hpp"

namespace primer {
namespace {

using Found = std::optional<Implausible>;

constexpr double most_clock_ghz = 12, most_flop_a_cycle = 512, most_gflops = 4000;
constexpr double most_cache_gbs = 4000, most_memory_gbs = 1000, least_latency_ns = 0.1;
constexpr int most_cores = 4096;
constexpr double most_of_gpu = 1e7;         // GFLOP/s or GB/s
constexpr double least_roof = 1e-3;         // likewise
constexpr double most_of_its_roof = 2;      // a kernel that beats its roof lifts it
constexpr const char* first_year = "2017";  // of WebAssembly in browsers

std::string digits(double value) { return figures::write_significant(value, 3); }

std::string member_of(const char* list, std::size_t at, const char* name) {
  return list + ('[' + std::to_string(at)) + "]." + name;
}

// A level by itself, and beside the one nearer to the core.
Found level_fault(const figures::Level& level, const figures::Level* inner, std::size_t at) {
  const auto fault = [&](const char* name, std::string message) {
    return Implausible{member_of("levels", at, name), level.name + ": " + std::move(message)};
  };
  if (level.read_gbs > most_cache_gbs)
    return fault("read_gbs", "no core reads " + digits(level.read_gbs) + " GB/s");
  if (level.latency_ns > 0 && level.latency_ns < least_latency_ns)
    return fault("latency_ns", "nothing answers within " + digits(level.latency_ns) + " ns");
  if (!inner) return std::nullopt;
  if (level.bytes > 0 && level.bytes < inner->bytes)
    return fault("bytes", "it is smaller than " + inner->name + ", which lies nearer to the core");
  if (inner->read_gbs > 0 && level.read_gbs > 2 * inner->read_gbs)
    return fault("read_gbs", "it reads " + digits(level.read_gbs / inner->read_gbs) +
                                 " times as fast as " + inner->name +
                                 ", which lies nearer to the core");
  if (level.latency_ns > 0 && level.latency_ns < inner->latency_ns / 2)
    return fault("latency_ns",
                 "it answers sooner than " + inner->name + ", which lies nearer to the core");
  return std::nullopt;
}

Found roof_fault(const figures::Profile& profile, const figures::Roof& roof, std::size_t at) {
  const auto fault = [&](std::string message) {
    return Implausible{member_of("roofs", at, "value"), std::move(message)};
  };
  if (roof.value < least_roof)
    return fault("below a roof of " + digits(roof.value) + ' ' + roof.unit +
                 " nothing can be measured");
  if (roof.device != profile.cpu()) {
    if (roof.value > most_of_gpu)
      return fault("no GPU reaches " + digits(roof.value) + ' ' + roof.unit);
    return std::nullopt;
  }
  if (roof.threads != 1) return std::nullopt;
  if (roof.is_bandwidth()) {
    if (roof.level == "out" && roof.value > most_memory_gbs)
      return fault("no core reads its memory at " + digits(roof.value) + " GB/s");
    return std::nullopt;
  }
  if (roof.value > most_gflops) return fault("no core computes " + digits(roof.value) + " GFLOP/s");
  if (profile.clock_ghz > 0 && roof.value > most_flop_a_cycle * profile.clock_ghz)
    return fault("at " + digits(profile.clock_ghz) + " GHz that is " +
                 digits(roof.value / profile.clock_ghz) + " FLOP in each cycle");
  return std::nullopt;
}

// What a measurement of arithmetic can reach by the roofs of its device; nothing where there are none.
std::optional<double> highest_roof(const figures::Profile& profile,
                                   const figures::Measurement& result) {
  double highest = 0;
  for (const auto& roof : profile.roofs) {
    if (roof.device != result.device || roof.unit != result.unit) continue;
    highest = std::max(highest, roof.value * std::max(1.0, double(result.threads) / roof.threads));
  }
  if (highest == 0) return std::nullopt;
  return highest;
}

Found result_fault(const figures::Profile& profile, const figures::Measurement& result,
                   std::size_t at) {
  if (!result.measured) return std::nullopt;
  const auto fault = [&](const char* name, double value, const std::string& why) {
    return Implausible{member_of("results", at, name),
                       result.kernel + " at " + digits(value) + ' ' + result.unit + why};
  };
  if (result.unit == "ns" && result.median < least_latency_ns)
    return fault("median", result.median, " is sooner than anything answers");
  if (!result.unit.ends_with("/s")) return std::nullopt;
  const bool on_cpu = result.device == profile.cpu();
  const bool is_bandwidth = result.unit == "GB/s";
  const auto roof = is_bandwidth || !on_cpu ? std::nullopt : highest_roof(profile, result);
  const double most = (is_bandwidth ? most_cache_gbs : most_gflops) * result.threads;
  const std::pair<const char*, double> values[] = {{"median", result.median},
                                                   {"best", result.best}};
  for (const auto& [name, value] : values) {
    if (value > (on_cpu ? most : most_of_gpu)) return fault(name, value, " is beyond any machine");
    if (roof && value > most_of_its_roof * *roof)
      return fault(name, value, " is far above its roof, " + digits(*roof) + ' ' + result.unit);
  }
  return std::nullopt;
}

// Whether what follows a day is nothing or a time: "T18:05:58.776Z".
bool is_time(std::string_view text) {
  if (text.empty()) return true;
  const auto part = [&](std::size_t at, int most) {
    int value = -1;
    if (text.size() >= at + 2) std::from_chars(text.data() + at, text.data() + at + 2, value);
    return value >= 0 && value <= most;
  };
  return text.size() >= 6 && text[0] == 'T' && text[3] == ':' && part(1, 23) && part(4, 59) &&
         (text.size() < 9 || text[6] != ':' || part(7, 60));
}

}  // namespace

std::string date_of_measuring_fault(const std::string& date, const std::string& latest) {
  const std::string day = date.substr(0, 10);
  if (const auto fault = date_fault(day, latest)) return *fault;
  if (!is_time(std::string_view(date).substr(day.size())))
    return "behind " + day + " a time is expected, such as T18:05:58Z";
  return day < first_year ? "browsers ran no WebAssembly on " + day : "";
}

std::optional<Implausible> implausible(const figures::Profile& profile) {
  if (profile.clock_ghz > most_clock_ghz)
    return Implausible{"clock_ghz", "no processor runs at " + digits(profile.clock_ghz) + " GHz"};
  if (profile.cores_usable > most_cores)
    return Implausible{"cores.usable",
                       "no page can use " + std::to_string(profile.cores_usable) + " cores"};
  const std::string cpu = profile.cpu();
  const figures::Level* inner = nullptr;
  for (std::size_t i = 0; i < profile.levels.size(); ++i) {
    const auto& level = profile.levels[i];
    if (level.device != cpu) continue;
    if (auto found = level_fault(level, inner, i)) return found;
    inner = &level;
  }
  for (std::size_t i = 0; i < profile.roofs.size(); ++i) {
    if (auto found = roof_fault(profile, profile.roofs[i], i)) return found;
  }
  for (std::size_t i = 0; i < profile.results.size(); ++i) {
    if (auto found = result_fault(profile, profile.results[i], i)) return found;
  }
  return std::nullopt;
}

}  // namespace primer
