#include "generator/core/load/profile_validation.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "figures/base/decimal_text.hpp"
#include "figures/quantities/profile.hpp"
#include "generator/core/base/calendar.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/formats/schema.hpp"

namespace primer {
namespace {
// A number that no machine can have measured. The profile was made up, or its clock was wrong.

struct Implausible {
  std::string member;   // "levels[2].read_gbs"
  std::string message;  // why
};

using Found = std::optional<Implausible>;

constexpr double most_clock_ghz = 12, most_flop_a_cycle = 512, most_gflops = 4000;
constexpr double most_cache_gbs = 4000, most_memory_gbs = 1000, least_latency_ns = 0.1;
constexpr int most_cores = 4096;
constexpr double most_of_gpu = 1e7;         // GFLOP/s or GB/s
constexpr double least_roof = 1e-3;         // in the same units
constexpr double most_of_its_roof = 2;      // a kernel that beats its roof raises it
constexpr const char* first_year = "2017";  // first browsers with WebAssembly

std::string digits(double value) { return figures::write_significant(value, 3); }

std::string member_of(const char* list, std::size_t at, const char* name) {
  return list + ('[' + std::to_string(at)) + "]." + name;
}

// Checks a level by itself and against the next level toward the core.
Found level_fault(const figures::Level& level, const figures::Level* inner, std::size_t at) {
  const auto fault = [&](const char* name, std::string message) {
    return Implausible{member_of("levels", at, name), level.name + ": " + std::move(message)};
  };
  if (level.read_gbs > most_cache_gbs)
    return fault("read_gbs", "no core reads " + digits(level.read_gbs) + " GB/s");
  if (level.latency_ns > 0 && level.latency_ns < least_latency_ns)
    return fault("latency_ns",
                 "a latency of " + digits(level.latency_ns) + " ns is too short for any memory");
  if (!inner) return std::nullopt;
  if (level.bytes > 0 && level.bytes < inner->bytes)
    return fault("bytes", "it is smaller than " + inner->name + ", which is closer to the core");
  if (inner->read_gbs > 0 && level.read_gbs > 2 * inner->read_gbs)
    return fault("read_gbs", "it reads " + digits(level.read_gbs / inner->read_gbs) +
                                 " times faster than " + inner->name +
                                 ", which is closer to the core");
  if (level.latency_ns > 0 && level.latency_ns < inner->latency_ns / 2)
    return fault("latency_ns", "its latency is lower than that of " + inner->name +
                                   ", which is closer to the core");
  return std::nullopt;
}

Found roof_fault(const figures::Profile& profile, const figures::Roof& roof, std::size_t at) {
  const auto fault = [&](std::string message) {
    return Implausible{member_of("roofs", at, "value"), std::move(message)};
  };
  if (roof.value < least_roof)
    return fault("a roof of " + digits(roof.value) + ' ' + roof.unit + " is too low to measure");
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
                 digits(roof.value / profile.clock_ghz) + " FLOP per cycle, more than any core");
  return std::nullopt;
}

// The highest compute rate that the roofs of the device allow; nothing if it has none.
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
    return fault("median", result.median, " is too short for any memory");
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

// Whether the text after a date is empty or a time: "T18:05:58.776Z".
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

// Why nobody can have measured at this time, "2026-11-21T18:05:58Z" or "2026-11-21", if today is
// `latest`. Empty if it is possible.
std::string date_of_measuring_fault(const std::string& date, const std::string& latest) {
  const std::string day = date.substr(0, 10);
  if (const auto fault = date_fault(day, latest)) return *fault;
  if (!is_time(std::string_view(date).substr(day.size())))
    return "expected a time after " + day + ", such as T18:05:58Z";
  return day < first_year ? "browsers ran no WebAssembly on " + day : "";
}

// The first impossible number. The limits are far above existing hardware, so they catch mistakes
// and not records.
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

// Reports unknown kernels and parameters. Such a result would match no question of a chapter and be
// silently unused. Returns false if there are any.
bool check_names(const JsonFile& file, const figures::Catalogue& catalogue,
                 Diagnostics& diagnostics) {
  std::vector<std::string> ids;
  for (const auto& kernel : catalogue.all()) ids.push_back(kernel.id);
  bool all_known = true;
  const auto unknown = [&](Rule rule, const JsonPlace& place, bool key, std::string message,
                           std::string suggestion) {
    all_known = false;
    diagnostics.error(rule, file.source, key ? place.key_offset : place.offset,
                      key ? place.key_length : place.length, std::move(message),
                      std::move(suggestion));
  };
  const auto results = file.value.find("results");
  for (std::size_t i = 0; results != file.value.end() && i < results->size(); ++i) {
    if (diagnostics.full(file.source.path())) break;  // finding each position scans the file
    const auto& result = (*results)[i];
    const auto place = [&](const std::string& member) {
      return json_place(file, "results[" + std::to_string(i) + "]." + member);
    };
    const std::string id = result["kernel"];
    const std::string variant = result["params"].value("variant", "");
    const auto* kernel = catalogue.find(id, variant);
    if (kernel == nullptr) {
      if (std::find(ids.begin(), ids.end(), id) != ids.end()) {
        unknown(Rule::unknown_kernel, place("params.variant"), false,
                id + " has no variant " + in_quotes(variant), "");
      } else {
        unknown(Rule::unknown_kernel, place("kernel"), false,
                "no kernel has the id " + in_quotes(id), nearest(id, ids));
      }
      continue;
    }
    std::vector<std::string> params{"variant"};
    for (const auto& param : kernel->params) params.push_back(param.name);
    for (const auto& [name, value] : result["params"].items()) {
      if (std::find(params.begin(), params.end(), name) != params.end()) continue;
      if (diagnostics.full(file.source.path())) break;
      unknown(Rule::unknown_key, place("params." + name), true,
              id + " has no parameter " + in_quotes(name), nearest(name, params));
    }
  }
  return all_known;
}

std::optional<Implausible> date_fault_of(const JsonFile& file, const std::string& latest) {
  for (const char* member : {"created", "date"}) {
    const auto text = file.value.value(member, std::string());
    const std::string fault = text.empty() ? "" : date_of_measuring_fault(text, latest);
    if (!fault.empty()) return Implausible{member, fault};
  }
  return std::nullopt;
}

}  // namespace

std::optional<figures::Profile> validate_profile(const JsonFile& file,
                                                 const figures::Catalogue& catalogue,
                                                 Diagnostics& diagnostics,
                                                 const std::string& latest) {
  if (!conforms("profile", "the profile", file, diagnostics)) return std::nullopt;
  auto profile = figures::parse_profile(file.source.text());
  if (!profile) {
    json_error(file, profile.error().path, profile.error().message, diagnostics).rule =
        Rule::bad_value;
    return std::nullopt;
  }
  if (!check_names(file, catalogue, diagnostics)) return std::nullopt;
  auto fault = date_fault_of(file, latest);
  if (!fault) fault = implausible(*profile);
  if (fault) {
    json_error(file, fault->member, fault->message, diagnostics).rule = Rule::bad_value;
    diagnostics.hint("no machine can measure this: the numbers are invented, or a clock was wrong");
    return std::nullopt;
  }
  return std::move(*profile);
}

}  // namespace primer
