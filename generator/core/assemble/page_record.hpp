// Rendered pages, and how they are serialized for the cache.
//
// Each function names every member of its type in a structured binding. A new member that is
// missing here does not compile, so it cannot get lost in the cache.
#pragma once

#include <set>
#include <string>

#include "generator/core/base/digest.hpp"
#include "generator/core/index/index_record.hpp"
#include "generator/core/render/excerpt.hpp"

namespace primer {

struct PageText {
  std::string body, prerequisites, d2l;  // HTML; lines of front matter are "" if missing
  std::string data;                      // JSON of PageData; empty: no scripts needed
  std::string heading = {};              // HTML of the title; empty: it has no markup
};

Digest version_of(const PageText& text);

// A page before it is put into the template.
struct RenderedPage {
  const ChapterIndex* chapter = nullptr;  // in a LanguageTree's index; set by keep(), not cached
  PageText text;
  std::string data_name;  // its file: "page.1a2b3c4d.json"; empty: no data
  bool alive = false;     // it needs modules: it measures, redraws, runs a model or names one
  std::set<std::string> images;   // files to publish, cleaned by clean_image()
  std::set<std::string> offered;  // files to publish unchanged
  std::set<std::string> listed;   // files whose content the page shows
  Excerpt excerpt;                // what other pages show of it
};

// The cached form of a page has everything except `chapter`.
void pack(Packer& packer, const RenderedPage& page);
void unpack(Unpacker& unpacker, RenderedPage& page);

}  // namespace primer
