// Embeds: /embed/<address of a page>/<id>/ shows one figure, model or measurement of that page
// alone, for an <iframe> on another site. /embed/roofline/fig-split/ shows /roofline/#fig-split.
//
// An embed is the HTML of its page, cut out when the file is written, and uses the page's data. So
// it costs the build no rendering, and scripts treat both the same. It is not indexed: it has
// "noindex", and its canonical address is the page's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/core/assemble/page_record.hpp"
#include "generator/core/index/index.hpp"
#include "generator/core/load/messages.hpp"

namespace primer {

inline constexpr const char* embed_url = "embed/";  // from the site's root, in every language

struct Embed {
  std::string id;         // on its page, or of a preset of the page's costs block
  std::string fragment;   // of the page's address: the id, or "model=" and the preset
  std::string label;      // "Figure 1.2", or the name of the preset
  std::string_view html;  // a part of the page's text or excerpt
  bool measures = false;
};

// The embeds of a page, in the page's order. They refer to `page`, which must outlive them.
std::vector<Embed> embeds_of(const ChapterIndex& chapter, const RenderedPage& page,
                             const Messages& words);

}  // namespace primer
