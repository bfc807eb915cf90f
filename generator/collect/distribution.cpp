#include "generator/collect/distribution.hpp"

#include <algorithm>
#include <vector>

#include "figures/base/decimal_text.hpp"
#include "generator/base/text.hpp"

namespace primer {
namespace {

constexpr int bar = 18, height = 120, room_below = 24;
constexpr int width = static_cast<int>(Spread::bar_count) * bar;

std::string text_of(const Distribution& all, double share) {
  return figures::quantity_text(all.spread.at(share), all.meaning);
}

void write_bars(Html& out, const std::vector<std::uint64_t>& counts) {
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

void write_distribution(Html& out, const Distribution& all) {
  const std::string words = all.what + ", on " +
                            figures::group_thousands(std::to_string(all.spread.machines)) +
                            " machines: half of them lie between " + text_of(all, 0.25) + " and " +
                            text_of(all, 0.75) + ", the middle one at " + text_of(all, 0.5) + ".";
  out.open("figure", {{"class", "distribution"}, {"id", "fig-" + all.id}}).line();
  out.open("svg",
           {{"viewBox", "0 0 " + std::to_string(width) + ' ' + std::to_string(height + room_below)},
            {"role", "img"},
            {"aria-label", words}});
  write_bars(out, all.spread.bars);
  write_label(out, 0, "start", text_of(all, 0));
  write_label(out, width, "end", text_of(all, 1));
  out.close().line().element("figcaption", {}, words).close().line();
}

std::string percentiles(const Distribution& all) {
  std::vector<std::string> each;
  for (const double value : all.spread.percentiles)
    each.push_back(figures::write_significant(value, 4));
  return join(each, ",");
}

}  // namespace primer
