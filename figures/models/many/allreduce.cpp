// allreduce: the same sum on every rank, by a ring, a tree, recursive halving and doubling, or in
// two levels; and the cost of each if a message takes α plus V/L.
#include <algorithm>
#include <cmath>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/many/collective.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace allreduce_model {
namespace {

constexpr Choice algorithms[] = {{"ring", "ring"},
                                 {"tree", "tree"},
                                 {"halving", "halving and doubling"},
                                 {"hierarchical", "in two levels"}};
constexpr Control controls_of_it[] = {
    choice("algorithm", "Algorithm", algorithms),
    range("ranks", "Ranks", "", 2, 16, 8),
    doubling("payload", "Vector", "KiB", 1, 4194304, 1024),
    more(range("latency", "Latency per message", "µs", 1, 50, 3)),
    more(range("link", "Link, one way", "GB/s", 1, 1000, 360)),
    more(doubling("group", "Ranks per node", "", 2, 8, 4)),
    more(range("outside", "Link between nodes", "GB/s", 1, 1000, 50)),
};
enum At : std::size_t { algorithm, ranks, payload, latency, link, group, outside };

int log2_up(int n) {
  int bits = 0;
  while ((1 << bits) < n) ++bits;
  return bits;
}

// Cosine of a fraction of a turn, the same in every build: a series for a quarter turn, mirrored.
double cosine(double turns) {
  turns -= static_cast<int>(turns);
  if (turns > 0.5) turns = 1 - turns;
  if (turns > 0.25) return -cosine(0.5 - turns);
  const double x = turns * 6.283185307179586, z = x * x;
  double sum = 1;
  for (int term = 10; term >= 1; --term) sum = 1 - z / ((2 * term - 1) * (2 * term)) * sum;
  return sum;
}

class AllReduce : public Model {
 public:
  std::string_view name() const override { return "allreduce"; }
  std::string_view title() const override { return "All-reduce, round by round"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    std::vector<std::string> notices;
    algorithm_ = static_cast<Algorithm>(whole(values, At::algorithm));
    ranks_ = whole(values, At::ranks);
    group_ = std::min(whole(values, At::group), ranks_);
    if (algorithm_ == Algorithm::halving) ranks_ = 1 << (log2_up(ranks_ + 1) - 1);
    if (algorithm_ == Algorithm::hierarchical) ranks_ = ranks_ / group_ * group_;
    if (ranks_ != whole(values, At::ranks))
      notices.push_back(algorithm_ == Algorithm::halving
                            ? "Halving needs a power of two: " + said(ranks_) + " ranks"
                            : "Whole nodes only: " + said(ranks_) + " ranks");
    payload_ = values[At::payload] * 1024;
    alpha_ = values[At::latency] * 1e-6;
    inside_ = values[At::link] * 1e9;
    outside_ = values[At::outside] * 1e9;
    rounds_ = rounds_of(algorithm_, ranks_, group_);
    state_ = Collective(ranks_);
    done_ = 0;
    time_ = 0;
    return notices;
  }
  int length() const override { return static_cast<int>(rounds_.size()); }
  void step() override {
    const Round& round = rounds_[static_cast<std::size_t>(done_++)];
    state_.play(round);
    std::size_t most = 0;
    for (const Message& message : round.messages) most = std::max(most, message.chunks.size());
    const double bytes = payload_ / ranks_ * static_cast<double>(most);
    time_ += alpha_ + bytes / (round.outside ? outside_ : inside_);
  }
  int first() const override { return length() / 3; }

  std::string broken() const override {
    if (done_ == length() && !state_.all_complete()) return "somebody lacks a contribution";
    if (algorithm_ == Algorithm::ring && done_ == ranks_ - 1) {
      for (int chunk = 0; chunk < ranks_; ++chunk)
        if (holders(chunk) != 1) return "a chunk is complete on more or fewer ranks than one";
    }
    return state_.broken();
  }
  std::vector<Count> counts() const override {
    return {exact("time", "s", time_, closed_time()), exact("rounds", "", done_, closed_rounds()),
            between("bytes sent by the busiest rank", "B", most_sent(),
                    2.0 * (ranks_ - 1) / ranks_ * payload_,
                    algorithm_ == Algorithm::tree ? log2_up(ranks_) * payload_
                                                  : 2.0 * (ranks_ - 1) / ranks_ * payload_)};
  }
  Rendering draw(const Options& options) const override;

 private:
  double closed_rounds() const {
    if (algorithm_ == Algorithm::ring) return 2 * (ranks_ - 1);
    if (algorithm_ == Algorithm::hierarchical) return 2 * (group_ - 1) + 2 * (ranks_ / group_ - 1);
    return 2 * log2_up(ranks_);
  }
  double closed_time() const {
    const double n = ranks_, v = payload_, bits = log2_up(ranks_);
    if (algorithm_ == Algorithm::ring) return 2 * (n - 1) * (alpha_ + v / (n * inside_));
    if (algorithm_ == Algorithm::tree) return 2 * bits * (alpha_ + v / inside_);
    if (algorithm_ == Algorithm::halving) return 2 * bits * alpha_ + 2 * (n - 1) / n * v / inside_;
    const double g = group_, k = n / g;
    return 2 * (g - 1) * (alpha_ + v / (g * inside_)) +
           2 * (k - 1) * (alpha_ + v / (g * k * outside_));
  }
  double most_sent() const {
    long long most = 0;
    for (int rank = 0; rank < ranks_; ++rank) most = std::max(most, state_.chunks_sent(rank));
    return static_cast<double>(most) * payload_ / ranks_;
  }
  int contributions(int rank, int chunk) const {
    int parts = 0;
    for (std::uint32_t left = state_.holds(rank, chunk); left != 0; left &= left - 1) ++parts;
    return parts;
  }
  int holders(int chunk) const {
    int complete = 0;
    for (int rank = 0; rank < ranks_; ++rank) complete += state_.complete(rank, chunk) ? 1 : 0;
    return complete;
  }
  std::string summary() const;
  Table table() const;
  void draw_ranks(Sheet& sheet, Point middle, double radius) const;
  void draw_chunks(Sheet& sheet, Point corner, double size) const;

  Algorithm algorithm_ = Algorithm::ring;
  int ranks_ = 2, group_ = 2, done_ = 0;
  double payload_ = 0, alpha_ = 0, inside_ = 1, outside_ = 1, time_ = 0;
  std::vector<Round> rounds_;
  Collective state_{2};
};

std::string AllReduce::summary() const {
  return "All-reduce of " + quantity_text(payload_, Meaning::bytes, 3) + " over " +
         plural(ranks_, "rank", "ranks") + ", " +
         std::string(algorithms[static_cast<int>(algorithm_)].label) + ": " +
         plural(closed_rounds(), "round", "rounds") + ", " +
         quantity_text(closed_time(), Meaning::seconds, 3) + ", of which " +
         quantity_text(closed_rounds() * alpha_, Meaning::seconds, 3) +
         " is latency. After round " + said(done_) + ": " +
         quantity_text(time_, Meaning::seconds, 3) + ", the busiest rank has sent " +
         quantity_text(most_sent(), Meaning::bytes, 3) + ".";
}

void AllReduce::draw_ranks(Sheet& sheet, Point middle, double radius) const {
  constexpr double gap = 8;
  const auto place = [&](int rank, double r) {
    const double turn = static_cast<double>(rank) / ranks_;
    return Point{middle.x + r * cosine(turn + 0.75), middle.y - r * cosine(turn)};
  };
  const int shown = std::max(0, done_ - 1);
  if (done_ > 0) {
    const Round& round = rounds_[static_cast<std::size_t>(shown)];
    std::vector<Sheet::Arrow> arrows;
    for (const Message& message : round.messages) {
      const Point a = place(message.from, radius), b = place(message.to, radius);
      // From one dot to just before the other.
      const double dx = b.x - a.x, dy = b.y - a.y, part = gap / std::sqrt(dx * dx + dy * dy);
      const double x = dx * part, y = dy * part;
      arrows.push_back({{a.x + x, a.y + y}, {b.x - x, b.y - y}});
    }
    sheet.arrows(arrows, round.outside ? sheet.colors().reference : sheet.colors().bandwidth);
  }
  for (int rank = 0; rank < ranks_; ++rank) {
    // The number is outside the ring, where no message crosses it.
    const Point at = place(rank, radius + 14);
    sheet.dot(place(rank, radius), 3, sheet.colors().ink);
    sheet.note(said(rank + 1), {at.x, at.y + 4.5}, 0, sheet.colors().ink);
  }
}

void AllReduce::draw_chunks(Sheet& sheet, Point corner, double size) const {
  const double unit = size / ranks_;
  std::vector<Box> complete, partial, all;
  for (int rank = 0; rank < ranks_; ++rank) {
    for (int chunk = 0; chunk < ranks_; ++chunk) {
      const double x = corner.x + chunk * unit, y = corner.y + rank * unit;
      const Box cell{x + 1, y + 1, x + unit - 1, y + unit - 1};
      all.push_back(cell);
      const int parts = contributions(rank, chunk);
      const double high = (cell.bottom - cell.top) * parts / ranks_;
      const Box filled{cell.left, cell.bottom - high, cell.right, cell.bottom};
      (parts == ranks_ ? complete : partial).push_back(filled);
    }
  }
  sheet.boxes(partial, sheet.colors().bandwidth, "0.3");
  sheet.boxes(complete, sheet.colors().bandwidth);
  sheet.outlines(all, sheet.colors().rule);
  sheet.note("each rank's chunks; complete", {corner.x, corner.y - 8});
  sheet.boxes({{corner.x + sheet.note_width("each rank's chunks; complete") + 6, corner.y - 17,
                corner.x + sheet.note_width("each rank's chunks; complete") + 16, corner.y - 7}},
              sheet.colors().bandwidth);
}

// The data of squares and arrows: one row per rank.
Table AllReduce::table() const {
  Table table{{"Rank", "Contributions in each chunk", "Complete", "Sends to", "Sent so far"}, {}};
  for (int rank = 0; rank < ranks_; ++rank) {
    std::string parts;
    int complete = 0;
    for (int chunk = 0; chunk < ranks_; ++chunk) {
      parts += (chunk == 0 ? "" : " ") + said(contributions(rank, chunk));
      complete += state_.complete(rank, chunk) ? 1 : 0;
    }
    std::string receivers;
    if (done_ > 0) {
      for (const Message& message : rounds_[static_cast<std::size_t>(done_ - 1)].messages)
        if (message.from == rank)
          receivers += (receivers.empty() ? "" : " ") + said(message.to + 1);
    }
    const double sent = static_cast<double>(state_.chunks_sent(rank)) * payload_ / ranks_;
    table.rows.push_back({said(rank + 1), parts, said(complete),
                          receivers.empty() ? "–" : receivers,
                          quantity_text(sent, Meaning::bytes, 4)});
  }
  return table;
}

Rendering AllReduce::draw(const Options& options) const {
  Sheet sheet(options, 330, 560, std::string(title()), summary());
  const bool narrow = sheet.narrow();
  draw_ranks(sheet, {narrow ? sheet.width() / 2 : 180.0, narrow ? 136.0 : 160.0}, 102);
  draw_chunks(sheet, {narrow ? 49.0 : 400.0, narrow ? 292.0 : 40.0}, 240);
  sheet.name("round " + said(done_) + " of " + said(length()),
             {narrow ? 49.0 : 400.0, sheet.height() - 12});
  sheet.note(quantity_text(time_, Meaning::seconds, 3),
             {narrow ? 289.0 : 640.0, sheet.height() - 12}, 1, sheet.colors().ink);
  return sheet.finish(table());
}

}  // namespace
}  // namespace allreduce_model

std::unique_ptr<Model> make_allreduce() { return std::make_unique<allreduce_model::AllReduce>(); }

}  // namespace figures::models
