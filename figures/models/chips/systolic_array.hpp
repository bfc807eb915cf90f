// A grid of multiply-add cells, simulated cycle by cycle. Each cell passes on its inputs and adds
// their product.
//
// Computes C[M,N] = A[M,K]·B[K,N] on R×C cells. Weight-stationary: B stays (rows along K, columns
// along N), A streams in from the left, sums move down. Output-stationary: the sums stay (M, N), A
// streams in from the left and B from the top along K, and then the sums leave downwards.
// Input-stationary is weight-stationary for the transposed product. A product larger than the grid
// is cut into tiles. They run one after another or overlapped: the weights of the next tile move in
// while the current tile works, and the next wave follows at once.
#pragma once

#include <string>
#include <vector>

namespace figures::models {

enum class Flow { weights, outputs, inputs };

struct ArrayShape {
  Flow flow = Flow::weights;
  int m = 1, k = 1, n = 1;  // dimensions of the product
  int rows = 1, columns = 1;
  bool overlapped = false;
  int load = 1;  // cycles to load a tile's stationary operand, at least `rows`

  int stream() const { return flow == Flow::outputs ? k : flow == Flow::weights ? m : n; }
  int tiles_down() const {  // along the rows of the grid
    return ((flow == Flow::outputs ? m : k) + rows - 1) / rows;
  }
  int tiles_across() const { return ((flow == Flow::inputs ? m : n) + columns - 1) / columns; }
  int tiles() const { return tiles_down() * tiles_across(); }
};

// The cycles according to the closed formula.
long long closed_cycles(const ArrayShape& shape);

class SystolicArray {
 public:
  explicit SystolicArray(const ArrayShape& shape);

  void step();  // one clock
  int cycle() const { return cycle_; }
  int cycles() const { return cycles_; }  // until the last result has left the grid
  const ArrayShape& shape() const { return shape_; }

  struct Cell {
    int tile = -1, stream = -1;  // of the operand in the cell; -1: a bubble
    bool active = false;         // multiplied in this cycle
  };
  const Cell& cell(int row, int column) const { return cells_[index(row, column)]; }
  int tile_now() const;         // the last tile that has started; -1: still loading
  int entering(int row) const;  // the stream position that `row` reads next from the left; -1: none

  long long macs() const { return macs_; }
  // From the buffers at the edge, streamed or stationary
  long long reads_a() const { return reads_a_; }
  long long reads_b() const { return reads_b_; }
  long long sums_written() const { return sums_written_; }
  long long sums_read() const { return sums_read_; }
  int active() const { return active_; }
  // A description of wrong operands that met or of a wrong result; empty: everything is correct.
  std::string broken() const;

 private:
  struct Wire {
    int tile = -1, stream = -1;
    int value = 0;
    bool real = false;  // false: padding outside the matrix
  };
  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row * shape_.columns + column);
  }
  void schedule();
  Wire from_left(int row) const;
  Wire from_top(int column) const;
  int starts_at(int at_edge, int& stream) const;
  void hold(int tile);
  void clock_cell(int row, int column);
  void leave(int column, const Wire& sum);
  int a(int i, int l) const { return (i * 7 + l * 3) % 5 - 2; }
  int b(int l, int j) const { return (l * 5 + j * 11) % 7 - 3; }

  ArrayShape shape_;
  std::vector<int> start_;  // cycle in which each tile's wave is at cell (0, 0)
  std::vector<int> ready_;  // cycle in which each tile's stationary operand is in column 0
  int cycle_ = 0, cycles_ = 0, active_ = 0;
  long long macs_ = 0, reads_a_ = 0, reads_b_ = 0, sums_written_ = 0, sums_read_ = 0;
  std::vector<Cell> cells_;
  std::vector<Wire> right_, down_;  // outputs of each cell
  std::vector<int> sums_;           // output-stationary: sums that stay in the cells
  std::vector<int> result_;         // M×N
  std::string wrong_;
};

}  // namespace figures::models
