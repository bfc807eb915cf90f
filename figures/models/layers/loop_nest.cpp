#include "figures/models/layers/loop_nest.hpp"

namespace figures::models {

// Advances the indices without divisions, because a redraw runs through tens of thousands of steps.
void LoopNest::advance() {
  const bool naive = shape_.order == Order::naive;
  const int n = shape_.n, b = shape_.order == Order::tiled ? shape_.tile : n;
  for (int* index : {naive ? &now_.k : &now_.j, naive ? &now_.j : &now_.k, &now_.i}) {
    if (++*index % b != 0) return;
    *index -= b;
  }
  for (int* tile : {&now_.k, &now_.j, &now_.i}) {
    if ((*tile += b) < n) return;
    *tile = 0;
  }
}

void LoopNest::touch(int matrix, int row, int column) {
  const std::size_t m = static_cast<std::size_t>(matrix);
  const int line = line_of(matrix, row, column);
  const bool hit = cache_.touch(line);
  ++accesses_[m];
  if (!hit) ++misses_[m], ++fetches_[static_cast<std::size_t>(line)];
  last_[m] = {line, hit};
}

void LoopNest::step() {
  const Cell at = now_;
  ++at_;
  advance();
  last_ = {};
  if (shape_.order == Order::naive) {
    touch(0, at.i, at.k);
    touch(1, at.k, at.j);
    if (at.k == shape_.n - 1) touch(2, at.i, at.j);
    return;
  }
  const int inner = shape_.order == Order::tiled ? shape_.tile : shape_.n;
  if (at.j % inner == 0) touch(0, at.i, at.k);
  touch(1, at.k, at.j);
  touch(2, at.i, at.j);
}

namespace {

// Adds `count` reuses at distances from `nearest` to `farthest`.
class Reuses {
 public:
  explicit Reuses(double capacity) : capacity_(capacity) {}
  void cold(double count) { add(count, capacity_, capacity_); }
  void add(double count, double nearest, double farthest) {
    if (nearest >= capacity_) range_.low += count;
    if (farthest >= capacity_) range_.high += count;
  }
  MissRange range() const { return range_; }

 private:
  double capacity_;
  MissRange range_;
};

void naive_reuses(Reuses& reuses, double n, double r, double w) {
  reuses.add(n * n * (n - r), 1, 1);                                  // A, next k
  reuses.add(n * (n - 1) * r, n - w + r + 1, n - w + r + 1);          // A, next j
  reuses.add(n * n * (n - r), n + r, n + r);                          // B, next j
  reuses.add((n - 1) * n * r, n * r + 2 * r - 1, n * r + 3 * r - 1);  // B, next i
  reuses.add(n * (n - r), n + r, n + r);                              // C, next j
}

void reordered_reuses(Reuses& reuses, double n, double r) {
  reuses.add(n * (n - r), 2 * r, 2 * r);                          // A, next k
  reuses.add(n * n * (n - r), 1, 1);                              // B, next j
  reuses.add((n - 1) * n * r, n * r + 2 * r - 1, n * r + 3 * r);  // B, next i
  reuses.add(n * n * (n - r), 1, 1);                              // C, next j
  reuses.add(n * (n - 1) * r, 2 * r, 2 * r);                      // C, next k
}

void tiled_reuses(Reuses& reuses, double n, double r, double b, double w) {
  const double g = n / b, t = b / w;                  // tiles in a row; lines in a row of a tile
  reuses.add(g * g * g * b * (b - t), 2 * t, 2 * t);  // A, next k
  reuses.add(g * g * (g - 1) * b * t, 2 * b * r + b * t - 1, 2 * b * r + 3 * b * t - 1);  // jj
  reuses.add(g * g * g * b * b * (b - t), 1, 1);                              // B, next j
  reuses.add(g * g * g * (b - 1) * b * t, b * t + 2 * t - 1, b * t + 3 * t);  // B, next i
  reuses.add(g * g * (g - 1) * b * t, n * r + 2 * b * r - 1, n * r + 3 * b * r + b * t - 1);  // ii
  reuses.add(g * g * g * b * b * (b - t), 1, 1);                      // C, next j
  reuses.add(g * g * g * b * (b - 1) * t, 2 * t, 2 * t);              // C, next k
  reuses.add(g * g * (g - 1) * b * t, 3 * b * t - t, 4 * b * t - t);  // C, next kk
}

}  // namespace

MissRange closed_misses(const NestShape& shape) {
  const double n = shape.n, r = shape.row(), w = shape.line;
  Reuses reuses(shape.capacity);
  reuses.cold(3 * n * r);
  if (shape.order == Order::naive) naive_reuses(reuses, n, r, w);
  if (shape.order == Order::reordered) reordered_reuses(reuses, n, r);
  if (shape.order == Order::tiled) tiled_reuses(reuses, n, r, shape.tile, w);
  return reuses.range();
}

}  // namespace figures::models
