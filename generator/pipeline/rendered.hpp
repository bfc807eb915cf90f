// Stages "render" and "typeset": every page's HTML, found in the cache or made.
#pragma once

#include <vector>

#include "generator/pipeline/build_stats.hpp"
#include "generator/pipeline/indexed.hpp"

namespace primer {

// Each page rendered, or found as it was rendered before; formulas are still marks.
std::vector<PageJob> render(const Loaded& loaded, const std::vector<LanguageTree>& trees,
                            std::vector<PageJob> jobs);

// The same with its formulas.
std::vector<PageJob> typeset(const Typesetter& typesetter, std::vector<PageJob> jobs);

struct RenderedBook {
  std::vector<RenderedPage> pages;  // by the numbers of the jobs
  std::vector<PageReport> reports;  // likewise: how each came about
};

// What was rendered without a diagnostic is kept for the next build.
Made<RenderedBook> keep(const Loaded& loaded, const std::vector<LanguageTree>& trees,
                        std::vector<PageJob> jobs);

}  // namespace primer
