// Stage "load": everything that the pages are made with, read and checked.
#pragma once

#include <memory>
#include <vector>

#include "generator/assemble/assets.hpp"
#include "generator/base/tasks.hpp"
#include "generator/diagnostic/made.hpp"
#include "generator/load/book.hpp"
#include "generator/load/errata.hpp"
#include "generator/load/gallery.hpp"
#include "generator/load/gallery_summary.hpp"
#include "generator/load/messages.hpp"
#include "generator/load/modules.hpp"
#include "generator/load/references.hpp"
#include "generator/load/term_table.hpp"
#include "generator/load/values.hpp"
#include "generator/pipeline/page_cache.hpp"
#include "generator/pipeline/site.hpp"

namespace primer {

// Stays where it is: pages and tasks point into it. What is still on its way when the stage ends is asked for when it
// is needed.
struct Loaded {
  Loaded(const SiteInputs& given, const SiteOptions& chosen) : inputs(given), options(chosen) {}
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  const SiteInputs& inputs;
  const SiteOptions& options;
  std::unique_ptr<const Book> book;
  std::vector<Erratum> errata;
  std::unique_ptr<const Values> values;
  References library;
  Modules modules;
  Gallery gallery;
  std::optional<GallerySummary> gallery_summary;
  std::vector<Messages> words;                    // of each language, the original's first
  std::vector<Terms> terms;                       // so too
  std::vector<std::vector<AvoidedWord>> avoided;  // with SiteOptions::prose
  std::vector<CommonInputs> known;                // of the pages of each language
  // Last, so that they end before what they use goes.
  mutable Task<History> history;
  mutable Task<Made<Assets>> assets;

  const FileSystem& files() const { return *inputs.book; }
  bool is_public() const { return !book->base_url.empty(); }
  // The book in each language, the original first.
  std::vector<const Book*> locales() const;
};

// Nothing after an error that every chapter would report again.
Made<std::unique_ptr<const Loaded>> load(const SiteInputs& inputs, const SiteOptions& options);

}  // namespace primer
