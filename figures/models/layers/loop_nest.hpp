// C = A·B on N×N floats in one of three loop orders, through a small cache.
//
// Rows begin at a cache line. A line holds `w` floats, N is a multiple of the tile side b, and b is
// a multiple of w. Registers hold the element that the innermost loop does not index: C[i,j] in
// order i,j,k, and A[i,k] in the other orders.
#pragma once

#include <array>
#include <vector>

#include "figures/models/layers/lru.hpp"

namespace figures::models {

enum class Order { naive, reordered, tiled };  // i,j,k; i,k,j; tiles of b×b with i,k,j inside

struct NestShape {
  Order order = Order::naive;
  int n = 1, tile = 1, line = 1, capacity = 1;  // floats, floats, floats, lines

  int row() const { return n / line; }  // lines per row of a matrix
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

  // One multiply-add with its memory accesses.
  void step();
  int done() const { return at_; }

  // Line numbers: first the lines of matrix 0 (A), then of 1 (B) and 2 (C).
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
    int line = -1;  // -1: no access in the last step
    bool hit = false;
  };
  const std::array<Touch, 3>& last() const { return last_; }

 private:
  void advance();
  void touch(int matrix, int row, int column);

  NestShape shape_;
  LruCache cache_;
  std::vector<int> fetches_;  // per line
  int at_ = 0;
  Cell now_;  // of the next step
  std::array<long long, 3> accesses_{}, misses_{};
  std::array<Touch, 3> last_{};
};

// The number of misses of a run, from reuse distances alone. The distance of a reuse is the number
// of other lines touched since the last use of the line. The reuse misses if the cache cannot hold
// that many lines and the line itself. If the distances of a class of reuses straddle the capacity,
// the result is a range.
struct MissRange {
  double low = 0, high = 0;
};
MissRange closed_misses(const NestShape& shape);

}  // namespace figures::models
