// Stage "load": reads and checks everything that is not a chapter.
#pragma once

#include <memory>
#include <vector>

#include "generator/core/assemble/assets.hpp"
#include "generator/core/base/tasks.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/errata.hpp"
#include "generator/core/load/gallery.hpp"
#include "generator/core/load/messages.hpp"
#include "generator/core/load/modules.hpp"
#include "generator/core/load/references.hpp"
#include "generator/core/load/values.hpp"
#include "generator/core/pipeline/page_job.hpp"
#include "generator/core/pipeline/site.hpp"

namespace primer {

// Pages and tasks point into this object, so it cannot be copied or moved. `history` and `assets`
// may still be running when the stage ends; a later stage waits for them.
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
  std::vector<Messages> words;  // of each language, the source language first
  std::vector<Terms> terms;     // likewise
  std::vector<std::vector<AvoidedWord>>
      avoided;                      // likewise; empty lists without SiteOptions::prose
  std::vector<CommonInputs> known;  // inputs of all pages of each language
  // Last, so that they end before the members they use are destroyed.
  mutable Task<History> history;
  mutable Task<Made<Assets>> assets;

  const FileSystem& files() const { return *inputs.book; }
  bool is_public() const { return !book->base_url.empty(); }
  // The book in each language, the source language first.
  std::vector<const Book*> locales() const;
};

// No value after an error that every chapter would report again. `inputs` and `options` must
// outlive the result.
Made<std::unique_ptr<const Loaded>> load(const SiteInputs& inputs, const SiteOptions& options);

}  // namespace primer
