#include "figures/spec/measured.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "figures/quantities/quantity.hpp"

namespace figures {
namespace {

bool has_params(const Measurement& result, const std::vector<Parameter>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const Parameter& one) {
    return std::any_of(result.params.begin(), result.params.end(), [&](const Parameter& other) {
      return other.name == one.name && other.value == one.value;
    });
  });
}

// Counts parameters that are not zero and were not requested, because each one narrows the result
// (to a slice of some rows, for example).
int extra_params(const Measurement& result, const std::vector<Parameter>& wanted) {
  const auto set = [](const Parameter& one) { return one.value != 0; };
  return static_cast<int>(std::count_if(result.params.begin(), result.params.end(), set)) -
         static_cast<int>(std::count_if(wanted.begin(), wanted.end(), set));
}

double parameter_value(Fields& fields, const std::string& name, const nlohmann::json& value) {
  if (value.is_number() && std::isfinite(value.get<double>())) return value.get<double>();
  if (const auto* text = value.get_ptr<const std::string*>()) {
    const Result<Literal> literal = parse_literal(*text);
    if (literal) return literal->quantity.value;
    fields.fail(for_author("params.", name), literal.error());
  }
  return 0;
}

}  // namespace

MeasurementRef read_measurement_ref(Fields& fields) {
  MeasurementRef ref;
  ref.kernel = fields.text("kernel");
  ref.variant = fields.text("variant");
  ref.threads = static_cast<int>(std::clamp(fields.number("threads", 1), 1.0, 4096.0));
  const nlohmann::json* params = fields.member("params");
  if (params == nullptr || !params->is_object()) return ref;
  for (const auto& [name, value] : params->items())
    ref.params.push_back({name, parameter_value(fields, name, value)});
  return ref;
}

const Measurement* find_trusted(const Profile* profile, const MeasurementRef& ref) {
  if (profile == nullptr) return nullptr;
  const std::string cpu = profile->cpu();
  const Measurement* best = nullptr;
  const auto rank = [&](const Measurement& result) {
    return std::pair(-extra_params(result, ref.params), result.module == "relaxed");
  };
  for (const Measurement& result : profile->results) {
    if (result.kernel != ref.kernel || result.variant != ref.variant) continue;
    if (result.threads != ref.threads || !has_params(result, ref.params)) continue;
    if (!result.measured || !result.trusted() || !(result.median > 0)) continue;
    const bool own = result.device.empty() || result.device == cpu;
    if (!own && !is_gpu_kernel(ref.kernel)) continue;
    if (best == nullptr || rank(result) >= rank(*best)) best = &result;
  }
  return best;
}

double in_base_units(const Measurement& result, double value) {
  if (result.unit == "GFLOP/s" || result.unit == "Gop/s" || result.unit == "GB/s")
    return value * 1e9;
  return result.unit == "ns" ? value * 1e-9 : 0;
}

const Roof* highest_ceiling(const Profile& profile, int threads) {
  const Roof* highest = nullptr;
  for (const std::string_view isa : {"fma", "simd", "scalar"}) {
    const Roof* roof = profile.compute_roof(isa, threads);
    if (is_drawable(roof) && (highest == nullptr || roof->value > highest->value)) highest = roof;
  }
  return highest;
}

bool is_drawable(const Roof* roof) {
  return roof != nullptr && roof->value > 1e-6 && roof->value < 1e9;
}

bool has_roofs(const Profile* profile) {
  return profile != nullptr && highest_ceiling(*profile) != nullptr &&
         is_drawable(profile->memory_roof("out"));
}

bool has_gpu_roofs(const Profile* profile) {
  return profile != nullptr && is_drawable(profile->gpu_roof("f32")) &&
         is_drawable(profile->gpu_roof("out"));
}

std::string innermost_level(const Profile& profile) {
  const std::string first = level_holding(profile, 0);
  return first.empty() ? "out" : first;
}

std::string level_holding(const Profile& profile, double bytes) {
  const std::string cpu = profile.cpu();
  std::string outermost;
  for (const Level& level : profile.levels) {
    if (!level.device.empty() && level.device != cpu) continue;
    const Roof* roof = profile.memory_roof(level.name);
    if (!is_drawable(roof)) continue;
    outermost = level.name;
    if (level.bytes >= bytes) return level.name;
  }
  return outermost;
}

std::string isa_words(std::string_view isa) {
  if (isa == "fma") return "FMA";
  if (isa == "simd") return "SIMD";
  if (isa == "i8dot") return "8-bit dot";
  return std::string(isa);
}

std::string level_words(std::string_view level) {
  return level == "out" ? "slowest" : std::string(level);
}

}  // namespace figures
