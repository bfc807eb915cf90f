// What the cache keeps of a page, as bytes.
//
// Each function names every member of its type in a structured binding: a member that is added to
// the type and not here does not compile, and so cannot be lost on the way through the cache.
#pragma once

#include <set>
#include <string>

#include "generator/assemble/page_text.hpp"
#include "generator/index/index_record.hpp"
#include "generator/render/excerpt.hpp"

namespace primer {

// A page as it is before it is put into the template.
struct RenderedPage {
  const ChapterIndex* chapter = nullptr;  // one of the index's
  LateText text;
  std::string data_name;  // of the file of its data, "page.1a2b3c4d.json"; empty: none
  bool alive = false;     // it needs modules: it measures, draws anew, plays a model or names one
  std::set<std::string> images;   // files to publish
  std::set<std::string> offered;  // files to publish as they are
  std::set<std::string> listed;   // files that it shows
  Excerpt excerpt;                // what other pages show of it
};

// The chapter is not kept, and of the text its version.
void pack(Packer& packer, const RenderedPage& page);
// The text is the one that `cache` keeps, or empty where that is null.
void unpack(Unpacker& unpacker, RenderedPage& page, const Cache* cache);

}  // namespace primer
