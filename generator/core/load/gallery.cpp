#include "generator/core/load/gallery.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/formats/schema.hpp"
#include "generator/core/load/profile_validation.hpp"

namespace primer {
namespace {
constexpr std::string_view profiles_folder = "figures/profiles/", profiles_ending = ".json";

// A file that may become part of the gallery.
struct Candidate {
  std::string name;
  std::optional<RecordedMachine> machine;
  Diagnostics diagnostics;
};

// Equal for two submissions of the same run under different names or notes, because no two runs
// measure the same numbers to the last digit.
Digest numbers_of(const figures::Profile& profile) {
  Packer packer;
  for (const auto& roof : profile.roofs) packer.add(roof.value);
  for (const auto& level : profile.levels) packer.add(level.read_gbs), packer.add(level.latency_ns);
  for (const auto& result : profile.results) packer.add(result.median);
  return packer.bytes.empty() ? absent : digest(packer.bytes);
}

std::string brief_of(const nlohmann::json& profile) {
  if (!profile.contains("roofs")) return {};
  nlohmann::json machine;
  for (const char* member : {"name", "roofs"}) {
    if (profile.contains(member)) machine[member] = profile[member];
  }
  return machine.dump();
}

RecordedMachine machine_of(const figures::Profile& profile, const JsonFile& file) {
  RecordedMachine machine{profile.label(),     profile.browser, profile.os,
                          profile.created,     profile.note,    brief_of(file.value),
                          profile.cores_usable};
  for (const char* isa : {"fma", "simd"}) {
    const figures::Roof* roof = profile.compute_roof(isa);
    if (roof) machine.arithmetic = std::max(machine.arithmetic, roof->value * 1e9);
  }
  const figures::Roof* memory = profile.memory_roof("out");
  if (memory) machine.memory = memory->value * 1e9;
  if (const figures::Roof* roof = profile.gpu_roof("f32"))
    machine.gpu_arithmetic = roof->value * 1e9;
  if (const figures::Roof* roof = profile.gpu_roof("out")) machine.gpu_memory = roof->value * 1e9;
  machine.text = digest(file.source.text());
  machine.numbers = numbers_of(profile);
  return machine;
}

std::optional<RecordedMachine> read_machine(const std::string& path, const std::string& text,
                                            const Values& values, Diagnostics& diagnostics,
                                            Cache* cache) {
  const std::string key =
      pack("a machine of the gallery, its GPU too", digest(text), values.kernels->version());
  if (const auto kept = cache ? cache->find(Cache::Kind::checked, key) : std::nullopt) {
    RecordedMachine machine;
    if (unpack(*kept, machine)) return machine;
  }
  const auto file = parse_json(path, text, diagnostics);
  if (!file) return std::nullopt;
  const auto profile = validate_profile(*file, values.catalogue, diagnostics, values.latest);
  if (!profile) return std::nullopt;
  auto machine = machine_of(*profile, *file);
  if (cache) cache->store(Cache::Kind::checked, key, pack(machine));
  return machine;
}

void read_candidate(const FileSystem& files, const Values& values, Cache* cache, Candidate& one) {
  const std::string path = profile_path(one.name);
  if (!is_identifier(one.name)) {
    one.diagnostics.error(
        Rule::bad_id, path,
        "bad name for a profile: expected lower-case letters, digits and hyphens, beginning with "
        "a letter");
    return;
  }
  const auto text = files.read(path);
  if (text) one.machine = read_machine(path, *text, values, one.diagnostics, cache);
  else report_unreadable(files, path, one.diagnostics);
}

// If several files have the same measurements, keeps the reference, otherwise the first by name.
void leave_out_twins(const FileSystem& files, const std::string& reference, Gallery& gallery,
                     Diagnostics& diagnostics) {
  std::map<Digest, std::string> first;
  if (const auto found = gallery.find(reference); found != gallery.end())
    first.emplace(found->second.numbers, reference);
  std::erase_if(gallery, [&](const auto& item) {
    const auto& [name, machine] = item;
    if (machine.numbers == absent) return false;
    const auto [twin, is_new] = first.emplace(machine.numbers, name);
    if (is_new || twin->second == name) return false;
    const Source source(profile_path(name), files.read(profile_path(name)).value_or(""));
    diagnostics.warning(
        Rule::duplicate_id, source, 0, 1,
        "this profile has the same measurements as " + in_quotes(profile_path(twin->second)));
    diagnostics.hint("remove one of the two");
    return true;
  });
}

}  // namespace

std::string profile_path(const std::string& name) {
  return std::string(profiles_folder) + name + std::string(profiles_ending);
}

std::optional<std::string> profile_name(std::string_view path) {
  if (!path.starts_with(profiles_folder) || !path.ends_with(profiles_ending)) return std::nullopt;
  path.remove_prefix(profiles_folder.size());
  path.remove_suffix(profiles_ending.size());
  return std::string(path);
}

std::string valid_profile_key(std::string_view text) {
  return pack("a valid profile", digest(text));
}

Gallery load_gallery(const FileSystem& files, const std::string& reference, const Values& values,
                     Diagnostics& diagnostics, Cache* cache, const Tasks& tasks, Gallery known) {
  std::vector<Candidate> all;
  for (const auto& path : files.list("figures/profiles")) {
    auto name = profile_name(path);
    if (name && !known.contains(*name)) all.emplace_back().name = std::move(*name);
  }
  tasks.each(all.size(), [&](std::size_t i) { read_candidate(files, values, cache, all[i]); });
  Gallery gallery = std::move(known);
  for (auto& [name, machine, own] : all) {
    if (machine) gallery.emplace(name, std::move(*machine));
    if (name != reference) diagnostics.append(std::move(own));
  }
  leave_out_twins(files, reference, gallery, diagnostics);
  return gallery;
}

namespace {
// Checks what the schema cannot express: percentiles do not decrease, and the bars count each
// machine once.
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
             "the bars add up to " + std::to_string(sum) + " machines; expected " +
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
