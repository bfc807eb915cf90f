#include "figures/models/chips/systolic_array.hpp"

#include <algorithm>

namespace figures::models {

long long closed_cycles(const ArrayShape& s) {
  const long long stream = s.stream(), rows = s.rows, columns = s.columns, tiles = s.tiles();
  const bool outputs = s.flow == Flow::outputs;
  if (!s.overlapped) return tiles * (stream + 2 * rows + columns - 2);
  const long long load = std::max(s.rows, s.load);
  const long long between = std::max({stream, rows, load});
  return (outputs ? 0 : load) + (tiles - 1) * between + stream + rows + columns - 2 +
         (outputs ? rows : 0);
}

SystolicArray::SystolicArray(const ArrayShape& shape) : shape_(shape) {
  const auto cells = static_cast<std::size_t>(shape.rows * shape.columns);
  cells_.resize(cells);
  right_.resize(cells);
  down_.resize(cells);
  sums_.resize(cells);
  result_.resize(static_cast<std::size_t>(shape.m * shape.n));
  schedule();
}

// Computes when the wave of each tile enters at the corner. If tiles overlap, the load of a tile
// may begin once the previous tile has been handed over, and its last row must not arrive before
// the previous wave has left that row.
void SystolicArray::schedule() {
  const int stream = shape_.stream(), rows = shape_.rows, tiles = shape_.tiles();
  const bool outputs = shape_.flow == Flow::outputs;
  const int each = stream + 2 * rows + shape_.columns - 2, load = std::max(rows, shape_.load);
  int loading = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    if (!shape_.overlapped) {
      start_.push_back(tile * each + (outputs ? 0 : rows));
      ready_.push_back(start_.back());
    } else if (outputs) {
      start_.push_back(tile * std::max({stream, rows, load}));
      ready_.push_back(0);
    } else {
      if (tile > 0) loading = std::max(loading + load, start_.back() + rows - load);
      ready_.push_back(loading + load);
      start_.push_back(tile == 0 ? load : std::max(start_.back() + stream, ready_.back()));
    }
  }
  cycles_ = start_.back() + stream + rows + shape_.columns - 2 + (outputs ? rows : 0);
}

int SystolicArray::tile_now() const {
  const auto after = std::upper_bound(start_.begin(), start_.end(), cycle_ - 1);
  return static_cast<int>(after - start_.begin()) - 1;
}

// The tile whose stream passes an edge position in this cycle, and the position in its stream; -1:
// none.
int SystolicArray::starts_at(int at_edge, int& stream) const {
  const int when = cycle_ - at_edge;
  const auto after = std::upper_bound(start_.begin(), start_.end(), when);
  const int tile = static_cast<int>(after - start_.begin()) - 1;
  if (tile < 0) return -1;
  stream = when - start_[static_cast<std::size_t>(tile)];
  return stream < shape_.stream() ? tile : -1;
}

int SystolicArray::entering(int row) const {
  int stream = -1;
  return starts_at(row, stream) < 0 ? -1 : stream;
}

SystolicArray::Wire SystolicArray::from_left(int row) const {
  Wire wire;
  wire.tile = starts_at(row, wire.stream);
  if (wire.tile < 0) return {};
  const int along = wire.tile % shape_.tiles_down() * shape_.rows + row;
  const int limit = shape_.flow == Flow::outputs ? shape_.m : shape_.k;
  wire.real = along < limit;
  if (!wire.real) return wire;
  wire.value = shape_.flow == Flow::inputs    ? b(along, wire.stream)
               : shape_.flow == Flow::weights ? a(wire.stream, along)
                                              : a(along, wire.stream);
  return wire;
}

SystolicArray::Wire SystolicArray::from_top(int column) const {
  Wire wire;
  wire.tile = starts_at(column, wire.stream);
  if (wire.tile < 0) return {};
  const int across = wire.tile / shape_.tiles_down() * shape_.columns + column;
  wire.real = across < (shape_.flow == Flow::inputs ? shape_.m : shape_.n);
  if (wire.real && shape_.flow == Flow::outputs) wire.value = b(wire.stream, across);
  return wire;
}

void SystolicArray::leave(int column, const Wire& sum) {
  if (sum.tile < 0 || !sum.real) return;
  const int across = sum.tile / shape_.tiles_down() * shape_.columns + column;
  const int i = shape_.flow == Flow::inputs ? across : sum.stream;
  const int j = shape_.flow == Flow::inputs ? sum.stream : across;
  result_[static_cast<std::size_t>(i * shape_.n + j)] += sum.value;
  ++sums_written_;
  if (sum.tile % shape_.tiles_down() > 0) ++sums_read_;
}

// Reads the stationary operand of a tile when its wave begins.
void SystolicArray::hold(int tile) {
  const int down = tile % shape_.tiles_down(), across = tile / shape_.tiles_down();
  const bool inputs = shape_.flow == Flow::inputs;
  const long long deep = std::min(shape_.rows, shape_.k - down * shape_.rows);
  const long long wide =
      std::min(shape_.columns, (inputs ? shape_.m : shape_.n) - across * shape_.columns);
  (inputs ? reads_a_ : reads_b_) += deep * wide;
}

void SystolicArray::clock_cell(int row, int column) {
  const std::size_t at = index(row, column);
  const bool outputs = shape_.flow == Flow::outputs;
  const Wire left = column == 0 ? from_left(row) : right_[index(row, column - 1)];
  Wire top = row == 0 ? from_top(column) : down_[index(row - 1, column)];
  right_[at] = left;
  down_[at] = top;
  cells_[at] = {left.tile, left.stream, false};
  if (left.tile != top.tile || left.stream != top.stream) wrong_ = "operands met out of step";
  if (left.tile < 0) return;
  if (column == 0 && left.real) ++(shape_.flow == Flow::inputs ? reads_b_ : reads_a_);
  if (outputs && row == 0 && top.real) ++reads_b_;
  if (!outputs && ready_[static_cast<std::size_t>(left.tile)] + column > cycle_)
    wrong_ = "a wave met weights that had not arrived";
  const bool works = left.real && top.real;
  cells_[at].active = works;
  if (works) {
    ++macs_;
    ++active_;
  }
  const int down = left.tile % shape_.tiles_down() * shape_.rows + row;
  const int across = left.tile / shape_.tiles_down() * shape_.columns + column;
  if (!outputs) {
    if (works)
      top.value += left.value * (shape_.flow == Flow::inputs ? a(across, down) : b(down, across));
    down_[at] = top;
    if (row == shape_.rows - 1) leave(column, top);
    return;
  }
  if (left.stream == 0) sums_[at] = 0;
  if (works) sums_[at] += left.value * top.value;
  if (works && left.stream == shape_.k - 1) {
    result_[static_cast<std::size_t>(down * shape_.n + across)] = sums_[at];
    ++sums_written_;
  }
}

void SystolicArray::step() {
  active_ = 0;
  if (shape_.flow != Flow::outputs) {
    const auto found = std::lower_bound(start_.begin(), start_.end(), cycle_);
    if (found != start_.end() && *found == cycle_) hold(static_cast<int>(found - start_.begin()));
  }
  // Backwards, so that each cell still reads its neighbors' values of the previous cycle.
  for (int row = shape_.rows; row-- > 0;)
    for (int column = shape_.columns; column-- > 0;) clock_cell(row, column);
  ++cycle_;
}

std::string SystolicArray::broken() const {
  if (!wrong_.empty() || cycle_ < cycles_) return wrong_;
  for (int i = 0; i < shape_.m; ++i) {
    for (int j = 0; j < shape_.n; ++j) {
      int sum = 0;
      for (int l = 0; l < shape_.k; ++l) sum += a(i, l) * b(l, j);
      if (sum != result_[static_cast<std::size_t>(i * shape_.n + j)]) return "a wrong product";
    }
  }
  return {};
}

}  // namespace figures::models
