// sectors: the addresses of one warp's load, and the sectors of memory that they touch.
#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace sectors_model {
namespace {

constexpr int lanes = 32, banks = 32;
constexpr int shown = 1024;  // bytes in the figure

constexpr Choice patterns[] = {
    {"strided", "in order"}, {"reversed", "in reverse"}, {"shuffled", "shuffled"}};
constexpr Control controls_of_it[] = {
    range("stride", "Stride", "elements", 1, 64, 1),
    range("offset", "Offset", "elements", 0, 31, 0),
    doubling("element", "Element", "B", 1, 16, 4),
    more(choice("pattern", "Lanes", patterns)),
    more(doubling("fetch", "Fetch size", "B", 32, 128, 32)),
};
enum At : std::size_t { stride, offset, element, pattern, fetch };

class Sectors : public Model {
 public:
  std::string_view name() const override { return "sectors"; }
  std::string_view title() const override { return "One load of a warp, and what it fetches"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    stride_ = whole(values, At::stride);
    element_ = whole(values, At::element);
    offset_ = whole(values, At::offset) * element_;
    pattern_ = whole(values, At::pattern);
    fetch_ = whole(values, At::fetch);
    touched_.clear();
    words_.assign(banks, {});
    done_ = 0;
    return {};
  }
  int length() const override { return lanes; }
  int first() const override { return lanes; }
  int on_paper() const override { return lanes; }
  void step() override {
    const int lane = lane_at(done_++);
    const int address = offset_ + lane * stride_ * element_;
    touched_.insert(address / fetch_);
    const int index = lane * stride_;  // index of a word in shared memory
    words_[static_cast<std::size_t>(index % banks)].insert(index);
  }

  std::string broken() const override {
    return static_cast<int>(touched_.size()) > done_ ? "a lane touched two pieces" : "";
  }
  std::vector<Count> counts() const override {
    return {exact("pieces", "", static_cast<double>(touched_.size()), closed_pieces()),
            exact("bank conflict degree", "", conflict(), std::gcd(stride_, banks))};
  }
  Rendering draw(const Options& options) const override;

 private:
  std::string summary() const;
  int lane_at(int i) const {
    return pattern_ == 0   ? i
           : pattern_ == 1 ? lanes - 1 - i
                           : i * 13 % lanes;  // 13 is odd, so every lane occurs once
  }
  double closed_pieces() const {
    if (stride_ * element_ > fetch_) return lanes;
    return (offset_ + (lanes - 1) * element_ * stride_) / fetch_ - offset_ / fetch_ + 1;
  }
  double conflict() const {
    std::size_t most = 0;
    for (const auto& bank : words_) most = std::max(most, bank.size());
    return static_cast<double>(most);
  }

  int stride_ = 1, element_ = 4, offset_ = 0, pattern_ = 0, fetch_ = 32, done_ = 0;
  std::set<int> touched_;
  std::vector<std::set<int>> words_;  // distinct words in each bank
};

std::string Sectors::summary() const {
  return "32 lanes read " + plural(element_, "byte", "bytes") + " each at a stride of " +
         plural(stride_, "element", "elements") + ": " +
         plural(closed_pieces(), "fetch", "fetches") + " of " + said(fetch_) + " bytes, " +
         quantity_text(lanes * element_ / (closed_pieces() * fetch_), Meaning::percent, 3) +
         " of the bytes are used. The order of the lanes does not matter. In shared memory such a "
         "stride in words takes " +
         plural(std::gcd(stride_, banks), "pass", "passes") + ".";
}

Rendering Sectors::draw(const Options& options) const {
  const double pieces = static_cast<double>(touched_.size());
  const double used = static_cast<double>(done_) * element_, moved = pieces * fetch_;
  const double share = moved > 0 ? used / moved : 0;
  // Shows the first bytes of the memory that the warp reads from, in rows: sectors, the fetched
  // sectors, and the bytes that a lane requested.
  Sheet sheet(options, 152, 218, std::string(title()), summary());
  const int rows = sheet.narrow() ? 4 : 2, row_bytes = shown / rows;
  const double left = 12, top = 36, pitch = 32, height = 22;
  const double scale = (sheet.width() - 2 * left) / row_bytes;
  // The box of the bytes [from, to) in one row.
  const auto place = [&](int from, int to) {
    const double y = top + from / row_bytes * pitch, x = left + from % row_bytes * scale;
    return Box{x, y, x + (to - from) * scale, y + height};
  };
  std::vector<Box> pieces_all, fetched, asked;
  for (int at = 0; at < shown; at += fetch_) {
    pieces_all.push_back(place(at, at + fetch_));
    if (touched_.contains(at / fetch_)) fetched.push_back(pieces_all.back());
  }
  for (int i = 0; i < done_; ++i) {
    const int address = offset_ + lane_at(i) * stride_ * element_;
    if (address + element_ <= shown) asked.push_back(place(address, address + element_));
  }
  sheet.boxes(fetched, sheet.colors().bandwidth, "0.3");
  sheet.boxes(asked, sheet.colors().bandwidth);
  sheet.outlines(pieces_all, sheet.colors().ink_soft);
  sheet.note(sheet.narrow() ? quantity_text(shown, Meaning::bytes)
                            : "the first " + quantity_text(shown, Meaning::bytes),
             {left, 22});
  // The key for the three kinds of boxes, from right to left.
  double x = sheet.width() - left;
  const auto key = [&](const std::string& text, std::string_view fill, std::string_view opacity) {
    sheet.note(text, {x, 22}, 1);
    x -= sheet.note_width(text) + 17;
    const Box box{x, 12, x + 12, 23};
    if (fill.empty()) sheet.outlines({box}, sheet.colors().ink_soft);
    else sheet.boxes({box}, fill, opacity);
    x -= 14;
  };
  key("a fetch of " + said(fetch_) + " B", {}, {});
  key("fetched", sheet.colors().bandwidth, "0.3");
  key("requested", sheet.colors().bandwidth, {});
  const double base = top + rows * pitch + 22;
  sheet.name(plural(done_, "lane", "lanes") + ": " + said(used) + " B requested, " + said(moved) +
                 " B fetched, " + quantity_text(share, Meaning::percent, 3) + " used",
             {left, base});
  Table table{{"What", "So far", "Whole warp"}, {}};
  table.rows = {{"fetches", said(pieces), said(closed_pieces())},
                {"bytes moved", said(moved), said(closed_pieces() * fetch_)},
                {"passes in shared memory", said(conflict()), said(std::gcd(stride_, banks))}};
  return sheet.finish(std::move(table));
}

}  // namespace
}  // namespace sectors_model

std::unique_ptr<Model> make_sectors() { return std::make_unique<sectors_model::Sectors>(); }

}  // namespace figures::models
