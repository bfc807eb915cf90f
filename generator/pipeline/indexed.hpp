// Stage "index": every page's text known by its digest, parsed where it is new, and what the pages of each language
// may refer to.
#pragma once

#include <vector>

#include "generator/index/index.hpp"
#include "generator/pipeline/loaded.hpp"
#include "generator/pipeline/page_job.hpp"

namespace primer {

// The pages of one language in the book's order, the original's where there is no translation.
struct LanguageTree {
  const Book& book;
  const Messages& words;
  std::vector<std::size_t> pages;  // numbers of jobs
  Index index;                     // of the same pages in the same order
};

struct Indexed {
  std::vector<PageJob>
      jobs;  // those of the original in its order, then every language's translations
  std::vector<LanguageTree> trees;  // the original's first
};

// `loaded` outlives what comes.
Made<Indexed> index(const Loaded& loaded);

}  // namespace primer
