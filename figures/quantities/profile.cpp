#include "figures/quantities/profile.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/json_reader.hpp"

namespace figures {
namespace {

using nlohmann::json;

constexpr std::size_t largest_text = 4 << 20;
constexpr int deepest_nesting = 16;
constexpr std::size_t most_results = 5000;
constexpr std::size_t most_entries = 500;

// Checked before parsing, so that no parser sees a million brackets.
bool nests_too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if ((c == '{' || c == '[') && ++depth > deepest_nesting) return true;
    if (c == '}' || c == ']') --depth;
  }
  return false;
}

template <class T>
void read_list(const Members& top, std::string_view name, std::size_t most,
               std::optional<Error>& error, std::vector<T>& out, T (*read)(const Members&)) {
  const json* list = top.array(name, most);
  if (list == nullptr) return;
  for (const json& entry : *list) {
    out.push_back(read(Members(entry, top.path(name, out.size()), error)));
    if (error) return;
  }
}

Device read_device(const Members& m) {
  Device out{m.text("id"),           m.text("kind"),  m.text("name"),   m.text("vendor"),
             m.text("architecture"), m.text("state"), m.text("memory"), m.text("timing")};
  for (const std::string& feature : m.texts("features", most_entries))
    out.relaxed |= feature == "relaxed";
  return out;
}

Level read_level(const Members& m) {
  return {m.text("device"),       m.required_text("name"), m.number("bytes"),
          m.number("latency_ns"), m.number("read_gbs"),    m.number("bytes_error")};
}

void read_params(const Members& m, Measurement& out) {
  const json* params = m.object("params");
  if (params == nullptr) return;
  if (params->size() > 32) return m.fail("params", "has too many entries");
  for (const auto& [name, value] : params->items()) {
    if (const std::string* word = value.get_ptr<const std::string*>(); word && name == "variant") {
      out.variant = word->substr(0, 500);
    } else if (value.is_number()) {
      out.params.push_back({name, value.get<double>()});
    } else {
      m.fail("params", "holds something that is not a number");
    }
  }
}

Measurement read_measurement(const Members& m) {
  Measurement out;
  out.kernel = m.required_text("kernel");
  read_params(m, out);
  out.threads = std::max(1, m.integer("threads", 1, 4096));
  out.device = m.text("device");
  out.module = m.text("module");
  const std::string status = m.required_text("status");
  out.measured = status == "measured";
  if (!out.measured && status != "unavailable")
    m.fail("status", "is neither 'measured' nor 'unavailable'");
  out.reason = m.text("reason", 2000);
  out.unit = m.text("unit");
  out.flags = m.texts("flags", 32);
  out.best = m.number("best");
  out.median = m.number("median");
  out.mad = m.number("mad");
  out.p90 = m.number("p90");
  out.p99 = m.number("p99");
  out.flops = m.number("flops");
  out.bytes = m.number("bytes");
  out.verified = m.flag("verified");
  if (const json* choice = m.object("choice")) {
    std::optional<Error> error;
    const Members c(*choice, m.path("choice"), error);
    out.tile = c.integer("tile", 0, 9999);
    out.why = c.text("why", 2000);
    if (error) m.fail("choice", "has a member of the wrong type");
  }
  // The member holds the number of samples, or the samples themselves.
  const json* samples = m.find("samples");
  out.samples = samples && samples->is_array()
                    ? static_cast<int>(std::min<std::size_t>(samples->size(), 1u << 30))
                    : m.integer("samples", 0, 1 << 30);
  if (out.measured && !(out.median > 0)) m.fail("median", "is missing");
  return out;
}

Roof read_roof(const Members& m) {
  Roof out;
  out.device = m.text("device");
  out.unit = m.required_text("unit");
  out.value = m.number("value");
  out.from = m.text("from");
  const json* group = m.object("class");
  if (group == nullptr) return m.fail("class", "is missing"), out;
  std::optional<Error> error;
  const Members c(*group, m.path("class"), error);
  out.isa = c.text("isa");
  out.type = c.text("type");
  out.level = c.text("level");
  out.threads = std::max(1, c.integer("threads", 1, 4096));
  if (error) m.fail("class", "has a member of the wrong type");
  return out;
}

void read_machine(const Members& top, Profile& profile, std::optional<Error>& error) {
  profile.schema = top.integer("schema", 0, 1000);
  if (profile.schema != 1) top.fail("schema", "is not 1: another version of this book wrote it");
  profile.created = top.text("created");
  profile.browser = top.text("browser");
  profile.engine = top.text("engine");
  profile.os = top.text("os");
  profile.name = top.text("name");
  profile.note = top.text("note", 2000);
  profile.isolated = top.flag("isolated");
  profile.timer_us = top.number("timer_us");
  profile.clock_ghz = top.number("clock_ghz");
  if (const json* cores = top.object("cores")) {
    const Members m(*cores, "cores", error);
    profile.cores_reported = m.integer("reported", 0, 1 << 20);
    profile.cores_usable = static_cast<int>(std::min(m.number("usable"), 1e6));
  }
}

const Parameter* find_param(const std::vector<Parameter>& params, std::string_view name) {
  for (const Parameter& one : params)
    if (one.name == name) return &one;
  return nullptr;
}

// A kernel may have gained a parameter after the profile was written, so a missing parameter had
// its default value. A parameter that the kernel does not have makes it a different measurement.
bool same_params(const Measurement& result, const Query& query) {
  for (const Parameter& one : result.params)
    if (find_param(query.params, one.name) == nullptr) return false;
  return std::all_of(query.params.begin(), query.params.end(), [&](const Parameter& wanted) {
    const Parameter* ran = find_param(result.params, wanted.name);
    if (ran == nullptr) ran = find_param(query.defaults, wanted.name);
    return ran != nullptr && ran->value == wanted.value;
  });
}

bool matches(const Measurement& result, const Query& query, std::string_view cpu) {
  if (result.kernel != query.kernel || result.variant != query.variant) return false;
  if (result.threads != query.threads || !same_params(result, query)) return false;
  if (!query.module.empty() && result.module != query.module) return false;
  if (query.device.empty() && is_gpu_kernel(query.kernel)) return true;
  const std::string_view device = query.device.empty() ? cpu : std::string_view(query.device);
  return device == (result.device.empty() ? cpu : std::string_view(result.device));
}

// The rank of a matching result. Measured results come first, then trusted ones, then those of the
// relaxed module; of equal results, the later one counts.
int worth(const Measurement& result) {
  return (result.measured ? 4 : 0) + (result.trusted() ? 2 : 0) +
         (result.module == "relaxed" ? 1 : 0);
}

}  // namespace

bool Measurement::trusted() const {
  constexpr std::string_view bad[] = {"drift",  "disturbed", "beyond-roof", "slow-tier",
                                      "hidden", "untrusted", "software"};
  const bool scattered = mad > median / 2;  // site/runtime/profile/result_text.js
  return verified && !scattered &&
         std::none_of(flags.begin(), flags.end(), [&](const std::string& flag) {
           return std::find(std::begin(bad), std::end(bad), flag) != std::end(bad);
         });
}

double Level::at_least() const { return at_most() - 2 * bytes_error; }
double Level::at_most() const {
  return std::sqrt(bytes * bytes + bytes_error * bytes_error) + bytes_error;
}

double Measurement::param(std::string_view wanted, double fallback) const {
  const Parameter* found = find_param(params, wanted);
  return found ? found->value : fallback;
}

bool is_gpu_kernel(std::string_view id) { return id.substr(0, 4) == "gpu."; }

std::string Profile::cpu() const {
  for (const Device& device : devices)
    if (device.kind == "cpu") return device.id;
  return {};
}

std::string Profile::label() const {
  if (!name.empty()) return name;
  for (const Device& device : devices)
    if (device.kind == "cpu" && !device.name.empty()) return device.name;
  return browser.empty() ? "this machine" : browser + (os.empty() ? "" : " on " + os);
}

const Measurement* Profile::find(const Query& query) const {
  const std::string processor = cpu();
  const Measurement* best = nullptr;
  for (const Measurement& result : results)
    if (matches(result, query, processor) && (best == nullptr || worth(result) >= worth(*best)))
      best = &result;
  return best;
}

bool Profile::has_relaxed_simd() const {
  for (const Device& device : devices)
    if (device.kind == "cpu") return device.relaxed;
  return false;
}

const Roof* Profile::compute_roof(std::string_view isa, int threads) const {
  const std::string processor = cpu();
  for (const Roof& roof : roofs)
    if (!roof.is_bandwidth() && roof.isa == isa && roof.threads == threads &&
        (roof.device.empty() || roof.device == processor))
      return &roof;
  return nullptr;
}

const Roof* Profile::gpu_roof(std::string_view wanted) const {
  const auto owner = std::find_if(devices.begin(), devices.end(), [](const Device& device) {
    return device.kind == "gpu" && device.state == "hardware";
  });
  if (owner == devices.end()) return nullptr;
  for (const Roof& roof : roofs)
    if (roof.device == owner->id && (roof.is_bandwidth() ? roof.level : roof.type) == wanted)
      return &roof;
  return nullptr;
}

bool is_cache(std::string_view level) {
  return level.size() == 2 && level[0] == 'L' && level[1] > '0' && level[1] <= '9';
}

const Level* Profile::level(std::string_view wanted) const {
  const std::string processor = cpu();
  const Level* last = nullptr;
  for (const Level& one : levels) {
    if (!one.device.empty() && one.device != processor) continue;
    if (one.name == wanted) return &one;
    last = &one;
  }
  return wanted == "out" && last != nullptr && !is_cache(last->name) ? last : nullptr;
}

const Roof* Profile::memory_roof(std::string_view wanted, int threads) const {
  const std::string processor = cpu();
  const Level* last = wanted == "out" ? level("out") : nullptr;
  const Roof* found = nullptr;
  for (const Roof& roof : roofs) {
    if (!roof.is_bandwidth() || roof.threads != threads) continue;
    if (!roof.device.empty() && roof.device != processor) continue;
    if (roof.level == wanted) return &roof;
    if (last != nullptr && roof.level == last->name) found = &roof;
  }
  return found;
}

Result<Profile> read_profile(const json& object) {
  std::optional<Error> error;
  Profile profile;
  const Members top(object, "", error);
  if (error) return Error{for_author("a profile is an object")};
  read_machine(top, profile, error);
  read_list(top, "devices", most_entries, error, profile.devices, read_device);
  read_list(top, "levels", most_entries, error, profile.levels, read_level);
  read_list(top, "results", most_results, error, profile.results, read_measurement);
  read_list(top, "roofs", most_entries, error, profile.roofs, read_roof);
  if (error) return *error;
  return profile;
}

Result<Profile> parse_profile(std::string_view text) {
  if (text.size() > largest_text) return Error{"this profile is larger than 4 MiB"};
  if (nests_too_deep(text)) return Error{"this profile nests more than 16 deep"};
  const json object = json::parse(text.begin(), text.end(), nullptr, false);
  if (object.is_discarded()) return Error{"this profile is not JSON"};
  return read_profile(object);
}

}  // namespace figures
