#include "figures/draw/theme.hpp"

#include "figures/base/result.hpp"

namespace figures {
namespace {

constexpr Palette css{"var(--ink)",        "var(--ink-soft)",  "var(--paper)",
                      "var(--rule)",       "var(--bandwidth)", "var(--compute)",
                      "var(--reader)",     "var(--reference)", "var(--teal)",
                      "var(--ochre)",      "var(--grid)",      "var(--bandwidth-bar)",
                      "var(--compute-bar)"};
// The same values as in site/styles/colours.css.
constexpr Palette light{"#1e1c19", "#5d574d", "#fdfcf9", "#e2dbcd", "#1a5fa6", "#a8431a", "#7a2f96",
                        "#67615a", "#2b7a74", "#8a6110", "#ece6da", "#1a5fa6", "#a8431a"};
// The build uses these two; a page that saves a figure uses `light`.
constexpr Palette dark{"#e6e2d9", "#aaa498", "#17181b", "#34363b", "#82b8f2", "#f0a077", "#d7a2e8",
                       "#a5a19a", "#6fc3bb", "#d9b25f", "#2a2c30", "#5b93d1", "#cf7d52"};
constexpr Palette print{"#000000", "#444444", "#ffffff", "#cccccc", "#0f4a86", "#8c3512", "#64237d",
                        "#5c5c5c", "#1f615c", "#6b4a08", "#e4e4e4", "#0f4a86", "#8c3512"};

}  // namespace

const Palette& palette(Theme theme) {
  switch (theme) {
    case Theme::light: return light;
    case Theme::dark:
      if constexpr (tells_authors) return dark;
      break;
    case Theme::print:
      if constexpr (tells_authors) return print;
      break;
    case Theme::css: break;
  }
  return css;
}

std::array<std::string_view, 13> colours_of(const Palette& p) {
  return {p.ink,       p.ink_soft, p.paper, p.rule, p.bandwidth,     p.compute,    p.reader,
          p.reference, p.teal,     p.ochre, p.grid, p.bandwidth_bar, p.compute_bar};
}

}  // namespace figures
