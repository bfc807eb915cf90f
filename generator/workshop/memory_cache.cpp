#include "generator/workshop/memory_cache.hpp"

#include <utility>

namespace primer {
namespace {

std::string name_of(Cache::Kind kind, std::string_view key) {
  std::string name(1, static_cast<char>(kind));
  return name.append(key);
}

}  // namespace

std::optional<std::string> MemoryCache::find(Kind kind, std::string_view key) const {
  Tally& tally = tallies_[kind];
  std::string name = name_of(kind, key);
  if (const auto found = young_.find(name); found != young_.end()) {
    ++tally.found;
    return found->second;
  }
  auto found = old_.extract(name);
  if (found.empty()) {
    ++tally.missed;
    return std::nullopt;
  }
  ++tally.found;
  std::string value = found.mapped();
  keep(std::move(name), std::move(found.mapped()));
  return value;
}

void MemoryCache::store(Kind kind, std::string_view key, std::string value) {
  std::string name = name_of(kind, key);
  if (const auto before = young_.find(name); before != young_.end()) {
    young_bytes_ -= name.size() + before->second.size();
    young_.erase(before);
  }
  keep(std::move(name), std::move(value));
}

void MemoryCache::keep(std::string name, std::string value) const {
  const std::size_t bytes = name.size() + value.size();
  if (young_bytes_ + bytes > most_ / 2) {
    old_ = std::exchange(young_, {});
    young_bytes_ = 0;
  }
  young_bytes_ += bytes;
  young_.emplace(std::move(name), std::move(value));
}

}  // namespace primer
