// Stage "index": identifies every page by the digest of its text, parses new texts and collects
// what the pages of each language can refer to.
#pragma once

#include <vector>

#include "generator/core/index/index.hpp"
#include "generator/core/pipeline/loaded.hpp"
#include "generator/core/pipeline/page_job.hpp"

namespace primer {

// The pages of one language in the order of the book. An untranslated page is the original's.
struct LanguageTree {
  const Book& book;
  const Messages& words;
  std::vector<std::size_t> pages;  // indexes into Indexed::jobs
  Index index;                     // chapter i belongs to pages[i]
};

struct Indexed {
  // Originals in the order of the book, then the translations per language.
  std::vector<PageJob> jobs;
  std::vector<LanguageTree> trees;  // the source language first
};

// `loaded` must outlive the result.
Made<Indexed> index(const Loaded& loaded);

}  // namespace primer
