// C = A·B on N×N floats, walked in one of three orders through a small cache.
//
// Rows begin at a cache line; a line holds `w` floats; N is a multiple of the tile side b, and b of
// w. Registers keep what the innermost loop does not index: C[i,j] in i,j,k; A[i,k] in the others.
#pragma once

#include <array>
#include <vector>

#include "figures/models/layers/lru.hpp"

namespace figures::models {

enum class Order { naive, reordered, tiled };  // i,j,k; i,k,j; tiles of b×b, i,k,j in each

struct NestShape {
  Order order = Order::naive;
  int n = 1, tile = 1, line = 1, capacity = 1;  // floats, floats, floats, lines

  int row() const { return n / line; }  // lines in a row of a matrix
  int lines() const { return 3 * n * row(); }
  int steps() const { return n * n * n; }
};

struct Cell {
  int i = 0, j = 0, k = 0;
};

class LoopNest {
 public:
  explicit LoopNest(const NestShape& shape)
      : shape_(shape),
        cache_(shape.capacity, shape.lines()),
        fetches_(static_cast<std::size_t>(shape.lines()), 0) {}

  // One multiply-add and the accesses that belong to it.
  void step();
  int done() const { return at_; }

  // Line numbers: matrix 0 (A), 1 (B), 2 (C) after one another.
  int line_of(int matrix, int row, int column) const {
    return matrix * shape_.n * shape_.row() + row * shape_.row() + column / shape_.line;
  }
  bool holds(int line) const { return cache_.holds(line); }
  int used() const { return cache_.used(); }
  int fetches_of(int line) const { return fetches_[static_cast<std::size_t>(line)]; }

  const NestShape& shape() const { return shape_; }
  const std::array<long long, 3>& accesses() const { return accesses_; }
  const std::array<long long, 3>& misses() const { return misses_; }
  long long all_misses() const { return misses_[0] + misses_[1] + misses_[2]; }

  struct Touch {
    int line = -1;  // -1: not accessed in the last step
    bool hit = false;
  };
  const std::array<Touch, 3>& last() const { return last_; }

 private:
  void advance();
  void touch(int matrix, int row, int column);

  NestShape shape_;
  LruCache cache_;
  std::vector<int> fetches_;  // of each line
  int at_ = 0;
  Cell now_;  // of the step that is next
  std::array<long long, 3> accesses_{}, misses_{};
  std::array<Touch, 3> last_{};
};

// How many misses a run has, from reuse distances alone: every reuse of a line has a distance, the
// number of other lines touched in between, and misses when the cache has no room for that many and
// itself. A class of reuses whose distances straddle the capacity makes the answer a range.
struct MissRange {
  double low = 0, high = 0;
};
MissRange closed_misses(const NestShape& shape);

}  // namespace figures::models
