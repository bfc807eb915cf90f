#include "figures/models/many/pipeline_schedule.hpp"

#include <algorithm>

namespace figures::models {
namespace {

// End times of the pieces by direction, virtual stage and microbatch; -1: not yet.
class Ends {
 public:
  explicit Ends(const PipelineShape& shape) : shape_(shape) {
    ends_.assign(2 * static_cast<std::size_t>(depth() * shape.microbatches), -1);
  }
  int depth() const { return shape_.stages * shape_.chunks; }
  int& at(bool forward, int virtual_stage, int microbatch) {
    return ends_[static_cast<std::size_t>(
        ((forward ? 0 : depth()) + virtual_stage) * shape_.microbatches + microbatch)];
  }
  // When the inputs of an op are available; -1: not known yet.
  int inputs(const Op& op, int stage) {
    const int here = op.chunk * shape_.stages + stage;
    if (op.forward) return here == 0 ? 0 : at(true, here - 1, op.microbatch);
    if (here == depth() - 1) return at(true, here, op.microbatch);
    return at(false, here + 1, op.microbatch);
  }

 private:
  const PipelineShape& shape_;
  std::vector<int> ends_;
};

}  // namespace

// A number of forwards to warm up, then one backward after each forward, then the remaining
// backwards.
std::vector<Op> order_of(const PipelineShape& shape, int stage) {
  const int p = shape.stages, v = shape.chunks, m = shape.microbatches, all = m * v;
  int warm_up = all;
  if (shape.schedule == Schedule::one_one || shape.schedule == Schedule::zero_bubble)
    warm_up = std::min(p - 1 - stage, all);
  if (shape.schedule == Schedule::interleaved)
    warm_up = std::min(2 * (p - 1 - stage) + (v - 1) * p, all);
  // The i-th piece of work in one direction: p microbatches through one chunk, then the next chunk.
  const auto piece = [&](int i, bool forward) {
    if (v == 1) return Op{i, 0, forward};
    const int chunk = i / p % v;
    return Op{i / (p * v) * p + i % p, forward ? chunk : v - 1 - chunk, forward};
  };
  std::vector<Op> ops;
  int forwards = 0, backwards = 0;
  while (forwards < warm_up) ops.push_back(piece(forwards++, true));
  while (forwards < all) {
    ops.push_back(piece(forwards++, true));
    ops.push_back(piece(backwards++, false));
  }
  while (backwards < all) ops.push_back(piece(backwards++, false));
  return ops;
}

Timetable timetable(const PipelineShape& shape) {
  Timetable table;
  for (int stage = 0; stage < shape.stages; ++stage) table.stages.push_back(order_of(shape, stage));
  Ends ends(shape);
  std::vector<std::size_t> next(table.stages.size());
  for (bool moved = true; moved;) {
    moved = false;
    for (int stage = 0; stage < shape.stages; ++stage) {
      auto& ops = table.stages[static_cast<std::size_t>(stage)];
      std::size_t& at = next[static_cast<std::size_t>(stage)];
      for (; at < ops.size(); ++at, moved = true) {
        Op& op = ops[at];
        const int ready = ends.inputs(op, stage);
        if (ready < 0) break;
        op.begin = std::max(ready, at == 0 ? 0 : ops[at - 1].end);
        op.end = op.begin + (op.forward ? 1 : shape.backward);
        ends.at(op.forward, op.chunk * shape.stages + stage, op.microbatch) = op.end;
        table.ticks = std::max(table.ticks, op.end);
      }
    }
  }
  for (std::size_t stage = 0; stage < next.size(); ++stage)
    if (next[stage] < table.stages[stage].size()) table.broken = "a stage waits for itself";
  return table;
}

}  // namespace figures::models
