// What a book says of more machines than it holds profiles of: figures/gallery.json, which scripts/profiles makes of Parquet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generator/base/cache.hpp"
#include "generator/base/digest.hpp"
#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

inline constexpr const char* gallery_summary_file = "figures/gallery.json";

// How values above zero are spread.
struct Spread {
  static constexpr std::size_t bar_count = 30;

  std::vector<double> percentiles;  // 101, from the least to the greatest
  std::vector<std::uint64_t> bars;  // how many lie in each of equal steps of the logarithm
  std::uint64_t machines = 0;

  // The value that a share of all lies below, from 0 to 1.
  double at(double share) const;
};

// Of values that are not empty.
Spread spread_of(std::vector<double> values);

struct GallerySummary {
  std::string first, last;     // the days of the first and the last measurement
  std::uint64_t left_out = 0;  // rows that do not count
  Spread arithmetic, memory;   // of one core, in FLOP/s and B/s
  Digest text = absent;        // of the file

  std::uint64_t machines() const { return arithmetic.machines; }
};

// Nothing where a book has none, or after an error.
std::optional<GallerySummary> load_gallery_summary(const FileSystem& files,
                                                   Diagnostics& diagnostics, Cache* cache);

}  // namespace primer
