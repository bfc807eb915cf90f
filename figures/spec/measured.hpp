// Finds the results in a profile that a figure draws.
#pragma once

#include <string>
#include <vector>

#include "figures/quantities/profile.hpp"
#include "figures/spec/spec_reader.hpp"

namespace figures {

// The members "kernel", "variant", "params" and "threads" of a spec.
struct MeasurementRef {
  std::string kernel, variant;
  std::vector<Parameter> params;  // a result must have at least these
  int threads = 1;
};

// Reads the four members; parameter values are numbers or literals ("64 MiB").
MeasurementRef read_measurement_ref(Fields& fields);

// The processor's trusted result with at least the requested parameters. If several match, returns
// the one with the fewest other parameters, then the one of the relaxed module, then the last.
// Null: no match, or `profile` is null.
const Measurement* find_trusted(const Profile* profile, const MeasurementRef& ref);

// `value` of the result in base units: converts "GFLOP/s", "Gop/s", "GB/s" or "ns" to FLOP/s, B/s
// or seconds. 0 for any other unit.
double in_base_units(const Measurement& result, double value);

// The processor's highest ceiling for floating-point arithmetic; null: none.
const Roof* highest_ceiling(const Profile& profile, int threads = 1);

// Whether a figure can show the rate (GFLOP/s or GB/s). A stored profile may contain anything.
bool is_drawable(const Roof* roof);

// Whether the profile has a ceiling and an outermost slope of its processor.
bool has_roofs(const Profile* profile);

// Whether the profile has a GPU with a slope and a ceiling for fp32. A software GPU does not count.
bool has_gpu_roofs(const Profile* profile);

// The name of the first level with a bandwidth roof; "out" if the profile lists no such level.
std::string innermost_level(const Profile& profile);

// The level from which a working set of `bytes` streams: the first level that is large enough,
// otherwise the outermost one. Empty if no level has a bandwidth roof.
std::string level_holding(const Profile& profile, double bytes);

// The name of an instruction set or a level in text: "FMA", "SIMD", "scalar", "8-bit dot"; "L2",
// "slowest".
std::string isa_words(std::string_view isa);
std::string level_words(std::string_view level);

}  // namespace figures
