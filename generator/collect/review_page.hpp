// /figures/review/: every figure specification and every model, for several machines, at both widths
// and in both themes side by side. Here a designer looks the book through; no page of the reader's
// links to it, and search engines are asked to leave it out.
//
// What a machine does not change is said in words instead of drawn again.
#pragma once

#include <string>
#include <vector>

#include "generator/base/cache.hpp"
#include "generator/base/tasks.hpp"
#include "generator/load/values.hpp"

namespace primer {

struct ReviewPage {
  std::string url;  // from the site's root: "figures/review/", "figures/review/ladder/"
  std::string heading, summary;
  std::string body;  // HTML
};

// The index first. Reports profiles of book.yaml's `review` that cannot be read; a specification that
// cannot be drawn says so on its page. `cache` may be null.
std::vector<ReviewPage> review_pages(const FileSystem& files, const Book& book,
                                     const Values& values, Cache* cache, const Tasks& tasks,
                                     Diagnostics& diagnostics);

}  // namespace primer
