// /figures/review/: every figure specification and every model, for several machines, at both
// widths and in both themes side by side. Designers review the figures here. No page for readers
// links to it, and it asks search engines to leave it out.
//
// A drawing that looks the same for another machine is not repeated.
#pragma once

#include <string>
#include <vector>

#include "generator/core/base/cache.hpp"
#include "generator/core/base/tasks.hpp"
#include "generator/core/load/values.hpp"

namespace primer {

struct ReviewPage {
  std::string url;  // "figures/review/", "figures/review/ladder/"
  std::string heading, summary;
  std::string body;  // HTML
};

// The first page lists the others. Reports profiles in the book's `review` list that cannot be
// read. A specification that cannot be drawn shows its error on its page. `cache` may be null.
std::vector<ReviewPage> review_pages(const FileSystem& files, const Book& book,
                                     const Values& values, Cache* cache, const Tasks& tasks,
                                     Diagnostics& diagnostics);

}  // namespace primer
