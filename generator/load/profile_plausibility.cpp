#include "generator/load/profile_plausibility.hpp"

#include "figures/base/decimal_text.hpp"

namespace primer {
namespace {

using Found = std::optional<Implausible>;

constexpr double most_clock_ghz = 12, most_flop_a_cycle = 512, most_gflops = 4000;
constexpr double most_cache_gbs = 4000, most_memory_gbs = 1000, least_latency_ns = 0.1;
constexpr int most_cores = 4096;

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

}  // namespace

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
    const auto& roof = profile.roofs[i];
    if (roof.device != cpu || roof.threads != 1) continue;
    if (auto found = roof_fault(profile, roof, i)) return found;
  }
  return std::nullopt;
}

}  // namespace primer
