#include "figures/quantities/notation.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "figures/base/nearest.hpp"
#include "figures/base/portable_math.hpp"

namespace figures {
namespace {

constexpr Dimension byte_rate{0, 1, -1, 0, 0, 0}, byte_amount{0, 1, 0, 0, 0, 0},
    flop_amount{1, 0, 0, 0, 0, 0}, seconds{0, 0, 1, 0, 0, 0}, hertz{0, 0, -1, 0, 0, 0};

constexpr std::string_view classes[] = {"fma", "simd", "scalar", "i8dot"};

std::string_view head_of(std::string_view id) { return id.substr(0, id.find('.')); }
std::string_view tail_of(std::string_view id) {
  const std::size_t dot = id.find('.');
  return dot == id.npos ? std::string_view() : id.substr(dot + 1);
}

bool is_class(std::string_view text) {
  return std::find(std::begin(classes), std::end(classes), text) != std::end(classes);
}

Error missing(std::string what) { return {std::move(what), 0, 0, {}, Cause::not_measured}; }

Error invalid(const Argument& argument, std::string_view message,
              std::string_view suggestion = {}) {
  return {message, argument.offset, argument.name.size(), suggestion};
}

// Converts a result to base units. Error: a unit that no kernel has.
Result<Quantity> with_unit(double value, const std::string& unit) {
  const Result<Unit> parsed = parse_unit(unit);
  if (!parsed)
    return Error{for_author("the profile has the unknown unit '", unit.substr(0, 20), "'")};
  return Quantity{value * parsed->scale, parsed->dimension};
}

// The number of threads of a name: {threads=…}, or 1.
Result<int> threads_of(const Name& name) {
  int threads = 1;
  for (const Argument& argument : name.arguments) {
    if (argument.name != "threads")
      return invalid(argument, for_author("'", name.id, "' has no parameter '", argument.name, "'"),
                     "threads");
    const double value = argument.number.value;
    if (!argument.word.empty() || !(value >= 1 && value <= 4096) ||
        value != static_cast<int>(value))
      return invalid(argument, for_author("threads is a whole number"));
    threads = static_cast<int>(value);
  }
  return threads;
}

// The ceiling for `isa`. Falls back unless `strict`: without FMA, a multiply-add is two operations.
// A browser with relaxed SIMD has all of these instructions, even if one could not be measured.
const Roof* ceiling(const Profile& profile, std::string_view isa, int threads, bool strict) {
  constexpr std::array<std::string_view, 3> order = {"fma", "simd", "scalar"};
  auto from = std::find(order.begin(), order.end(), isa);
  if (strict || from == order.end() || profile.has_relaxed_simd())
    return profile.compute_roof(isa, threads);
  for (; from != order.end(); ++from)
    if (const Roof* roof = profile.compute_roof(*from, threads)) return roof;
  return nullptr;
}

double slope(const Profile& profile, std::string_view level, int threads) {
  if (const Roof* roof = profile.memory_roof(level, threads)) return roof->value;
  const Level* found = threads == 1 ? profile.level(level) : nullptr;
  return found ? found->read_gbs : 0;
}

std::string with_threads(std::string text, int threads) {
  return threads == 1 ? text : text + " with " + fixed(threads, 0) + " threads";
}

Result<Quantity> peak_rate(const Profile& profile, std::string_view isa, int threads, bool strict) {
  const Roof* roof = ceiling(profile, isa, threads, strict);
  if (roof == nullptr || !(roof->value > 0)) {
    // The probe may know the reason: "this browser has no relaxed SIMD".
    for (const Measurement& probe : profile.results)
      if (!probe.measured && !probe.reason.empty() && probe.kernel == "peak." + std::string(isa))
        return Error{probe.reason, 0, 0, {}, Cause::unavailable};
    return missing(with_threads("no " + std::string(isa) + " roof has been measured", threads));
  }
  return with_unit(roof->value, roof->unit);
}

// The error for an unknown level. If cache sizes were found, a number beyond the last cache is no
// cache of this machine; otherwise nothing is known.
Error no_level(const Profile& profile, std::string_view level, std::string_view what) {
  int caches = 0;
  bool counted = false;
  const std::string processor = profile.cpu();
  for (const Level& one : profile.levels) {
    if (!one.device.empty() && one.device != processor) continue;
    if (one.name.size() != 2 || one.name[0] != 'L') continue;
    ++caches;
    counted = counted || one.bytes > 0;
  }
  if (counted && is_cache(level) && level[1] - '0' > caches)
    return Error{"this machine's curves show " + fixed(caches, 0) +
                     (caches == 1 ? " cache" : " caches") + ", and no " + std::string(level),
                 0,
                 0,
                 {},
                 Cause::unavailable};
  return missing(std::string(what));
}

Result<Quantity> read_bandwidth(const Profile& profile, std::string_view level, int threads) {
  const double value = slope(profile, level, threads);
  if (value > 0) return Quantity{value * 1e9, byte_rate};
  return no_level(
      profile, level,
      with_threads("no bandwidth of level '" + std::string(level) + "' has been measured",
                   threads));
}

Result<Quantity> ridge(const Profile& profile, std::string_view isa, std::string_view level,
                       int threads, bool strict) {
  const Result<Quantity> peak = peak_rate(profile, isa, threads, strict);
  const Result<Quantity> bandwidth = read_bandwidth(profile, level, threads);
  if (!peak) return peak;
  if (!bandwidth) return bandwidth;
  return Quantity{peak->value / bandwidth->value, peak->dimension - bandwidth->dimension};
}

Result<Quantity> positive(double value, Dimension dimension, std::string_view what) {
  if (value > 0) return Quantity{value, dimension};
  return missing(std::string(what) + " has not been measured");
}

// The value of one of the machine's notation names, from an existing profile.
Result<Quantity> machine_value(const Profile& p, std::string_view id, int threads, bool strict) {
  const std::string_view head = head_of(id), tail = tail_of(id);
  if (head == "P") return peak_rate(p, tail.empty() ? "fma" : tail, threads, strict);
  if (head == "B") return read_bandwidth(p, tail.empty() ? "out" : tail, threads);
  if (head == "ridge") {
    const std::string_view isa = tail.empty() ? "fma" : head_of(tail);
    const std::string_view level = tail_of(tail);
    return ridge(p, isa, level.empty() ? "out" : level, threads, strict);
  }
  if (head == "clock") return positive(p.clock_ghz * 1e9, hertz, "the clock");
  if (head == "timer") return positive(p.timer_us * 1e-6, seconds, "the timer's tick");
  if (head == "cores")
    return positive(p.cores_usable > 0 ? p.cores_usable : p.cores_reported, {},
                    "the number of cores");
  const Level* level = p.level(tail);
  const std::string what = (head == "lat" ? "the latency of " : "the size of ") + std::string(tail);
  if (level == nullptr) return no_level(p, tail, what + " has not been measured");
  if (head == "lat") return positive(level->latency_ns * 1e-9, seconds, what);
  return positive(level->bytes, byte_amount, what);
}

// Whether this is a notation name: P.<class>, B.<level>, ridge.<class>.<level>, lat.<level>, …
bool is_machine_name(std::string_view id) {
  const std::string_view head = head_of(id), tail = tail_of(id);
  if (head == "P") return tail.empty() || is_class(tail);
  if (head == "ridge") return tail.empty() || is_class(head_of(tail));
  if (head == "B") return tail.find('.') == tail.npos;
  if (head == "lat" || head == "size") return !tail.empty() && tail.find('.') == tail.npos;
  return id == "clock" || id == "cores" || id == "timer";
}

double statistic_of(const Measurement& result, std::string_view statistic) {
  if (statistic == "best") return result.best;
  if (statistic == "p90") return result.p90;
  if (statistic == "p99") return result.p99;
  return result.median;
}

// The query for a kernel term: defaults, overridden by the arguments of the term. Error: an unknown
// parameter, a word instead of a number, or a unit of another dimension.
Result<Query> query_of(const Name& name, const KernelInfo& info) {
  Query query;
  query.kernel = info.id;
  query.variant = info.variant;
  for (const KernelParam& param : info.params) query.params.push_back({param.name, param.fallback});
  query.defaults = query.params;
  Nearest nearest("");
  for (const Argument& argument : name.arguments) {
    const bool word = !argument.word.empty();
    if (argument.name == "variant" && word) continue;  // the caller selects the variant
    if (argument.name == "module" && word) {
      query.module = argument.word;
      continue;
    }
    if (argument.name == "device" && word) {
      query.device = argument.word;
      continue;
    }
    const Dimension dimension = argument.number.dimension;
    if (argument.name == "threads" && !word && dimension.is_number()) {
      const double count = argument.number.value;
      if (!(count >= 1 && count <= 4096))
        return invalid(argument, for_author("threads is between 1 and 4096"));
      query.threads = static_cast<int>(count);
      continue;
    }
    std::size_t at = 0;
    while (at < info.params.size() && info.params[at].name != argument.name) ++at;
    if (at == info.params.size()) {
      nearest = Nearest(argument.name);
      for (const KernelParam& param : info.params) nearest.offer(param.name);
      for (const char* other : {"threads", "variant", "module", "device"}) nearest.offer(other);
      return invalid(argument, for_author("'", info.id, "' has no parameter '", argument.name, "'"),
                     nearest.best());
    }
    if (word) return invalid(argument, for_author("'", argument.name, "' is a number"));
    if (!dimension.is_number() && dimension != byte_amount)
      return invalid(argument, for_author("'", argument.name, "' cannot be in ",
                                          [&] { return describe(dimension); }));
    query.params[at].value = argument.number.value;
  }
  return query;
}

Error no_profile() { return missing("nothing has been measured here"); }

}  // namespace

Result<Quantity> Names::lookup(const Name& name) {
  if (!name.function.empty()) return function(name);
  if (is_machine_name(name.id) && name.statistic.empty()) return machine(name, false);
  if (const Result<const KernelInfo*> info = kernel_info(name); !info) {
    return info.error();
  } else if (*info != nullptr) {
    return kernel(name, **info);
  }
  const Fact* fact =
      sources_.facts && name.statistic.empty() ? sources_.facts->find(name.id) : nullptr;
  if (fact == nullptr) return unknown(name);
  if (!name.arguments.empty())
    return invalid(name.arguments.front(),
                   for_author("'", name.id, "' is a fact: it takes no parameters"));
  facts_used_.push_back(fact->id);
  return fact->quantity;
}

bool Names::knows(std::string_view id) const {
  const auto is_it = [&](const KernelInfo& kernel) { return kernel.id == id; };
  return is_machine_name(id) ||
         (sources_.catalogue && std::ranges::any_of(sources_.catalogue->all(), is_it)) ||
         (sources_.facts && sources_.facts->find(id) != nullptr);
}

Result<Quantity> Names::machine(const Name& name, bool strict) {
  const Result<int> threads = threads_of(name);
  if (!threads) return threads.error();
  used_profile_ = true;
  if (sources_.profile == nullptr) return no_profile();
  return machine_value(*sources_.profile, name.id, *threads, strict);
}

Result<Quantity> Names::function(const Name& name) {
  const Result<const KernelInfo*> info = kernel_info(name);
  if (!info) return info.error();
  if (name.function == "measured") {
    Name inner = name;
    inner.function.clear();
    const Result<Quantity> value = *info                      ? kernel(inner, **info)
                                   : is_machine_name(name.id) ? machine(inner, true)
                                                              : Result<Quantity>(unknown(name));
    if (!value && value.error().cause == Cause::invalid) return value;
    return Quantity{value ? 1.0 : 0.0, {}};
  }
  if (*info == nullptr) return unknown(name);
  return work(name, **info);
}

// The kernel of a term; null if its id is no kernel. Error: the kernel has no such variant.
Result<const KernelInfo*> Names::kernel_info(const Name& name) const {
  if (sources_.catalogue == nullptr) return nullptr;
  const Argument* variant = nullptr;
  for (const Argument& argument : name.arguments)
    if (argument.name == "variant" && !argument.word.empty()) variant = &argument;
  if (const KernelInfo* info = sources_.catalogue->find(name.id, variant ? variant->word : ""))
    return info;
  Nearest nearest(variant ? std::string_view(variant->word) : "");
  bool known = false;
  for (const KernelInfo& kernel : sources_.catalogue->all()) {
    if (kernel.id != name.id) continue;
    known = true;
    nearest.offer(kernel.variant);
  }
  if (!known) return nullptr;
  if (variant == nullptr) return Error{for_author("'", name.id, "' needs a variant")};
  return invalid(*variant, for_author("'", name.id, "' has no variant '", variant->word, "'"),
                 nearest.best());
}

const Measurement* Names::result_of(const Query& query) {
  used_profile_ = true;
  const Measurement* result = sources_.profile ? sources_.profile->find(query) : nullptr;
  if (result != nullptr && result->measured && !result->trusted()) untrusted_ = true;
  return result;
}

Result<Quantity> Names::kernel(const Name& name, const KernelInfo& info) {
  const Result<Query> query = query_of(name, info);
  if (!query) return query.error();
  const Measurement* result = result_of(*query);
  if (result == nullptr)
    return missing("'" + info.id + "' has not been measured with these parameters");
  if (!result->measured)
    return Error{result->reason.empty() ? "it cannot be measured here" : result->reason,
                 0,
                 0,
                 {},
                 Cause::unavailable};
  const double value = statistic_of(*result, name.statistic);
  if (!(value > 0)) return missing("'" + info.id + "' has no " + name.statistic + " here");
  if (name.statistic == "p90" || name.statistic == "p99") return Quantity{value, seconds};
  return with_unit(value, result->unit);
}

Result<Quantity> Names::work(const Name& name, const KernelInfo& info) {
  const Result<Query> query = query_of(name, info);
  if (!query) return query.error();
  std::vector<double> values;
  for (const Parameter& param : query->params) values.push_back(param.value);
  double flops = 0, bytes = 0;
  if (sources_.counter == nullptr || !sources_.counter->count(info, values, &flops, &bytes)) {
    const Measurement* result = result_of(*query);
    if (result == nullptr)
      return missing("'" + info.id + "' has not been measured with these parameters");
    flops = result->flops;
    bytes = result->bytes;
  }
  if (name.function == "F") return positive(flops, flop_amount, "the arithmetic of this kernel");
  if (name.function == "Q") return positive(bytes, byte_amount, "the traffic of this kernel");
  if (!(flops > 0 && bytes > 0)) return missing("the intensity of '" + info.id + "' is not known");
  const Quantity intensity{flops / bytes, flop_amount - byte_amount};
  if (name.function == "I") return intensity;
  if (is_gpu_kernel(info.id))
    return Error{for_author(
        "beta is about the processor's roofs; divide by gpu.peak.f32.best / gpu.read.best")};
  used_profile_ = true;
  if (sources_.profile == nullptr) return no_profile();
  const std::string_view isa =
      is_class(info.roof_class) ? info.roof_class : std::string_view("fma");
  const Result<Quantity> corner = ridge(*sources_.profile, isa, "out", query->threads, false);
  if (!corner) return corner;
  return Quantity{intensity.value / corner->value, {}};
}

Error Names::unknown(const Name& name) const {
  Nearest nearest(name.id);
  for (const char* own :
       {"P", "P.fma", "P.simd", "P.scalar", "P.i8dot", "B.out", "B.L1", "B.L2", "B.L3", "ridge",
        "ridge.fma.out", "lat.out", "lat.L1", "clock", "cores", "timer"})
    nearest.offer(own);
  if (sources_.catalogue)
    for (const KernelInfo& kernel : sources_.catalogue->all()) nearest.offer(kernel.id);
  if (sources_.facts)
    for (const Fact& fact : sources_.facts->all()) nearest.offer(fact.id);
  std::string_view like = nearest.best();
  std::string of_subject;
  if constexpr (tells_authors) {
    if (sources_.facts) of_subject = sources_.facts->nearest_of_subject(name.id);
    if (!of_subject.empty()) like = of_subject;
  }
  const bool minus = like.empty() && name.id.find('-') != std::string::npos;
  return Error(for_author("unknown name '", name.id, "'",
                          minus ? " (a minus has a space on both sides)" : ""),
               0, 0, like)
      .as(Code::unknown_name);
}

Result<LiveValue> evaluate_live(const Expression& expression, Sources reference,
                                const Profile* reader) {
  // The reason that the reader's machine has no number, if it is known
  std::optional<Error> unavailable;
  if (reader != nullptr) {
    Sources sources = reference;
    sources.profile = reader;
    Names names(sources);
    const Result<Quantity> value = expression.evaluate(names);
    if (value && names.used_profile() && !names.untrusted()) return LiveValue{*value, true, true};
    if (!value && value.error().cause == Cause::unavailable) unavailable = value.error();
  }
  Names names(reference);
  const Result<Quantity> value = expression.evaluate(names);
  if (!value) return unavailable ? *unavailable : value.error();
  return LiveValue{*value, false, names.used_profile()};
}

}  // namespace figures
