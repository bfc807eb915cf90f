// Pipeline schedules: GPipe, one-forward-one-backward (1F1B) and its interleaved form.
//
// Times are ticks. The forward pass of one chunk takes 1 tick, its backward pass `backward` ticks.
// With v chunks per stage, a chunk is 1/v of a stage.
#pragma once

#include <string>
#include <vector>

namespace figures::models {

// zero_bubble is ZB-H1 (Qi et al. 2024): the order of one_one with each backward pass in two
// pieces. timetable() does not support it.
enum class Schedule { gpipe, one_one, interleaved, zero_bubble };

struct PipelineShape {
  Schedule schedule = Schedule::gpipe;
  int stages = 1, microbatches = 1, chunks = 1, backward = 2;
};

struct Op {
  int microbatch = 0, chunk = 0;
  bool forward = true;
  int begin = 0, end = 0;
};

struct Timetable {
  std::vector<std::vector<Op>> stages;  // in execution order
  int ticks = 0;                        // until the last op has ended
  std::string broken;                   // a dependency that the order cannot satisfy; empty: none
};

// The order in which a stage runs its ops; their times are not set.
std::vector<Op> order_of(const PipelineShape& shape, int stage);
Timetable timetable(const PipelineShape& shape);

}  // namespace figures::models
