#include "figures/kinds/split.hpp"

#include <algorithm>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/quantities/notation.hpp"
#include "figures/spec/finding.hpp"
#include "figures/spec/spec_parts.hpp"

namespace figures {
namespace {

struct Work {
  std::string label;
  double compute = 0, memory = 0, overhead = 0;  // s
  bool overlap = true, known = true;

  double total() const {
    return overhead + (overlap ? std::max(compute, memory) : compute + memory);
  }
  // Which part limits the time.
  std::string_view verdict() const {
    if (overhead >= compute && overhead >= memory) return "launch-bound";
    return compute >= memory ? "compute-bound" : "memory-bound";
  }
};

struct Split {
  std::string title, description;
  bool shares = false;
  std::vector<Work> rows;
  Table table;
};

std::string time_text(double seconds) { return quantity_text(seconds, Meaning::seconds); }

class SplitReader : private GivenReader {
 public:
  SplitReader(const nlohmann::json& spec, const Inputs& inputs) : GivenReader(spec, inputs) {}

  Result<Split> read() {
    read_given(fields_, names_, scope_);
    out_.title = fields_.text("title");
    out_.description = finding_of(fields_, scope_);
    out_.shares = fields_.text("scale", "share") == "share";
    if (const nlohmann::json* machine = fields_.member("machine")) {
      Fields one(*machine, "machine", error_);
      machine_ = read_machine(one, scope_);
    }
    out_.table.columns = {"", "Overhead", "Bytes", "Arithmetic", "Together", "Verdict"};
    fields_.each("rows", [&](Fields& one) { read_row(one); });
    if (error_) return *error_;
    return std::move(out_);
  }

 private:
  // The time given in the spec, or the amount of work divided by a rate of the machine.
  double part(Fields& one, Work& work, const char* time, const char* amount, Dimension dimension,
              double rate) {
    if (one.has(amount)) {
      if (!machine_) one.fail(amount, "needs the spec's member machine");
      const auto value = measured_quantity(one, amount, scope_, dimension);
      if (!value || !(rate > 0)) return work.known = false, 0;
      return *value / rate;
    }
    return given_time(one, work, time);
  }

  double given_time(Fields& one, Work& work, const char* time) {
    if (!one.has(time)) return 0;
    const auto value = measured_quantity(one, time, scope_, second_dimension);
    if (!value) work.known = false;
    return value.value_or(0);
  }

  void read_row(Fields& one) {
    Work work;
    work.label = one.text("label");
    work.overlap = one.flag("overlap", true);
    const SpecMachine machine = machine_.value_or(SpecMachine{});
    work.compute = part(one, work, "compute", "flops", flop_dimension, machine.peak);
    work.memory = part(one, work, "memory", "bytes", byte_dimension, machine.bandwidth);
    work.overhead = given_time(one, work, "overhead");
    const bool fair = work.compute >= 0 && work.memory >= 0 && work.overhead >= 0 &&
                      work.total() > 0 && work.total() < 1e12;
    if (!error_ && work.known && !fair) one.fail("", "takes no positive time");
    if (work.known)
      out_.table.add({work.label, time_text(work.overhead), time_text(work.memory),
                      time_text(work.compute), time_text(work.total()),
                      std::string(work.verdict())});
    else out_.table.add({work.label, "not measured", "", "", "", ""});
    out_.rows.push_back(std::move(work));
  }

  std::optional<SpecMachine> machine_;
  Split out_;
};

class SplitDrawing {
 public:
  SplitDrawing(const Split& split, const Options& options)
      : split_(split),
        sheet_(options, height(split), height(split), split.title, split.description),
        colors_(sheet_.colors()),
        left_(sheet_.narrow() ? 8 : 12),
        right_(sheet_.width() - left_) {
    for (const Work& work : split.rows)
      if (work.known) longest_ = std::max(longest_, work.total());
  }

  Rendering draw() {
    key();
    double y = top;
    for (const Work& work : split_.rows) {
      draw_row(work, y);
      y += pitch;
    }
    return sheet_.finish(split_.table);
  }

 private:
  static constexpr double top = 34, lane = 16, pitch = 72;

  static double height(const Split& split) {
    return top + pitch * static_cast<double>(split.rows.size());
  }

  void key() {
    double x = left_;
    const std::pair<const char*, std::string_view> parts[] = {{"overhead", colors_.reference},
                                                              {"bytes", colors_.bandwidth},
                                                              {"arithmetic", colors_.compute},
                                                              {"idle", colors_.rule}};
    for (const auto& [words, color] : parts) {
      sheet_.box({x, 10, x + 10, 20}, color);
      sheet_.hatch({x, 10, x + 10, 20}, color);
      sheet_.note(words, {x + 15, 19});
      x += 15 + sheet_.note_width(words) + (sheet_.narrow() ? 12 : 18);
    }
  }

  // A segment of a lane with its time as text, if that fits.
  void stretch(double from, double to, double y, double tall, std::string_view color,
               double seconds) {
    if (!(to > from)) return;
    const Box box{from, y, std::max(to - 1, from + 0.75), y + tall};
    sheet_.box(box, color);
    const std::string said = time_text(seconds);
    const double wide = sheet_.note_width(said) + 12;
    const bool fits = wide < to - from;
    sheet_.hatch({from + (fits ? wide : 0), y, box.right, box.bottom}, color);
    if (fits) sheet_.note(said, {from + 6, y + tall / 2 + 4.5}, -1, colors_.paper);
  }

  void draw_row(const Work& work, double y) {
    const std::string said =
        work.known ? time_text(work.total()) + ", " + std::string(work.verdict()) : "not measured";
    const double free = right_ - left_ - sheet_.note_width(said) - 14;
    sheet_.name_in(free, work.label, {left_, y + 14});
    sheet_.note(said, {right_, y + 14}, 1);
    const double lanes = y + 21;
    if (!work.known) return sheet_.box({left_, lanes, right_, lanes + 2 * lane + 2}, colors_.rule);
    const double scale = (right_ - left_) / (split_.shares ? work.total() : longest_);
    const double end = left_ + scale * work.total(), begin = left_ + scale * work.overhead;
    sheet_.box({left_, lanes, end, lanes + 2 * lane + 2}, colors_.rule);
    stretch(left_, begin, lanes, 2 * lane + 2, colors_.reference, work.overhead);
    const double memory = begin + scale * work.memory;
    const double second = work.overlap ? begin : memory;
    stretch(begin, memory, lanes, lane, colors_.bandwidth, work.memory);
    stretch(second, second + scale * work.compute, lanes + lane + 2, lane, colors_.compute,
            work.compute);
  }

  const Split& split_;
  models::Sheet sheet_;
  const Palette& colors_;
  double left_, right_, longest_ = 1e-300;
};

}  // namespace

Result<Rendering> render_split(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options) {
  const Result<Split> split = SplitReader(spec, inputs).read();
  if (!split) return split.error();
  return SplitDrawing(*split, options).draw();
}

}  // namespace figures
