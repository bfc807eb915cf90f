// Stages "publish" and "write": makes the files around the pages, then hands all files to the sink.
#pragma once

#include <map>
#include <string>

#include "generator/core/assemble/assets.hpp"
#include "generator/core/assemble/page_record.hpp"
#include "generator/core/load/modules.hpp"
#include "generator/core/pipeline/assembled.hpp"
#include "generator/core/pipeline/rendered.hpp"

namespace primer {

// A site of the same book that another build made. The browser editor makes one page again and
// takes its neighbors from here (tools/workshop/).
struct PublishedSite {
  Assets assets;    // names without bytes
  Modules modules;  // likewise
  Gallery gallery;
  std::map<std::string, RenderedPage> pages;  // by file of the page, without their text
};

// Reports files that pages of a public site show and that are not committed or have uncommitted
// changes. Does nothing if SiteInputs::tracked does not know.
void check_committed(const Loaded& loaded, const RenderedBook& rendered, Diagnostics& diagnostics);

// Adds feeds, renditions, collections, images and the pages for contributors to `content`.
Made<SiteContent> publish(const Loaded& loaded, const std::vector<LanguageTree>& trees,
                          const RenderedBook& rendered, const Assembled& site, SiteContent content);

// Hands every file to the sink, in parallel. No other stage has effects.
void write(const Loaded& loaded, const std::vector<LanguageTree>& trees,
           const RenderedBook& rendered, const Assembled& site, const SiteContent& content,
           const SiteSink& sink);

}  // namespace primer
