// pipeline: stages of a network, microbatches that pass through them, and the pipeline bubble.
#include <algorithm>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/many/pipeline_schedule.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace pipeline_model {
namespace {

constexpr Choice schedules[] = {
    {"gpipe", "GPipe"}, {"one-one", "one forward, one backward"}, {"interleaved", "interleaved"}};
constexpr Control controls_of_it[] = {
    choice("schedule", "Schedule", schedules, 1),
    range("stages", "Stages", "", 1, 16, 4),
    range("microbatches", "Microbatches", "", 1, 32, 8),
    more(range("chunks", "Chunks per stage", "", 2, 4, 2)),
    more(range("backward", "Backward over forward", "times", 1, 3, 2)),
};
enum At : std::size_t { schedule, stages, microbatches, chunks, backward };

class Pipeline : public Model {
 public:
  std::string_view name() const override { return "pipeline"; }
  std::string_view title() const override { return "A pipeline schedule"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    std::vector<std::string> notices;
    shape_.schedule = static_cast<Schedule>(whole(values, At::schedule));
    shape_.stages = whole(values, At::stages);
    shape_.microbatches = whole(values, At::microbatches);
    shape_.backward = whole(values, At::backward);
    shape_.chunks = 1;
    if (shape_.schedule == Schedule::interleaved) {
      shape_.chunks = whole(values, At::chunks);
      const int p = shape_.stages;
      shape_.microbatches = (shape_.microbatches + p - 1) / p * p;
      if (shape_.microbatches != whole(values, At::microbatches))
        notices.push_back("Interleaving needs whole rounds of " + plural(p, "stage", "stages") +
                          ": " + said(shape_.microbatches) + " microbatches");
    }
    table_ = timetable(shape_);
    now_ = 0;
    return notices;
  }
  int length() const override { return table_.ticks; }
  int first() const override { return length(); }
  int on_paper() const override { return length(); }
  void step() override { ++now_; }
  void advance(int steps) override { now_ += steps; }

  std::string broken() const override {
    for (int stage = 0; stage < shape_.stages; ++stage)
      if (live(stage, now_) < 0 || (now_ == length() && live(stage, now_) != 0))
        return "activations were dropped that were not kept";
    return table_.broken;
  }
  std::vector<Count> counts() const override;
  Rendering draw(const Options& options) const override;

 private:
  int live(int stage, int when) const {
    int kept = 0;
    for (const Op& op : table_.stages[static_cast<std::size_t>(stage)]) {
      if (op.forward && op.begin < when) ++kept;
      if (!op.forward && op.end <= when) --kept;
    }
    return kept;
  }
  // The maximum number of activations that a stage stores at the same time.
  int peak(int stage) const {
    int kept = 0, most = 0;
    for (const Op& op : table_.stages[static_cast<std::size_t>(stage)]) {
      kept += op.forward ? 1 : -1;
      most = std::max(most, kept);
    }
    return most;
  }
  // The order of a stage by the numbers of its microbatches: "1 2 (1) 3 (2)".
  std::string order(int stage) const {
    std::string text;
    for (const Op& op : table_.stages[static_cast<std::size_t>(stage)]) {
      const std::string number = said(op.microbatch + 1);
      text += (text.empty() ? "" : " ") + (op.forward ? number : '(' + number + ')');
    }
    return text;
  }
  double closed_peak(int stage) const {
    const int p = shape_.stages, m = shape_.microbatches, v = shape_.chunks;
    if (shape_.schedule == Schedule::gpipe) return m;
    if (shape_.schedule == Schedule::one_one) return std::min(m, p - stage);
    return std::min(m * v, 2 * (p - 1 - stage) + (v - 1) * p + 1);
  }
  double idle() const {
    double busy = 0;
    for (const auto& ops : table_.stages)
      for (const Op& op : ops) busy += op.end - op.begin;
    return 1 - busy / (double(table_.ticks) * shape_.stages);
  }
  double closed_idle() const {
    const double p = shape_.stages;
    return (p - 1) / (double(shape_.chunks) * shape_.microbatches + p - 1);
  }
  std::string summary() const;

  PipelineShape shape_;
  Timetable table_;
  int now_ = 0;
};

std::vector<Count> Pipeline::counts() const {
  const double p = shape_.stages, m = shape_.microbatches, v = shape_.chunks;
  const int last = shape_.stages - 1;
  return {exact("ticks", "", table_.ticks, (m * v + p - 1) * (1 + shape_.backward)),
          exact("idle share of the total", "", idle(), closed_idle()),
          exact("most chunks kept, first stage", "", peak(0), closed_peak(0)),
          exact("most chunks kept, last stage", "", peak(last), closed_peak(last))};
}

std::string Pipeline::summary() const {
  const double p = shape_.stages, m = shape_.microbatches, v = shape_.chunks;
  return plural(p, "stage", "stages") + ", " + plural(m, "microbatch", "microbatches") + ", " +
         std::string(schedules[static_cast<int>(shape_.schedule)].label) + ": idle for " +
         quantity_text(idle(), Meaning::percent, 3) + " of the time, which is " +
         quantity_text((p - 1) / (v * m), Meaning::percent, 3) +
         " of the ideal time. The first stage stores up to " +
         plural(peak(0), "activation", "activations") + (v > 1 ? " of a chunk" : "") +
         " at once, the last " + said(peak(shape_.stages - 1)) + ".";
}

Rendering Pipeline::draw(const Options& options) const {
  // Fewer stages have taller rows, so that the figure is always full.
  Sheet sheet(options, 270, 290, std::string(title()), summary());
  const double left = sheet.narrow() ? 30 : 76, right = sheet.width() - 12, top = 40;
  const double row = std::min(50.0, (sheet.height() - top - 44) / shape_.stages);
  const double tick = (right - left) / table_.ticks;
  sheet.note("forward", {left, 20}, -1, sheet.colors().teal);
  sheet.note("backward", {left + sheet.note_width("forward") + 16, 20}, -1, sheet.colors().ochre);
  sheet.note("idle " + quantity_text(idle(), Meaning::percent, 3), {right, 20}, 1,
             sheet.colors().ink);
  std::vector<Box> forward, late, backward;
  std::vector<std::pair<std::string, Point>> numbers;
  for (int stage = 0; stage < shape_.stages; ++stage) {
    const double y = top + stage * row;
    if (row > 15 || stage % 2 == 0)
      sheet.note((sheet.narrow() ? "" : "stage ") + said(stage + 1), {left - 8, y + row / 2 + 4},
                 1);
    for (const Op& op : table_.stages[static_cast<std::size_t>(stage)]) {
      if (op.begin >= now_) continue;
      const double gap = tick > 4 ? 0.5 : 0;
      const Box box{left + op.begin * tick + gap, y + 1, left + std::min(op.end, now_) * tick - gap,
                    y + row - 1};
      auto& kind = op.forward ? op.chunk % 2 == 0 ? forward : late : backward;
      // If ticks are too narrow for gaps, neighbors of one kind are one box.
      if (gap == 0 && !kind.empty() && kind.back().top == box.top &&
          kind.back().right > box.left - 0.01)
        kind.back().right = box.right;
      else kind.push_back(box);
      const std::string number = said(op.microbatch + 1);
      if (op.end <= now_ && row > 15 && box.width() > sheet.note_width(number) + 3)
        numbers.push_back({number, {(box.left + box.right) / 2, y + row / 2 + 4.5}});
    }
  }
  sheet.strokes(forward, sheet.colors().teal, "0.35");
  sheet.strokes(late, sheet.colors().teal, "0.6");
  sheet.strokes(backward, sheet.colors().ochre, "0.35");
  for (const auto& [number, at] : numbers) sheet.note(number, at, 0, sheet.colors().ink);
  const double floor = top + shape_.stages * row;
  sheet.line({left, floor + 4}, {right, floor + 4}, sheet.colors().ink_soft);
  const double x = left + now_ * tick;
  sheet.line({x, top - 4}, {x, floor + 8}, sheet.colors().ink);
  sheet.note("time, " + said(now_) + " of " + plural(table_.ticks, "tick", "ticks"),
             {right, floor + 24}, 1);
  Table table{{"Stage", "Peak activations stored", "Order, (backward)"}, {}};
  for (int stage = 0; stage < shape_.stages; ++stage)
    table.rows.push_back({said(stage + 1), said(peak(stage)), order(stage)});
  return sheet.finish(std::move(table));
}

}  // namespace
}  // namespace pipeline_model

std::unique_ptr<Model> make_pipeline() { return std::make_unique<pipeline_model::Pipeline>(); }

}  // namespace figures::models
