// Who does what when in a pipeline: GPipe, one-forward-one-backward, and its interleaved form.
//
// Times are ticks: a forward of one chunk takes 1, its backward `backward`. With v chunks on each
// stage a chunk is a v-th of a stage.
#pragma once

#include <string>
#include <vector>

namespace figures::models {

// zero_bubble is the form ZB-H1 (Qi et al. 2024): the order of one_one, whose backward pieces are cut in
// two; timetable() does not know it.
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
  std::vector<std::vector<Op>> stages;  // in the order of their execution
  int ticks = 0;                        // until the last one has ended
  std::string broken;                   // a dependency that the order cannot meet
};

// The order in which a stage runs its work; nothing begins or ends yet.
std::vector<Op> order_of(const PipelineShape& shape, int stage);
Timetable timetable(const PipelineShape& shape);

}  // namespace figures::models
