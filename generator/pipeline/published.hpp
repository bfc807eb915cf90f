// Stages "publish" and "write": everything that a site has besides its pages, and then all of it to where it goes.
#pragma once

#include "generator/pipeline/assembled.hpp"

namespace primer {

// Feeds, renditions, collections, images and the pages for those who make the book, beside what is there.
Made<SiteContent> publish(const Loaded& loaded, const std::vector<LanguageTree>& trees,
                          const RenderedBook& rendered, const Assembled& site, SiteContent content);

// The one stage with effects: every file goes to the sink.
void write(const Loaded& loaded, const std::vector<LanguageTree>& trees,
           const RenderedBook& rendered, const Assembled& site, const SiteContent& content,
           const SiteSink& sink);

}  // namespace primer
