// The gallery: machines whose results a book publishes. Each is a profile in figures/profiles/, and
// there may be thousands, so the gallery stores only what lists show of a profile. A book can also
// summarize more machines than it has profiles of, in figures/gallery.json (GallerySummary).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/core/base/cache.hpp"
#include "generator/core/base/digest.hpp"
#include "generator/core/base/file_system.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/tasks.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/load/values.hpp"

namespace primer {

// The part of a profile that lists show. The file is read again only when it is published.
struct RecordedMachine {
  std::string label, browser, os, created, note;
  std::string brief;                  // name and roofs as JSON; empty: the profile has no roofs
  int cores = 0;                      // that a page could use; 0: unknown
  double arithmetic = 0, memory = 0;  // FLOP/s and B/s of one core; 0: unknown
  double gpu_arithmetic = 0, gpu_memory = 0;  // FLOP/s in fp32 and B/s of its GPU; 0: unknown
  Digest text = absent;                       // digest of the file
  Digest numbers = absent;  // digest of the measurements, without names; see numbers_of()
};

auto packed_members(Is<RecordedMachine> auto& machine) {
  auto& [label, browser, os, created, note, brief, cores, arithmetic, memory, gpu_arithmetic,
         gpu_memory, text, numbers] = machine;
  return std::tie(label, browser, os, created, note, brief, cores, arithmetic, memory,
                  gpu_arithmetic, gpu_memory, text, numbers);
}

// By the name of the profile's file, without ".json".
using Gallery = std::map<std::string, RecordedMachine>;

// Loads all profiles. Reports files that are not a valid profile (profile_validation.hpp) or whose
// name cannot be an address. Warns about files with equal measurements and keeps only one of them.
// Mistakes in the reference profile were reported with the values. `known`: machines whose files
// need not be read.
Gallery load_gallery(const FileSystem& files, const std::string& reference, const Values& values,
                     Diagnostics& diagnostics, Cache* cache, const Tasks& tasks,
                     Gallery known = {});

std::string profile_path(const std::string& name);
// Returns nothing if the path is not that of a profile.
std::optional<std::string> profile_name(std::string_view path);

// The cache key that marks a text as a valid profile.
std::string valid_profile_key(std::string_view text);

// Statistics about more machines than the book holds profiles of; scripts/profiles computes them
// from Parquet.

inline constexpr const char* gallery_summary_file = "figures/gallery.json";

// The distribution of values above zero.
struct Spread {
  static constexpr std::size_t bar_count = 30;

  std::vector<double> percentiles;  // 101, from the minimum to the maximum
  std::vector<std::uint64_t> bars;  // counts per step; the steps are equal on a logarithmic scale
  std::uint64_t machines = 0;

  // The value below which a share (0 to 1) of all values lies.
  double at(double share) const;
};

// Computes the distribution of `values`, which must not be empty.
Spread spread_of(std::vector<double> values);

struct GallerySummary {
  std::string first, last;     // dates of the first and the last measurement
  std::uint64_t left_out = 0;  // rows that do not count
  Spread arithmetic, memory;   // of one core, in FLOP/s and B/s
  Digest text = absent;        // digest of the file

  std::uint64_t machines() const { return arithmetic.machines; }
};

// Returns nothing if the book has none, or after an error.
std::optional<GallerySummary> load_gallery_summary(const FileSystem& files,
                                                   Diagnostics& diagnostics, Cache* cache);

}  // namespace primer
