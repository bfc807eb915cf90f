// Finding in a profile what a figure wants to draw.
#pragma once

#include <string>
#include <vector>

#include "figures/quantities/profile.hpp"
#include "figures/spec/spec_reader.hpp"

namespace figures {

// {"kernel", "variant", "params", "threads"} of a spec.
struct MeasurementRef {
  std::string kernel, variant;
  std::vector<Parameter> params;  // a result must have at least these
  int threads = 1;
};

// Reads the four members; parameter values are numbers or literals ("64 MiB").
MeasurementRef read_measurement_ref(Fields& fields);

// The processor's trusted result, with its parameters at least those asked for; when several fit,
// the one with the fewest others, then the relaxed module's, then the last. Null when there is none
// or `profile` is null.
const Measurement* find_trusted(const Profile* profile, const MeasurementRef& ref);

// In base units: FLOP/s, B/s or seconds from the result's "GFLOP/s", "Gop/s", "GB/s" or "ns";
// 0 for any other unit.
double in_base_units(const Measurement& result, double value);

// The processor's highest ceiling for floating-point arithmetic. Null: none.
const Roof* highest_ceiling(const Profile& profile, int threads = 1);

// A rate that a picture can show (GFLOP/s or GB/s): stored profiles may hold anything.
bool is_drawable(const Roof* roof);

// Has this profile anything to draw: a ceiling and an outermost slope of its processor?
bool has_roofs(const Profile* profile);

// Has it a GPU to draw, with a slope and a ceiling for fp32? A program on the processor is none.
bool has_gpu_roofs(const Profile* profile);

// The name of the first level with a bandwidth roof; "out" when the profile lists none.
std::string innermost_level(const Profile& profile);

// The level that a working set of `bytes` streams from: the first that holds it, else the
// outermost. Empty when no level has a bandwidth roof.
std::string level_holding(const Profile& profile, double bytes);

// What people call it: "FMA", "SIMD", "scalar", "8-bit dot"; "L2", "outermost".
std::string isa_words(std::string_view isa);
std::string level_words(std::string_view level);

}  // namespace figures
