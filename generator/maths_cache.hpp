// Converted formulas on disk, one file each, named by a hash of what they depend on. A cache never
// fails: what cannot be read is converted again, what cannot be written is not cached.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace primer {

class MathsCache {
 public:
  explicit MathsCache(std::filesystem::path directory) : directory_(std::move(directory)) {}

  // Whether a build has filled the cache before.
  bool exists() const;

  // `key` is everything that the value depends on; it is stored too, so a hash that two keys share
  // does no harm. Safe to call from several threads and processes.
  std::optional<std::string> find(std::string_view key) const;
  void store(std::string_view key, std::string_view value) const;

 private:
  std::filesystem::path directory_;
};

}  // namespace primer
