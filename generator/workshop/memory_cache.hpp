// A cache in memory, for one session. What was not asked for since it was last half full is forgotten.
#pragma once

#include <unordered_map>

#include "generator/base/cache.hpp"

namespace primer {

class MemoryCache final : public Cache {
 public:
  explicit MemoryCache(std::size_t most_bytes) : most_(most_bytes) {}

  bool was_empty() const override { return true; }
  std::optional<std::string> find(Kind kind, std::string_view key) const override;
  void store(Kind kind, std::string_view key, std::string value) override;
  std::map<Kind, Tally> tallies() const override { return tallies_; }

 private:
  using Entries = std::unordered_map<std::string, std::string>;
  void keep(std::string name, std::string value) const;

  std::size_t most_;
  mutable Entries young_, old_;
  mutable std::size_t young_bytes_ = 0;
  mutable std::map<Kind, Tally> tallies_;
};

}  // namespace primer
