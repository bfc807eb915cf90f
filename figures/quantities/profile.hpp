// Profiles: what one machine measured (docs/measuring.md). The reference machine's, the reader's
// and the gallery's have one form. A stored profile is hostile input.
//
// Interpretation of the members that the rest of the code relies on:
//   results[].params   the kernel's declared parameters, complete, numbers in base units (bytes),
//                      and "variant" when the kernel has one
//   best, median, mad  in the result's `unit`; p90 and p99 are seconds per run
//   choice             {tile, why}: what "tile = 0" in params meant on this machine
//   flops, bytes       optional: arithmetic and traffic of one run, so that a point can be placed
//   levels             per device from the core outwards; the last is the outermost one reached
//   roofs[].class      {isa, threads} with a unit of arithmetic, {level, threads} with GB/s; a
//                      level is a name of `levels`, or "out" for the outermost
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
};

struct Level {
  std::string device, name;
  double bytes = 0, latency_ns = 0, read_gbs = 0;  // 0: not known
  double bytes_error = 0;  // half of the range of sizes of which `bytes` is the middle by ratio

  // The ends of that range: the largest set that it held, the smallest that it did not.
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
  bool measured = false;  // false: unavailable, and `reason` says why
  std::string reason, unit;
  std::vector<std::string> flags;
  double best = 0, median = 0, mad = 0, p90 = 0, p99 = 0;  // 0: not recorded
  double flops = 0, bytes = 0;
  int tile = 0;     // that a race chose for this machine; 0: none was left open
  std::string why;  // it won, in words
  int samples = 0;
  bool verified = false;

  // Verified, not spread over more than half of itself, and not flagged with what makes a number meaningless: "drift",
  // "slow-tier", "hidden", "untrusted", or "software" (a GPU that is a program). Another number never enters prose. Other
  // flags only inform.
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

// Does this kernel run on a GPU only, whatever that GPU's id?
bool is_gpu_kernel(std::string_view id);

struct Query {
  // device empty: the processor, or any GPU for a GPU's kernel; module empty: any
  std::string kernel, variant, device, module;
  std::vector<Parameter> params;    // all that the kernel declares
  std::vector<Parameter> defaults;  // theirs; a result that lacks one ran with its default
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

  // What to call this machine in a sentence: its name, else its processor, else its browser.
  std::string label() const;
  // The processor's id: the first device of kind "cpu"; empty when there is none.
  std::string cpu() const;

  // The matching result; when several match, a measured one rather than an unavailable one, then
  // the relaxed module's, then the last in the file. Null: never tried.
  const Measurement* find(const Query& query) const;

  // A roof of the GPU: "f32", "f16" or "i8" for arithmetic, a level for bytes. Null: none, or the GPU
  // is a program on the processor.
  const Roof* gpu_roof(std::string_view type_or_level) const;

  // Roofs of the processor. Null: none.
  const Roof* compute_roof(std::string_view isa, int threads = 1) const;
  const Roof* memory_roof(std::string_view level, int threads = 1) const;  // "out": the outermost
  const Level* level(std::string_view name) const;                         // "out": the outermost
};

// Budgets: 4 MiB of text, nesting 16, 5,000 results, 500 of anything else, 500 bytes a string
// (2,000 for a note or a reason). Numbers are finite and not negative. Unknown members are ignored
// here and kept by whoever stores the text. Error: names the member ("results[12].median is not a
// number").
Result<Profile> parse_profile(std::string_view text);
Result<Profile> read_profile(const nlohmann::json& object);

}  // namespace figures
