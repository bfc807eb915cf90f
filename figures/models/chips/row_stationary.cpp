// row-stationary: a convolution on an array in which each cell holds a row of the filter.
//
// A set of R cells down and E' across computes E' rows of one output plane from one filter plane.
// Cell (r, e) holds filter row r, slides input row e + r through it and passes its sums up. As many
// sets as fit work in parallel. A pass takes E·R cycles, and its last sums need R − 1 more cycles
// to move up.
#include <algorithm>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace row_stationary_model {
namespace {

constexpr Control controls_of_it[] = {
    range("height", "Array height", "cells", 1, 16, 12),
    range("width", "Array width", "cells", 1, 16, 14),
    range("filter", "Filter side", "", 1, 11, 3),
    more(range("output", "Output side", "", 1, 56, 13)),
    more(range("channels", "Input channels", "", 1, 32, 16)),
    more(range("filters", "Filters", "", 1, 32, 16)),
    more(range("images", "Images", "", 1, 8, 1)),
};
enum At : std::size_t { height, width, filter, output, channels, filters, images };

class RowStationary : public Model {
 public:
  std::string_view name() const override { return "row-stationary"; }
  std::string_view title() const override { return "A convolution, row by row"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    std::vector<std::string> notices;
    height_ = whole(values, At::height);
    width_ = whole(values, At::width);
    filter_ = whole(values, At::filter);
    output_ = whole(values, At::output);
    planes_ = static_cast<long long>(whole(values, At::channels)) * whole(values, At::filters) *
              whole(values, At::images);
    if (filter_ > height_) {
      notices.push_back("The filter is taller than the array: " + said(height_) + " rows of it");
      filter_ = height_;
    }
    strip_ = std::min(output_, width_);
    strips_ = (output_ + strip_ - 1) / strip_;
    sets_ = (height_ / filter_) * (width_ / strip_);
    next_ = 0;
    cycles_ = 0;
    macs_ = reads_ = 0;
    busy_ = 0;
    return notices;
  }
  int length() const override { return static_cast<int>((planes_ * strips_ + sets_ - 1) / sets_); }
  int first() const override { return length(); }
  // A step is a pass: the next (plane, strip) pairs, one per set.
  void step() override {
    busy_ = 0;
    for (int set = 0; set < sets_ && next_ < planes_ * strips_; ++set, ++next_) {
      const int first = static_cast<int>(next_ % strips_) * strip_;
      const int columns = std::min(strip_, output_ - first);
      busy_ += columns * filter_;
      for (int row = 0; row < filter_; ++row) {
        reads_ += filter_;  // a filter row is read once for all columns of the set
        macs_ += static_cast<long long>(columns) * output_ * filter_;
      }
    }
    cycles_ += output_ * filter_;
    if (next_ == planes_ * strips_) cycles_ += filter_ - 1;
  }

  std::string broken() const override {
    return busy_ > height_ * width_ ? "more cells at work than there are" : "";
  }
  std::vector<Count> counts() const override {
    const double r = filter_, e = output_;
    return {exact("cycles", "cycles", static_cast<double>(cycles_), length() * e * r + r - 1),
            exact("multiply-adds", "", static_cast<double>(macs_),
                  static_cast<double>(planes_) * e * e * r * r),
            exact("filter values read", "", static_cast<double>(reads_),
                  static_cast<double>(planes_ * strips_) * r * r)};
  }
  Rendering draw(const Options& options) const override;

 private:
  double closed_cycles() const { return double(length()) * output_ * filter_ + filter_ - 1; }
  double utilisation() const {
    const double work = double(planes_) * output_ * output_ * filter_ * filter_;
    return work / (double(height_) * width_ * closed_cycles());
  }

  int height_ = 1, width_ = 1, filter_ = 1, output_ = 1, strip_ = 1, strips_ = 1, sets_ = 1,
      busy_ = 0;
  long long planes_ = 1, next_ = 0, cycles_ = 0, macs_ = 0, reads_ = 0;
};

Rendering RowStationary::draw(const Options& options) const {
  const std::string summary =
      "A " + said(filter_) + "×" + said(filter_) + " convolution on " + said(height_) + "×" +
      said(width_) + " cells: " + plural(sets_, "set", "sets") + " of " + said(filter_) + "×" +
      said(strip_) + " cells side by side, " + plural(length(), "pass", "passes") + ", " +
      plural(closed_cycles(), "cycle", "cycles") + ", " +
      quantity_text(utilisation(), Meaning::percent, 3) + " utilization.";
  Sheet sheet(options, 330, 330, std::string(title()), summary);
  const double unit = std::min(240.0 / height_, 300.0 / width_);
  const double left = sheet.narrow() ? (sheet.width() - unit * width_) / 2 : 76, top = 34;
  std::vector<Box> all, inside, edges;
  const int across = width_ / strip_;
  for (int row = 0; row < height_; ++row)
    for (int column = 0; column < width_; ++column)
      all.push_back({left + column * unit + 1, top + row * unit + 1, left + (column + 1) * unit - 1,
                     top + (row + 1) * unit - 1});
  for (int set = 0; set < sets_; ++set) {
    const double x = left + set % across * strip_ * unit, y = top + set / across * filter_ * unit;
    edges.push_back({x, y, x + strip_ * unit, y + filter_ * unit});
    inside.push_back(edges.back());
  }
  sheet.boxes(inside, sheet.colors().compute, "0.3");
  sheet.outlines(all, sheet.colors().rule);
  sheet.outlines(edges, sheet.colors().compute, 2);
  sheet.name(plural(sets_, "set", "sets") + " of " + said(filter_) + "×" + said(strip_),
             {left, 20});
  const double base = sheet.height() - 16;
  sheet.note("pass " + said(next_ == 0 ? 0 : double((next_ + sets_ - 1) / sets_)) + " of " +
                 said(length()),
             {left, base});
  if (!sheet.narrow())
    sheet.note(said(busy_) + " of " + plural(height_ * width_, "cell", "cells") + " at work, " +
                   quantity_text(utilisation(), Meaning::percent, 3) + " over the run",
               {sheet.width() - 12, base}, 1, sheet.colors().ink);
  Table table{{"What", "So far", "Whole run"}, {}};
  for (const Count& count : counts())
    table.rows.push_back({count.name, said(count.counted), said(count.low)});
  return sheet.finish(std::move(table));
}

}  // namespace
}  // namespace row_stationary_model

std::unique_ptr<Model> make_row_stationary() {
  return std::make_unique<row_stationary_model::RowStationary>();
}

}  // namespace figures::models
