// /print/: the whole book on one page, for paper and for scripts/pdf.
//
// Chapters and pages follow each other without controls, folds opened, notes in their place, figures
// in colours for paper. Ids get their page's slug in front, so that links between parts lead inside.
#pragma once

#include <string>
#include <vector>

#include "generator/assemble/page_record.hpp"
#include "generator/base/cache.hpp"
#include "generator/load/book.hpp"
#include "generator/load/messages.hpp"

namespace primer {

inline constexpr const char* print_url = "print/";

// A whole file; `parts` in the book's order, `assets` the directory of shared files ("_/1a2b3c4d/").
// `cache` may be null; it saves making a part plain again. Links to what is not among the parts go
// to `book.base_url`, which is not empty.
std::string print_page(const Book& book, const Messages& words,
                       const std::vector<const RenderedPage*>& parts, const std::string& assets,
                       Cache* cache);

}  // namespace primer
