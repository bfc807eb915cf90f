// cluster-sim: one training step as a timeline of one pipeline (cluster.hpp).
//
// Each row is a stage with three lanes: its compute, the links of its node, and its port. The only
// fitted number is the share of the best matmul that all matmuls of a step reach, fitted to one run
// per kind of chip. The table compares all published runs with the simulation.
#include <algorithm>
#include <vector>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/many/cluster.hpp"
#include "figures/models/many/published_runs.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace cluster_sim_model {
namespace {

constexpr int moments = 120;  // positions of the scrubber

constexpr Choice cards[] = {{"llama-3.1-405b", "Llama 3.1 405B"},
                            {"llama-3.1-70b", "Llama 3.1 70B"},
                            {"llama-3.1-8b", "Llama 3.1 8B"}};
constexpr Choice chip_names[] = {
    {"h100-sxm", "H100"}, {"a100-sxm-80", "A100"}, {"b200-sxm", "B200"}};
constexpr Choice nodes[] = {{"eight", "8 chips"}, {"rack", "72 chips"}};
constexpr Choice schedules[] = {{"gpipe", "GPipe"},
                                {"one-one", "one forward, one backward"},
                                {"interleaved", "interleaved"},
                                {"zero-bubble", "zero bubble (ZB-H1)"}};
constexpr Choice stages_of_zero[] = {{"0", "none"}, {"1", "1"}, {"2", "2"}, {"3", "3"}};
constexpr Choice hiding[] = {{"nothing", "not at all"},
                             {"backward", "in the backward pass"},
                             {"pieces", "in pieces, nearly all"}};
constexpr Choice recomputing[] = {{"keep", "stored"}, {"again", "recomputed"}};
constexpr Control controls_of_it[] = {
    choice("card", "Model", cards),
    doubling("chips", "Chips", "", 8, 16384, 16384),
    doubling("tensor", "Tensor parallelism", "", 1, 64, 8),
    doubling("stages", "Pipeline stages", "", 1, 64, 16),
    more(choice("schedule", "Schedule", schedules, 2)),
    more(doubling("chunks", "Chunks per stage", "", 2, 16, 8)),
    more(doubling("sequences", "Sequences per microbatch", "", 1, 8, 1)),
    more(doubling("batch", "Sequences per step", "", 8, 8192, 2048)),
    more(doubling("context", "Tokens per sequence", "", 1024, 131072, 8192)),
    more(doubling("parts", "Parts per sequence", "", 1, 64, 1)),
    more(choice("zero", "ZeRO", stages_of_zero, 2)),
    more(choice("again", "Activations", recomputing)),
    more(choice("hidden", "Tensor all-reduces overlap", hiding)),
    more(choice("chip", "Chip", chip_names)),
    more(choice("node", "Node", nodes)),
    more(range("port", "Port per chip", "GB/s", 5, 400, 50)),
};
enum At : std::size_t {
  card,
  count,
  tensor,
  stages,
  schedule,
  chunks,
  sequences,
  batch,
  context,
  parts,
  zero,
  again,
  hidden,
  chip,
  node,
  port
};

class ClusterSim : public Model {
 public:
  std::string_view name() const override { return "cluster-sim"; }
  std::string_view title() const override { return "One training step on many chips"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> facts() const override;
  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override;
  int length() const override { return moments; }
  int first() const override { return moments; }
  int on_paper() const override { return moments; }
  void step() override { ++now_; }
  void advance(int steps) override { now_ += steps; }
  std::string step_words() const override { return " parts of the step"; }
  std::vector<std::string_view> unused() const override {
    if (schedule_ == Schedule::interleaved) return {};
    return {"chunks"};
  }

  std::string broken() const override;
  std::vector<Count> counts() const override;
  Rendering draw(const Options& options) const override;

 private:
  int chips() const { return cut_.tensor * cut_.stages * cut_.parts * cut_.copies; }
  double rate() const {
    const double tokens = cut_.context * cut_.sequences * cut_.microbatches * cut_.copies;
    return network_.flops(tokens, cut_.context) / (chips() * step_.seconds());
  }
  // A part of the step: its name, seconds and color.
  struct Part {
    std::string_view name;
    double seconds;
    std::string_view fill;
  };
  std::vector<Part> parts_of_step(const Palette& colors) const;
  std::string summary() const;
  Table table() const;
  // How one lane of all stages is drawn: top and bottom as fractions of the row height, the width
  // of a column, and how dark a piece is.
  struct Look {
    std::string_view fill;
    double top, high, column;
    bool port;
    double (*dark)(const Span&, double share);
    double share = 1;
  };
  // The rows of the stages, each `high` px, from the top of the area down.
  struct Rows {
    Box area;
    double high;
  };
  void draw_lanes(Sheet& sheet, const Rows& rows, const Look& look) const;
  void draw_work(Sheet& sheet, const Rows& rows) const;
  void draw_parts(Sheet& sheet, double top) const;

  Network network_;
  Hardware hardware_;
  Cut cut_;
  Schedule schedule_ = Schedule::interleaved;  // as chosen by the reader
  Step step_;
  Held held_;
  std::string card_name_, chip_name_;
  double memory_ = 0;
  std::vector<PublishedRun> published_;
  int now_ = 0;
};

std::vector<std::string> ClusterSim::facts() const {
  std::vector<std::string> ids = published_facts();
  for (const Choice& one : cards) add_network_facts(one.id, ids);
  for (const Choice& one : chip_names) add_hardware_facts(one.id, ids);
  return ids;
}

std::vector<std::string> ClusterSim::reset(std::span<const double> values, const Numbers& numbers) {
  std::vector<std::string> notices;
  const auto of = [&](std::size_t at) { return whole(values, at); };
  network_ = network_of(cards[of(At::card)].id, numbers);
  card_name_ = cards[of(At::card)].label;
  chip_name_ = chip_names[of(At::chip)].label;
  hardware_ = hardware_of(chip_names[of(At::chip)].id, numbers);
  hardware_.port = values[At::port] * 1e9;
  hardware_.node = of(At::node) == 0 ? 8 : 72;
  memory_ = numbers.fact(std::string(chip_names[of(At::chip)].id) + ".memory");
  cut_ = {of(At::tensor), of(At::stages), of(At::parts), 1, 1, of(At::sequences)};
  cut_.context = values[At::context];
  cut_.zero = of(At::zero);
  cut_.again = of(At::again) == 1;
  cut_.hidden = static_cast<Hidden>(of(At::hidden));
  cut_.schedule = schedule_ = static_cast<Schedule>(of(At::schedule));
  const int chips = of(At::count);
  cut_.tensor = std::min({cut_.tensor, hardware_.node, chips});
  cut_.stages = std::min(cut_.stages, chips / cut_.tensor);
  cut_.parts = std::min(cut_.parts, chips / (cut_.tensor * cut_.stages));
  cut_.copies = chips / (cut_.tensor * cut_.stages * cut_.parts);
  const int texts = std::max(of(At::batch), cut_.copies);
  cut_.sequences = std::min(cut_.sequences, texts / cut_.copies);
  cut_.microbatches = texts / (cut_.copies * cut_.sequences);
  cut_.chunks = schedule_ == Schedule::interleaved ? of(At::chunks) : 1;
  // Embedding and output may count as one layer each. Chunks need whole rounds of microbatches.
  while (cut_.chunks > 1 && cut_.chunks * cut_.stages > network_.layers + 2) cut_.chunks /= 2;
  if (cut_.stages == 1 || cut_.microbatches < cut_.stages) cut_.chunks = 1;
  if (schedule_ == Schedule::interleaved && cut_.chunks == 1) cut_.schedule = Schedule::one_one;
  if (cut_.tensor != of(At::tensor) || cut_.stages != of(At::stages) ||
      cut_.parts != of(At::parts) || texts != of(At::batch) ||
      cut_.sequences != of(At::sequences) ||
      (schedule_ == Schedule::interleaved && cut_.chunks != of(At::chunks)))
    notices.push_back("Not all of it fits; used are t " + said(cut_.tensor) + ", p " +
                      said(cut_.stages) + ", c " + said(cut_.parts) + ", v " + said(cut_.chunks) +
                      ", b " + said(cut_.sequences) + ", " +
                      plural(texts, "sequence", "sequences"));
  step_ = step_of(network_, hardware_, cut_);
  held_ = held(network_, cut_);
  if (published_.empty()) published_ = published_runs(numbers);
  now_ = 0;
  return notices;
}

std::string ClusterSim::broken() const {
  if (!step_.timeline.broken.empty()) return step_.timeline.broken;
  for (const Lanes& lanes : step_.timeline.stages) {
    double free = 0;
    for (const Span& span : lanes.work) {
      if (span.begin < free - 1e-9 || span.end < span.begin)
        return "a stage does two things at once";
      free = span.end;
    }
  }
  return {};
}

std::vector<Count> ClusterSim::counts() const {
  const double whole = step_.seconds(), small = 1e-9 * whole, deep = network_.layers;
  const Pieces& one = step_.pieces;
  // A send longer than a piece of work waits for the previous one. The number of sends on the
  // critical path is known only for whole rounds of microbatches.
  const bool free = one.hop <= std::min(one.forward.all(), one.backward.all()) / cut_.chunks &&
                    cut_.schedule != Schedule::zero_bubble;
  const bool rounds = cut_.microbatches % cut_.stages == 0 && step_.simulated == cut_.microbatches;
  const double hops = closed_hops(cut_) * one.hop;
  std::vector<Count> all;
  all.push_back(between("seconds of arithmetic", "s", step_.arithmetic,
                        network_.layer_weights() > 0 ? 1e-12 : 0, whole));
  const double corners = closed_corners(cut_, one);
  const bool early = cut_.microbatches >= cut_.stages;
  all.push_back(between("seconds of corners", "s", step_.corners, early ? corners - small : -small,
                        early ? corners + small : whole));
  all.push_back(between("seconds of hops", "s", step_.hops, free && rounds ? hops - small : -small,
                        free && rounds ? hops + small : whole));
  const double gradients = closed_gradients(cut_, one, deep);
  const bool once = cut_.zero < 2 && cut_.schedule != Schedule::zero_bubble && early &&
                    (cut_.chunks == 1 || rounds);
  // Sends move chunks further apart than in the closed formula, so more of them may be hidden.
  const double v = cut_.chunks;
  const double rest = one.reduce * (1 - 1 / v) - (v - 1) * cut_.stages * one.backward.all() / v;
  const double slack = 1e-6 * whole, least = gradients - (v > 1 ? std::max(0.0, rest) : 0);
  all.push_back(between("seconds of gradients", "s", step_.gradients, once ? least - slack : -small,
                        once ? gradients + slack : whole));
  all.push_back(between("FLOP/s of a chip", "FLOP/s", rate(), 0, hardware_.peak));
  all.push_back(exact("seconds of a step", "s",
                      step_.arithmetic + step_.sums + step_.corners + step_.hops + step_.gradients,
                      whole));
  return all;
}

std::vector<ClusterSim::Part> ClusterSim::parts_of_step(const Palette& colors) const {
  return {{"compute", step_.arithmetic, colors.compute},
          {"all-reduces", step_.sums, colors.teal},
          {"bubble", step_.corners, colors.reference},
          {"hops", step_.hops, colors.bandwidth},
          {"gradients", step_.gradients, colors.ochre}};
}

std::string ClusterSim::summary() const {
  return card_name_ + " on " + said(chips()) + " " + chip_name_ + ", " +
         plural(cut_.microbatches, "microbatch", "microbatches") + " in each of " +
         plural(cut_.copies, "copy", "copies") + ": a step takes " +
         quantity_text(step_.seconds(), Meaning::seconds, 3) + ", " +
         quantity_text(rate(), Meaning::flop_rate, 3) + " per chip. The bubble takes " +
         quantity_text(step_.corners / step_.seconds(), Meaning::percent, 2) + " of it." +
         (held_.all() > memory_ ? " A chip has too little memory." : "");
}

// Draws a lane as narrow columns whose darkness shows the busy fraction, because a step may have
// thousands of pieces of work.
void ClusterSim::draw_lanes(Sheet& sheet, const Rows& rows, const Look& look) const {
  constexpr std::string_view opacities[] = {"0.25", "0.5", "0.75", "1"};
  constexpr int shades = std::size(opacities);
  const auto columns = static_cast<std::size_t>(rows.area.width() / look.column);
  const double each = step_.timeline.end / static_cast<double>(columns);
  const double until = step_.timeline.end * now_ / moments;
  std::vector<Box> boxes[shades];
  for (std::size_t stage = 0; stage < step_.timeline.stages.size(); ++stage) {
    const Lanes& lanes = step_.timeline.stages[stage];
    std::vector<double> busy(columns + 1);
    for (const Span& span : look.port ? lanes.port : lanes.work) {
      const double dark = look.dark(span, look.share), end = std::min(span.end, until);
      for (double at = span.begin; dark > 0 && at < end;) {
        const auto place = std::min(static_cast<std::size_t>(at / each + 1e-9), columns);
        const double next = std::min(end, each * (static_cast<double>(place) + 1));
        busy[place] += dark * (next - at) / each;
        if (next <= at) break;
        at = next;
      }
    }
    const auto shade = [&](std::size_t at) {
      return busy[at] < 0.04 ? -1 : std::min(shades - 1, static_cast<int>(busy[at] * shades));
    };
    const double top = rows.area.top + (static_cast<double>(stage) + look.top) * rows.high;
    for (std::size_t from = 0, to = 0; from < columns; from = to) {
      while (to < columns && shade(to) == shade(from)) ++to;
      const auto x = [&](std::size_t at) {
        return rows.area.left + static_cast<double>(at) * look.column;
      };
      if (shade(from) >= 0)
        boxes[shade(from)].push_back({x(from), top, x(to), top + look.high * rows.high});
    }
  }
  for (int i = 0; i < shades; ++i) sheet.strokes(boxes[i], look.fill, opacities[i]);
}

void ClusterSim::draw_work(Sheet& sheet, const Rows& rows) const {
  const Palette& colors = sheet.colors();
  const bool lone = rows.high < 9;  // too low for a lane of links
  const auto passes = [](const Span& span, double) {
    return span.kind == Kind::forward ? 0.4 : span.kind == Kind::weights ? 0.7 : 1.0;
  };
  const auto sums = [](const Span&, double share) { return share > 0 ? 0.3 + 0.7 * share : 0.0; };
  const auto hops = [](const Span& span, double) { return span.kind == Kind::hop ? 1.0 : 0.0; };
  const auto gradients = [](const Span& span, double) {
    return span.kind == Kind::gradients ? 1.0 : 0.0;
  };
  constexpr double fine = 4, coarse = 12;  // px
  draw_lanes(sheet, rows, {colors.compute_bar, 0.06, lone ? 0.8 : 0.52, fine, false, passes});
  if (lone) return;
  const Pieces& one = step_.pieces;
  const double share =
      (one.forward.sums + one.backward.sums) / (one.forward.all() + one.backward.all());
  draw_lanes(sheet, rows, {colors.teal, 0.62, 0.14, coarse, false, sums, share});
  draw_lanes(sheet, rows, {colors.bandwidth_bar, 0.79, 0.14, coarse, true, hops});
  draw_lanes(sheet, rows, {colors.ochre, 0.79, 0.14, fine, true, gradients});
}

void ClusterSim::draw_parts(Sheet& sheet, double top) const {
  const Palette& colors = sheet.colors();
  const double left = 12, room = sheet.width() - 24, whole = step_.seconds();
  double x = left;
  for (const Part& part : parts_of_step(colors)) {
    const double wide = room * std::max(0.0, part.seconds) / whole;
    if (wide > 0.5) sheet.boxes({{x, top, x + wide, top + 16}}, part.fill);
    if (wide > 3) sheet.hatch({x, top, x + wide, top + 16}, part.fill);
    x += wide;
  }
  // The key in rows below: a dot in the color of the part, its name and its share.
  const bool narrow = sheet.narrow();
  const double pitch = room / (narrow ? 2 : 3);
  int at = 0;
  const auto word = [&](std::string_view fill, const std::string& text) {
    const int columns = narrow ? 2 : 3;
    const double begin = left + pitch * (at % columns), line = top + 36 + 19 * (at / columns);
    if (!fill.empty()) sheet.dot({begin + 5, line - 4.5}, 4.5, fill);
    sheet.note(text, {begin + (fill.empty() ? 0 : 15), line});
    ++at;
  };
  for (const Part& part : parts_of_step(colors))
    word(part.fill, std::string(part.name) + " " +
                        quantity_text(std::max(0.0, part.seconds) / whole, Meaning::percent, 2));
  word({}, said(held_.all() / 1e9, 3) + " of " + said(memory_ / 1e9, 3) + " GB");
}

Table ClusterSim::table() const {
  Table table;
  table.head({"What", "Here", "Printed", "Here / printed"});
  for (const Part& part : parts_of_step(colors_of({})))
    table.add({part.name, quantity_text(part.seconds, Meaning::seconds, 3), "", ""});
  const auto rate = [](const PublishedRun& run, double value) {
    return run.tokens_rate ? said(value, 4) + " tokens/s"
                           : quantity_text(value, Meaning::flop_rate, 3);
  };
  for (const bool fitted : {true, false})
    for (const PublishedRun& run : published_)
      if (run.fitted == fitted)
        table.add({run.label + (fitted ? ", fitted" : ", predicted"), rate(run, run.here),
                   rate(run, run.printed), said(run.here / run.printed, 3)});
  return table;
}

Rendering ClusterSim::draw(const Options& options) const {
  Sheet sheet(options, 404, 440, std::string(title()), summary());
  const Palette& colors = sheet.colors();
  const bool narrow = sheet.narrow();
  const double left = narrow ? 30 : 68, right = sheet.width() - 12, top = 34;
  const double high = 256.0 / cut_.stages, row = std::min(high, 64.0),
               floor = top + row * cut_.stages;
  double x = left;
  const auto legend = [&](const char* name, std::string_view fill) {
    sheet.note(name, {x, 20}, -1, fill);
    x += sheet.note_width(name) + 14;
  };
  legend("work", colors.compute);
  if (high >= 9) {
    legend(narrow ? "node" : "links in the node", colors.teal);
    legend(narrow ? "hops" : "port: hops", colors.bandwidth);
    legend("gradients", colors.ochre);
  }
  draw_work(sheet, {{left, top, right, floor}, row});
  for (int stage = 0; stage < cut_.stages; ++stage) {
    const double y = top + stage * row;
    const bool named = row > 15 || stage == 0 || stage + 1 == cut_.stages;
    if (named && (row > 15 || cut_.stages > 1))
      sheet.note((narrow ? "" : "stage ") + said(stage + 1), {left - 8, y + row / 2 + 4}, 1);
  }
  sheet.line({left, floor + 4}, {right, floor + 4}, colors.ink_soft);
  const double now = left + (right - left) * now_ / moments;
  sheet.line({now, top - 4}, {now, floor + 8}, colors.ink);
  const double seconds = step_.timeline.end * now_ / moments;
  std::string time = quantity_text(seconds, Meaning::seconds, 3);
  if (step_.simulated < cut_.microbatches)
    time += ", the first " + said(step_.simulated) + " microbatches";
  sheet.note("time " + time, {right, floor + 24}, 1);
  draw_parts(sheet, sheet.height() - (narrow ? 96 : 76));
  return sheet.finish(table());
}

}  // namespace
}  // namespace cluster_sim_model

std::unique_ptr<Model> make_cluster_sim() {
  return std::make_unique<cluster_sim_model::ClusterSim>();
}

}  // namespace figures::models
