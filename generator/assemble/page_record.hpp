// What the cache keeps of a page, as bytes.
//
// Each function names every member of its type in a structured binding: a member that is added to
// the type and not here does not compile, and so cannot be lost on the way through the cache.
#pragma once

#include <set>
#include <string>

#include "generator/assemble/page.hpp"
#include "generator/index/index_record.hpp"
#include "generator/render/excerpt.hpp"

namespace primer {

// A page as it is before it is put into the template.
struct RenderedPage {
  PageParts parts;                // without `chapter`
  std::string data;               // the JSON beside the page; empty: none
  std::set<std::string> images;   // files to publish
  std::set<std::string> offered;  // files to publish as they are
  std::set<std::string> listed;   // files that it shows
  Excerpt excerpt;                // what other pages show of it
};

void pack(Packer& packer, const RenderedPage& page);
void unpack(Unpacker& unpacker, RenderedPage& page);

}  // namespace primer
