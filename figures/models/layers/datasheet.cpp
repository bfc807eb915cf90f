// datasheet: ten questions to the data sheet of a chip, and the trap in each.
//
// A row is answered if the data sheet has the numbers that it needs; otherwise it is unknown. The
// traps are ratios: halving the bits without doubling the rate, a memory in GiB, and numbers that
// differ from the book's by the factor of sparsity, of both directions, or of a pod. If the reader
// chooses a chip of the book, the typed numbers are another page's and are compared with the
// book's; otherwise they are the data sheet. Compute in memory uses the stack of the chapter, with
// its internal bandwidth and its rate.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/cards.hpp"
#include "figures/models/data_sheets.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace datasheet_model {
namespace {

constexpr double gib = 1073741824, context = 8192;  // tokens in a cache
constexpr int most_caches = 100000;                 // bounds the work; the page may send anything
constexpr int rows = 10;
constexpr int own = data_sheet_count, h100 = 5, rubin = 16;  // indices of choices

// Controls for the reader's own numbers. 0: not in the data sheet.
constexpr Control peak_in_print(std::string_view id, std::string_view label, double most) {
  return more(range(id, label, "TFLOP/s", 0, most, 0));
}
constexpr Control controls_of_it[] = {
    choice("chip", "Chip", data_sheet_choices, rubin),
    choice("card", "Model to run", card_choices),
    doubling("batch", "Tokens at once", "", 1, 1024, 1),
    peak_in_print("peak16", "Printed: 16-bit peak", 50000),
    peak_in_print("peak8", "Printed: 8-bit peak", 100000),
    peak_in_print("peak4", "Printed: 4-bit peak", 200000),
    more(range("bandwidth", "Printed: bandwidth", "GB/s", 0, 50000, 0)),
    more(range("memory", "Printed: memory", "GB", 0, 1024, 0)),
    more(range("link", "Printed: link", "GB/s", 0, 10000, 0)),
    more(range("power", "Printed: power", "W", 0, 5000, 0)),
};
enum At : std::size_t {
  chip,
  card,
  batch,
  peak16,
  bandwidth = peak16 + widths,
  memory,
  link,
  power
};

enum class Mark { fine, look, unknown };
struct Row {
  std::string_view ask;
  std::string found = "not printed", check = {};
  Mark mark = Mark::unknown;
};

bool near(double a, double b) { return a > 0.99 * b && a < 1.01 * b; }
std::string times(double factor) { return said(factor, 3) + " ×"; }
std::string width_text(int i) { return said(bits_of[i]) + " bit"; }
std::string rate_text(double rate) { return quantity_text(rate, Meaning::flop_rate, 4); }
std::string gigabytes(double bytes) { return said(bytes / 1e9, 3) + " GB"; }
std::string tokens_text(double tokens) { return said(tokens, 3) + " tokens"; }
std::string milliseconds(double seconds) { return quantity_text(seconds, Meaning::seconds, 3); }

class Datasheet : public Model {
 public:
  std::string_view name() const override { return "datasheet"; }
  std::string_view title() const override { return "A data sheet in ten minutes"; }
  std::span<const Control> controls() const override { return controls_of_it; }
  std::vector<std::string> facts() const override {
    std::vector<std::string> ids = data_sheet_facts();
    for (std::string& id : card_facts()) ids.push_back(std::move(id));
    for (const char* id : {"hbm-pim-peak", "hbm-pim-bandwidth", "hbm2.stack"}) ids.emplace_back(id);
    return ids;
  }

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override {
    own_ = whole(values, At::chip) == own;
    printed_ = DataSheet{};
    printed_.label = "This chip";
    for (int i = 0; i < widths; ++i) printed_.peak[i] = values[At::peak16 + i] * 1e12;
    printed_.bandwidth = values[At::bandwidth] * 1e9;
    printed_.memory = values[At::memory] * 1e9;
    printed_.link = values[At::link] * 1e9;
    printed_.power = values[At::power];
    sheet_ = own_ ? printed_ : data_sheet(whole(values, At::chip), numbers);
    other_ = data_sheet(h100, numbers);
    fastest_ = slowest_ = 0;
    for (int i = 0; i < data_sheet_count; ++i) {
      const double seconds = data_sheet(i, numbers).seconds_to_read();
      if (i == whole(values, At::chip) || !(seconds > 0)) continue;
      fastest_ = fastest_ > 0 ? std::min(fastest_, seconds) : seconds;
      slowest_ = std::max(slowest_, seconds);
    }
    card_ = card_of(whole(values, At::card), numbers);
    batch_ = values[At::batch];
    inside_ = numbers.fact("hbm-pim-bandwidth");
    inside_rate_ = DataSheet::over(numbers.fact("hbm-pim-peak"), numbers.fact("hbm2.stack"));
    done_ = 0;
    rows_ = {what(),  when(),  peaks(),   speed(), size(),
             ridge(), drain(), sending(), floor(), energy()};
    return {};
  }
  int length() const override { return rows; }
  int first() const override { return rows; }
  int on_paper() const override { return rows; }
  std::string step_words() const override { return " minutes"; }
  void step() override { ++done_; }

  std::string broken() const override {
    // Bandwidth, memory, read time and link: answered if their numbers are known.
    const std::pair<int, bool> needs[] = {{3, sheet_.bandwidth > 0},
                                          {4, sheet_.memory > 0},
                                          {6, sheet_.bandwidth > 0 && sheet_.memory > 0},
                                          {7, sheet_.link > 0}};
    for (const auto& [row, known] : needs)
      if ((rows_[static_cast<std::size_t>(row)].found != "not printed") != known)
        return "an answer out of nothing, or none";
    return {};
  }
  std::vector<Count> counts() const override {
    std::vector<Count> all;
    for (int i = 0; i < widths; ++i) {
      const std::string bits = ", " + said(bits_of[i]) + " bits";
      if (sheet_.ridge(i) > 0 && sheet_.memory > 0) {
        const Reading reading = read_once(sheet_, i);
        all.push_back(
            exact("ridge" + bits, "FLOP/B", reading.operations / reading.bytes, sheet_.ridge(i)));
      }
      if (sheet_.tokens(i) > 0)
        all.push_back(between("tokens" + bits, "tokens", fewest_tokens(sheet_, i), sheet_.tokens(i),
                              sheet_.tokens(i) + 1));
      if (sheet_.joules(i) > 0)  // one second at peak
        all.push_back(exact("energy" + bits, "J", sheet_.power * 1e12 / sheet_.peak[i] / 1e12,
                            sheet_.joules(i)));
      if (sheet_.per_byte_sent(i) > 0)  // while one gigabyte is sent
        all.push_back(exact("sent" + bits, "FLOP/B", 1e9 / sheet_.link * sheet_.peak[i] / 1e9,
                            sheet_.per_byte_sent(i)));
    }
    if (sheet_.seconds_to_read() > 0)
      all.push_back(
          exact("time to read", "s", read_once(sheet_, 0).seconds, sheet_.seconds_to_read()));
    if (floor_time() > 0) {
      double seconds = 0;
      for (int i = 0; i < static_cast<int>(card_.layers); ++i)
        seconds += std::max(weights() / card_.layers / sheet_.bandwidth,
                            2 * card_.read * batch_ / card_.layers / sheet_.peak[0]);
      all.push_back(exact("floor", "s", seconds, floor_time()));
    }
    // Adds caches one by one until the next one does not fit.
    const double room = sheet_.memory - 2 * card_.parameters,
                 cache = context * card_.cache_per_token(card_.kv_heads, 2);
    int filled = 0;
    while (filled < most_caches && (filled + 1) * cache <= room) ++filled;
    all.push_back(exact("caches", "", filled, caches()));
    return all;
  }
  Rendering draw(const Options& options) const override;

 private:
  double weights() const { return 2 * card_.read; }  // bytes that a step reads
  // The least time of a step for a batch that reads its weights once; 0: unknown.
  double floor_time() const {
    if (!(sheet_.bandwidth > 0) || !(sheet_.peak[0] > 0)) return 0;
    return std::max(weights() / sheet_.bandwidth, 2 * card_.read * batch_ / sheet_.peak[0]);
  }
  double caches() const {
    const double room = sheet_.memory - 2 * card_.parameters;
    const double cache = context * card_.cache_per_token(card_.kv_heads, 2);
    if (!(room >= cache) || !(cache > 0)) return 0;
    return static_cast<double>(
        static_cast<int>(std::min<double>(most_caches, room / cache * (1 + 1e-15))));
  }
  int narrowest() const {
    for (int i = widths - 1; i > 0; --i)
      if (sheet_.peak[i] > 0) return i;
    return 0;
  }
  int widest() const {
    for (int i = 0; i < widths - 1; ++i)
      if (sheet_.peak[i] > 0) return i;
    return widths - 1;
  }

  // The kind of a typed number, for comparing it with the book's.
  enum class Of { peak, bandwidth, memory, link, power };
  std::string against(double page, double known, Of of) const {
    const double ratio = page / known;
    if (near(ratio, 1)) return {};
    if (of == Of::peak || of == Of::link) {
      if (near(ratio, 2))
        return of == Of::peak ? "twice ours: sparsity?" : "twice ours: both directions";
      if (near(ratio, 0.5))
        return of == Of::peak ? "half of ours: a multiply-add as one?"
                              : "half of ours: halved already?";
    }
    if (of == Of::peak)
      for (int i = 0; i < widths; ++i)
        if (near(page, sheet_.peak[i])) return "that is the " + width_text(i) + " rate";
    if (of == Of::memory && near(ratio * gib / 1e9, 1)) return "ours in GiB, printed as GB";
    if (of == Of::memory && near(ratio, gib / 1e9)) return "ours in GB, taken for GiB";
    if (of == Of::bandwidth && near(page, sheet_.other_bandwidth))
      return "the number of " + std::string(sheet_.other_part);
    return ratio < 2 && ratio > 0.5
               ? quantity_text(ratio > 1 ? ratio - 1 : 1 - ratio, Meaning::percent, 2) +
                     (ratio > 1 ? " more" : " less") + ": another part, or month?"
               : times(ratio) + " ours: what does it count?";
  }
  // Adds the other page's number and its ratio to `row`, if there is one.
  void hold(Row& row, double page, double known, Of of) const {
    if (own_ || !(page > 0)) return;
    const std::string odd =
        known > 0 ? against(page, known, of) : "only there: find a second source";
    row.check = odd.empty() ? "the other page agrees" : "other page: " + odd;
    row.mark = odd.empty() ? Mark::fine : Mark::look;
  }

  Row what() const {
    Row row{"What is it?", own_ ? "what you typed" : "a chip", "no pod is printed", Mark::fine};
    if (!(sheet_.pod > 0)) return row;
    row.found = "a chip; a pod has " + said(sheet_.pod);
    row.check = "its " + rate_text(sheet_.pod_peak) + " are not a multiple of a chip’s";
    row.mark = Mark::look;
    for (int i = 0; i < widths; ++i)
      if (near(sheet_.pod_peak / sheet_.pod, sheet_.peak[i])) {
        row.check = rate_text(sheet_.pod_peak) + " ÷ " + said(sheet_.pod) + ": the " +
                    width_text(i) + " peak";
        row.mark = Mark::fine;
      }
    return row;
  }
  Row when() const {
    Row row{"When, and sold?"};
    if (own_) return row;
    row.found = (sheet_.year > 0 ? said(sheet_.year) : "no year") +
                (sheet_.announced ? ", announced" : ", on sale");
    row.check = sheet_.announced ? "nobody else has measured it" : "somebody can measure it";
    row.mark = sheet_.announced ? Mark::look : Mark::fine;
    return row;
  }
  Row peaks() const {
    Row row{"Peak, dense"};
    std::string list;
    for (int i = 0; i < widths; ++i)
      if (sheet_.peak[i] > 0)
        list += (list.empty() ? "" : ", ") + width_text(i) + " " + said(sheet_.peak[i] / 1e15, 4);
    if (!list.empty()) {
      row.found = list + " PFLOP/s";
      row.check = "one width is printed";
      row.mark = Mark::fine;
    }
    int before = -1;
    for (int i = 0; i < widths; ++i) {
      if (!(sheet_.peak[i] > 0)) continue;
      if (before >= 0) {
        const double ratio = sheet_.peak[i] / sheet_.peak[before];
        const double fair = static_cast<double>(bits_of[before]) / bits_of[i];
        if (!near(ratio, fair)) {
          row.check = width_text(i) + " does " + times(ratio) + " the " + width_text(before) +
                      " rate, not " + said(fair) +
                      (ratio > 1.9 * fair && ratio < 2.1 * fair ? ": sparsity?" : "");
          row.mark = Mark::look;
          break;
        }
        row.check = "half the bits, twice the rate";
      }
      before = i;
    }
    for (int i = 0; i < widths; ++i) hold(row, printed_.peak[i], sheet_.peak[i], Of::peak);
    return row;
  }
  Row speed() const {
    Row row{"Bandwidth"};
    if (sheet_.bandwidth > 0) {
      row.found = quantity_text(sheet_.bandwidth, Meaning::byte_rate, 4);
      row.check = own_ ? "is it the peak, or measured?" : "the book has no other number";
      row.mark = Mark::fine;
    }
    if (sheet_.other_bandwidth > 0) {
      row.check = std::string(sheet_.other_part) + ": " +
                  quantity_text(sheet_.other_bandwidth, Meaning::byte_rate, 4);
      row.mark = Mark::look;
    }
    hold(row, printed_.bandwidth, sheet_.bandwidth, Of::bandwidth);
    return row;
  }
  Row size() const {
    Row row{"Memory"};
    if (sheet_.memory > 0) {
      const int binary = static_cast<int>(sheet_.memory / gib + 0.5);
      const bool is_binary = binary * gib == sheet_.memory;
      row.found = gigabytes(sheet_.memory) + (is_binary ? " = " + said(binary) + " GiB" : "");
      row.check = is_binary ? "GiB, often printed as GB" : "as GiB it would be 7 % more";
      row.mark = is_binary ? Mark::look : Mark::fine;
    }
    hold(row, printed_.memory, sheet_.memory, Of::memory);
    return row;
  }
  Row ridge() const {
    Row row{"Ridge, tokens"};
    const int wide = widest(), narrow = narrowest();
    if (!(sheet_.ridge(wide) > 0)) return row;
    row.found = width_text(wide) + ": " + said(sheet_.ridge(wide), 3) + " FLOP/B, " +
                tokens_text(sheet_.tokens(wide));
    row.mark = Mark::fine;
    if (narrow == wide) return row;
    const bool same = near(sheet_.tokens(narrow), sheet_.tokens(wide));
    row.check = width_text(narrow) + ": " + said(sheet_.ridge(narrow), 4) + " FLOP/B, " +
                (same ? "as many tokens" : tokens_text(sheet_.tokens(narrow)));
    row.mark = same ? Mark::fine : Mark::look;
    return row;
  }
  Row drain() const {
    Row row{"Read it all"};
    const double seconds = sheet_.seconds_to_read();
    if (!(seconds > 0)) return row;
    row.found = milliseconds(seconds);
    row.check = "chips to choose here: " + milliseconds(fastest_) + " to " + milliseconds(slowest_);
    row.mark = seconds >= fastest_ && seconds <= slowest_ ? Mark::fine : Mark::look;
    return row;
  }
  Row sending() const {
    Row row{"Link, one way"};
    if (sheet_.link > 0) {
      row.found = quantity_text(sheet_.link, Meaning::byte_rate, 4);
      const int wide = widest();
      if (sheet_.per_byte_sent(wide) > 0)
        row.found += ", " + said(sheet_.per_byte_sent(wide), 4) + " FLOP/B";
      row.check = "both ways it reads " + quantity_text(2 * sheet_.link, Meaning::byte_rate, 4);
      row.mark = Mark::fine;
    }
    hold(row, printed_.link, sheet_.link, Of::link);
    return row;
  }
  Row floor() const {
    Row row{"Floor of a step"};
    if (!(floor_time() > 0) || !(sheet_.memory > 0)) return row;
    row.mark = Mark::look;
    if (2 * card_.parameters > sheet_.memory) {
      row.found = "the model does not fit";
      row.check = gigabytes(2 * card_.parameters) + " into " + gigabytes(sheet_.memory);
      return row;
    }
    row.found = milliseconds(floor_time()) + ", room for " + plural(caches(), "cache", "caches");
    const double inside = std::max(weights() / (inside_ * sheet_.bandwidth),
                                   2 * card_.read * batch_ / (inside_rate_ * sheet_.bandwidth));
    row.check = "compute in the memory: " + milliseconds(inside) +
                (inside < floor_time() ? "" : ", slower");
    row.mark = Mark::fine;
    return row;
  }
  Row energy() const {
    Row row{"Power, share reached", "power not printed", "no measured matmul is known",
            Mark::unknown};
    if (sheet_.power > 0) {
      row.found = said(sheet_.power) + " W";
      const double joules = sheet_.joules(widest());
      if (joules > 0) row.found += ", " + said(joules * 1e12, 3) + " pJ/FLOP";
      row.mark = Mark::fine;
    }
    if (sheet_.achieved > 0)
      row.check = "a good matmul reaches " +
                  quantity_text(sheet_.achieved / sheet_.peak[0], Meaning::percent, 3);
    hold(row, printed_.power, sheet_.power, Of::power);
    return row;
  }
  std::string summary() const;

  DataSheet sheet_, printed_, other_;
  Card card_;
  bool own_ = false;
  double batch_ = 1, inside_ = 0, inside_rate_ = 0, fastest_ = 0, slowest_ = 0;
  int done_ = 0;
  std::array<Row, rows> rows_;
};

// Returns only the first sentence.
std::string Datasheet::summary() const {
  int look = 0, unknown = 0;
  for (int i = 0; i < done_; ++i) {
    const Mark mark = rows_[static_cast<std::size_t>(i)].mark;
    look += mark == Mark::look ? 1 : 0;
    unknown += mark == Mark::unknown ? 1 : 0;
  }
  const std::string tally = plural(look, "answer needs", "answers need") + " a second look, " +
                            plural(unknown, "is", "are") + " not printed.";
  if (done_ < rows) return "Minute " + said(done_) + " of 10: " + tally;
  const double faster = DataSheet::over(sheet_.bandwidth, other_.bandwidth);
  const double more_work = DataSheet::over(sheet_.peak[0], other_.peak[0]);
  std::string text = sheet_.label + ": ";
  if (faster > 0 && more_work > 0)
    text += "an H100 with " + times(faster) + " the bandwidth and " + times(more_work) +
            " the peak in 16 bits, filled by " + tokens_text(sheet_.tokens(0)) + " instead of " +
            said(other_.tokens(0), 3) + ". ";
  else if (faster > 0)
    text +=
        "an H100 with " + times(faster) + " the bandwidth; its peak in 16 bits is not printed. ";
  else text += "too little is printed to compare it. ";
  return text + tally;
}

Rendering Datasheet::draw(const Options& options) const {
  const double top = 34;
  Sheet sheet(options, top + rows * 48 + 8, top + rows * 54 + 8, std::string(title()), summary());
  const Palette& colors = sheet.colors();
  const bool narrow = sheet.narrow();
  const double far = sheet.width() - 12, found_at = 178, check_at = narrow ? 28 : found_at;
  sheet.name(sheet_.label, {28, 20});
  sheet.note("▲ look twice  ○ not printed", {far, 20}, 1);
  Table table{{"Question", "Answer", "Check"}, {}};
  double y = top;
  for (int i = 0; i < done_; ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i)];
    const double baseline = y + 19;
    sheet.line({12, y}, {far, y}, colors.rule);
    if (row.mark == Mark::look) sheet.triangle({17, baseline - 4}, 5, colors.ink);
    if (row.mark != Mark::look) sheet.dot({17, baseline - 4}, 4, colors.reference);
    if (row.mark == Mark::unknown) sheet.dot({17, baseline - 4}, 2.4, colors.paper);
    sheet.note(std::string(row.ask), {28, baseline});
    if (narrow)
      sheet.note_in(far - 40 - sheet.note_width(row.ask), row.found, {far, baseline}, 1,
                    colors.ink);
    else sheet.note_in(far - found_at, row.found, {found_at, baseline}, -1, colors.ink);
    if (!row.check.empty())
      sheet.note_in(far - check_at, row.check, {check_at, baseline + (narrow ? 20 : 18)});
    y += narrow ? 54 : 48;
    table.rows.push_back({std::string(row.ask), row.found, row.check.empty() ? "–" : row.check});
  }
  return sheet.finish(std::move(table));
}

}  // namespace
}  // namespace datasheet_model

std::unique_ptr<Model> make_datasheet() { return std::make_unique<datasheet_model::Datasheet>(); }

}  // namespace figures::models
