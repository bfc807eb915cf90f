// A cache that remembers which indexes of pages were asked of it, in front of another one.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "generator/base/cache.hpp"

namespace primer {

class IndexKeeper final : public Cache {
 public:
  // `below` may be null.
  explicit IndexKeeper(Cache* below) : below_(below) {}

  bool was_empty() const override { return !below_ || below_->was_empty(); }
  std::optional<std::string> find(Kind kind, std::string_view key) const override {
    if (kind == Kind::aligned) return std::nullopt;  // the index itself is looked at
    auto found = below_ ? below_->find(kind, key) : std::nullopt;
    if (found) remember(kind, key, *found);
    return found;
  }
  void store(Kind kind, std::string_view key, std::string value) override {
    remember(kind, key, value);
    if (below_) below_->store(kind, key, std::move(value));
  }
  std::map<Kind, Tally> tallies() const override {
    return below_ ? below_->tallies() : std::map<Kind, Tally>();
  }

  // By their keys.
  const std::map<std::string, std::string>& kept() const { return kept_; }

 private:
  void remember(Kind kind, std::string_view key, const std::string& value) const {
    if (kind != Kind::index) return;
    const std::lock_guard lock(mutex_);
    kept_.insert_or_assign(std::string(key), value);
  }

  Cache* below_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::string> kept_;
};

}  // namespace primer
