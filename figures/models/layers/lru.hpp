// A fully associative cache with least-recently-used replacement.
#pragma once

#include <cstdint>
#include <vector>

namespace figures::models {

class LruCache {
 public:
  // A cache of `capacity` lines, at least one, for line numbers below `lines`.
  LruCache(int capacity, int lines)
      : capacity_(capacity), next_(static_cast<std::size_t>(lines) + 1) {
    previous_ = next_;
    cached_.assign(next_.size(), 0);
    root_ = lines;
    next(root_) = previous(root_) = root_;
  }

  // Makes `line` the most recent one. True: a hit.
  bool touch(int line) {
    const bool hit = holds(line);
    if (hit) unlink(line);
    else if (used_ == capacity_) drop_oldest();
    else ++used_;
    cached_[static_cast<std::size_t>(line)] = 1;
    insert_newest(line);
    return hit;
  }
  bool holds(int line) const { return cached_[static_cast<std::size_t>(line)] != 0; }
  int used() const { return used_; }

 private:
  int& next(int line) { return next_[static_cast<std::size_t>(line)]; }
  int& previous(int line) { return previous_[static_cast<std::size_t>(line)]; }
  void unlink(int line) {
    next(previous(line)) = next(line);
    previous(next(line)) = previous(line);
  }
  void insert_newest(int line) {
    next(line) = next(root_);
    previous(line) = root_;
    previous(next(root_)) = line;
    next(root_) = line;
  }
  void drop_oldest() {
    const int oldest = previous(root_);
    unlink(oldest);
    cached_[static_cast<std::size_t>(oldest)] = 0;
  }

  int capacity_, used_ = 0, root_ = 0;
  std::vector<int> next_, previous_;  // a ring through root_, most recent first
  std::vector<std::uint8_t> cached_;
};

}  // namespace figures::models
