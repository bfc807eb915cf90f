// Rendered pages, and what the cache holds of them (pack.hpp).
#pragma once

#include <set>
#include <string>
#include <tuple>

#include "generator/core/base/digest.hpp"
#include "generator/core/index/index_record.hpp"
#include "generator/core/render/excerpt.hpp"

namespace primer {

struct PageText {
  std::string body, prerequisites, d2l;  // HTML; lines of front matter are "" if missing
  std::string data;                      // JSON of PageData; empty: no scripts needed
  std::string heading = {};              // HTML of the title; empty: it has no markup
};

auto packed_members(Is<PageText> auto& text) {
  auto& [body, prerequisites, d2l, data, heading] = text;
  return std::tie(body, prerequisites, d2l, data, heading);
}

inline Digest version_of(const PageText& text) { return digest(pack(text)); }

auto packed_members(Is<PageFigure> auto& figure) {
  auto& [id, label, caption, finding, picture] = figure;
  return std::tie(id, label, caption, finding, picture);
}

auto packed_members(Is<PageQuestion> auto& question) {
  auto& [section, html] = question;
  return std::tie(section, html);
}

auto packed_members(Is<Core> auto& core) {
  auto& [words, questions, measurements] = core;
  return std::tie(words, questions, measurements);
}

auto packed_members(Is<PagePreset> auto& preset) {
  auto& [id, title, html] = preset;
  return std::tie(id, title, html);
}

auto packed_members(Is<Excerpt> auto& excerpt) {
  auto& [figures, cited, questions, core, presets] = excerpt;
  return std::tie(figures, cited, questions, core, presets);
}

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

auto packed_members(Is<RenderedPage> auto& page) {
  auto& [chapter, text, data_name, alive, images, offered, listed, excerpt] = page;
  return std::tie(text, data_name, alive, images, offered, listed, excerpt);
}

}  // namespace primer
