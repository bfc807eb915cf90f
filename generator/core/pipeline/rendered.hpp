// Stages "render", "typeset" and "keep": every page's HTML, from the cache or rendered.
#pragma once

#include <vector>

#include "generator/core/pipeline/build_stats.hpp"
#include "generator/core/pipeline/indexed.hpp"

namespace primer {

// Renders each page or takes it from the cache. Formulas of rendered pages are still marks.
std::vector<PageJob> render(const Loaded& loaded, const std::vector<LanguageTree>& trees,
                            std::vector<PageJob> jobs);

// Replaces the marks by MathML. Reports formulas that cannot be converted.
std::vector<PageJob> typeset(const Typesetter& typesetter, std::vector<PageJob> jobs);

struct RenderedBook {
  std::vector<RenderedPage> pages;  // page i comes from job i
  std::vector<PageReport> reports;  // likewise; empty reports for pages that stay as published
};

// Moves the pages out of the jobs and stores those without diagnostics for the next build.
Made<RenderedBook> keep(const Loaded& loaded, const std::vector<LanguageTree>& trees,
                        std::vector<PageJob> jobs);

}  // namespace primer
