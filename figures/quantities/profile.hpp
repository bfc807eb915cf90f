// Profiles: the measurements of one machine (docs/reference/profile-format.md). The profiles of the
// reference machine, the reader and the gallery have the same format. A stored profile is untrusted
// input.
//
// Notes on the members that other code relies on:
//   results[].params   all declared parameters of the kernel, in base units (bytes), and "variant"
//                      if the kernel has one
//   best, median, mad  in the `unit` of the result; p90 and p99 are seconds per run
//   choice             {tile, why}: the meaning of "tile = 0" in params on this machine
//   flops, bytes       optional: operations and bytes of one run, for its point in a roofline
//   levels             per device, from the core outwards; the last is the outermost one reached
//   roofs[].class      {isa, threads} for a compute unit, {level, threads} for GB/s; a level is a
//                      name in `levels`, or "out" for the outermost
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "figures/quantities/quantity.hpp"

namespace figures {

struct Device {
  std::string id, kind, name, vendor, architecture, state, memory, timing;
  bool relaxed = false;  // whether the browser is known to have relaxed SIMD, and so FMA
};

// Whether a level has the name of a cache, "L1" to "L9". If a run could not measure memory, its last
// level is a cache.
bool is_cache(std::string_view level);

struct Level {
  std::string device, name;
  double bytes = 0, latency_ns = 0, read_gbs = 0;  // 0: not known
  double bytes_error = 0;  // half of the range of sizes; `bytes` is its middle by ratio

  // The ends of that range: the largest set that fitted, and the smallest that did not.
  double at_least() const;
  double at_most() const;
};

struct Parameter {
  std::string name;
  double value = 0;
};

struct Measurement {
  std::string kernel, variant, device, module;
  std::vector<Parameter> params;
  int threads = 1;
  bool measured = false;  // false: unavailable, with a `reason`
  std::string reason, unit;
  std::vector<std::string> flags;
  double best = 0, median = 0, mad = 0, p90 = 0, p99 = 0;  // 0: not recorded
  double flops = 0, bytes = 0;
  int tile = 0;     // chosen for this machine by a race; 0: no choice was open
  std::string why;  // why it won the race
  int samples = 0;
  bool verified = false;

  // Whether the result may appear in prose and figures: verified, with a deviation of at most half
  // of its median, and without a flag that makes the number meaningless ("drift", "slow-tier",
  // "hidden", "untrusted", or "software" for a software GPU). Other flags only inform.
  bool trusted() const;
  double param(std::string_view name, double fallback) const;
};

struct Roof {
  std::string device, isa, type, level;  // type ("f32", "f16", "i8"): GPUs only
  int threads = 1;
  std::string unit, from;
  double value = 0;
  bool is_bandwidth() const { return unit == "GB/s"; }
};

// Whether this kernel runs only on GPUs.
bool is_gpu_kernel(std::string_view id);

struct Query {
  // empty device: the processor, or any GPU for a GPU kernel; empty module: any
  std::string kernel, variant, device, module;
  std::vector<Parameter> params;    // all declared parameters of the kernel
  std::vector<Parameter> defaults;  // defaults, for results that lack a parameter
  int threads = 1;
};

struct Profile {
  int schema = 1;
  std::string created, browser, engine, os, name, note;
  bool isolated = false;
  double timer_us = 0, clock_ghz = 0;  // 0: not known
  int cores_reported = 0, cores_usable = 0;
  std::vector<Device> devices;
  std::vector<Level> levels;
  std::vector<Measurement> results;
  std::vector<Roof> roofs;

  // The name of this machine in a sentence: its name, its processor, or its browser.
  std::string label() const;
  // The id of the processor, the first device of kind "cpu"; empty if there is none.
  std::string cpu() const;
  // Whether the processor's browser is known to have relaxed SIMD, whatever was measured.
  bool has_relaxed_simd() const;

  // The matching result. If several match, measured ones come before unavailable ones, then those
  // of the relaxed module come first, then the last in the file. Null: never tried.
  const Measurement* find(const Query& query) const;

  // A roof of the GPU: "f32", "f16" or "i8" for compute, a level for bandwidth. Null: none, or the
  // GPU is a software GPU.
  const Roof* gpu_roof(std::string_view type_or_level) const;

  // Roofs of the processor; null: none. "out" is the outermost level, which is never a cache.
  const Roof* compute_roof(std::string_view isa, int threads = 1) const;
  const Roof* memory_roof(std::string_view level, int threads = 1) const;
  const Level* level(std::string_view name) const;
};

// Limits: 4 MiB of text, nesting 16, 5,000 results, 500 of any other list, 500 bytes per string
// (2,000 for a note or a reason). Numbers are finite and not negative. Unknown members are ignored
// here; whoever stores the text preserves them. Error: names the member ("results[12].median is not
// a number").
Result<Profile> parse_profile(std::string_view text);
Result<Profile> read_profile(const nlohmann::json& object);

}  // namespace figures
