#include "generator/collect/distribution.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/decimal_text.hpp"
#include "generator/base/text.hpp"

namespace primer {
namespace {

constexpr std::size_t bins = 30;
constexpr int bar = 18, height = 120, room_below = 24, width = static_cast<int>(bins) * bar;

std::vector<std::size_t> counts_of(const Distribution& all) {
  const double low = std::log(all.values.front()), high = std::log(all.values.back());
  const double step = std::max(high - low, 1e-9) / static_cast<double>(bins);
  std::vector<std::size_t> counts(bins);
  for (const double value : all.values) {
    const auto bin = static_cast<std::size_t>((std::log(value) - low) / step);
    ++counts[std::min(bin, bins - 1)];
  }
  return counts;
}

std::string text_of(const Distribution& all, double share) {
  return figures::quantity_text(all.at(share), all.meaning);
}

void write_bars(Html& out, const std::vector<std::size_t>& counts) {
  const auto most = static_cast<double>(*std::ranges::max_element(counts));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const int tall = std::max(1, static_cast<int>(static_cast<double>(counts[i]) / most * height));
    out.empty("rect", {{"x", std::to_string(static_cast<int>(i) * bar + 1)},
                       {"y", std::to_string(height - tall)},
                       {"width", std::to_string(bar - 2)},
                       {"height", std::to_string(tall)},
                       {"fill", "currentColor"},
                       {"opacity", "0.55"}});
  }
}

void write_label(Html& out, int x, const char* anchor, const std::string& words) {
  out.open("text", {{"x", std::to_string(x)},
                    {"y", std::to_string(height + room_below - 6)},
                    {"text-anchor", anchor},
                    {"font-size", "14"},
                    {"fill", "currentColor"}});
  out.text(words).close();
}

}  // namespace

double Distribution::at(double share) const {
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(std::lround(share * last))];
}

void write_distribution(Html& out, const Distribution& all) {
  const std::string words = all.what + ", on " + std::to_string(all.values.size()) +
                            " machines: half of them lie between " + text_of(all, 0.25) + " and " +
                            text_of(all, 0.75) + ", the middle one at " + text_of(all, 0.5) + ".";
  out.open("figure", {{"class", "distribution"}, {"id", "fig-" + all.id}}).line();
  out.open("svg",
           {{"viewBox", "0 0 " + std::to_string(width) + ' ' + std::to_string(height + room_below)},
            {"role", "img"},
            {"aria-label", words}});
  write_bars(out, counts_of(all));
  write_label(out, 0, "start", text_of(all, 0));
  write_label(out, width, "end", text_of(all, 1));
  out.close().line().element("figcaption", {}, words).close().line();
}

std::string percentiles(const Distribution& all) {
  std::vector<std::string> each;
  for (int i = 0; i <= 100; ++i) each.push_back(figures::write_significant(all.at(i / 100.0), 4));
  return join(each, ",");
}

}  // namespace primer
