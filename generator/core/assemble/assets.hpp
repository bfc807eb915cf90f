// Part of stage "assemble": the files that all pages share, in one directory named by their joint
// hash.
//
// GitHub Pages caches everything for ten minutes and cannot be configured, so the address of a file
// must change with its content. One hash for all files keeps relative imports between scripts,
// workers and modules working.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/load/gallery.hpp"
#include "generator/core/load/modules.hpp"
#include "generator/core/load/values.hpp"

namespace primer {

// A style sheet in site/sheets/ that only pages with certain HTML load: formulas that need the
// whole font (mathml.hpp), folded sections, models, chapter 5's table of decode speeds
// (runtime/models/pace.js), or chapter 2's race (runtime/ladder/).
struct ConditionalSheet {
  const char* name;
  std::string_view mark;
};
inline constexpr ConditionalSheet conditional_sheets[] = {{"maths-more", "<math class=\"m-more"},
                                                          {"folds", "<details class=\"fold\""},
                                                          {"tabs", "<div class=\"tabs\""},
                                                          {"models", "<figure class=\"plot model"},
                                                          {"pace", "id=\"tbl-pace\""},
                                                          {"race", "id=\"fig-ladder-race\""},
                                                          {"problems", "<div class=\"problems\""}};

struct AssetDirectories {
  const FileSystem* site = nullptr;      // templates/, styles/, sheets/, runtime/, static/
  const FileSystem* fonts = nullptr;     // *.woff2; null: use the reader's fonts
  const FileSystem* minified = nullptr;  // output of scripts/minify.mjs; null: nothing is minified
  const FileSystem* modules = nullptr;   // built WebAssembly; null: the site cannot measure
  const Gallery* gallery = nullptr;      // machines to compare with; may be null
  const FileSystem* search = nullptr;    // index by `primer index`; null: no search
  Unbuilt unbuilt = Unbuilt::refuse;     // what to do about missing fonts
  const FileSystem* book = nullptr;      // for figures/locales/; may be null
  const FileSystem* workshop = nullptr;  // files of the browser editor at /write/; null: none
};

struct Assets {
  std::string directory;                     // "_/3f9a1c2b/"
  std::set<std::string> search_languages;    // languages that the search index can answer
  std::string reference;                     // name of the reference machine's processor, or empty
  std::string frame_script;                  // integrity() of runtime/write/frame.js
  std::map<std::string, std::string> files;  // bytes by path from the site's root
};

// Whether pages in this language can be searched. Like Pagefind, uses "pt" for "pt-br".
bool is_searchable(const Assets& assets, const std::string& language);

// Reports missing fonts and names in styles/order.txt that are no sheets.
Assets collect_assets(const AssetDirectories& from, const Modules& modules, const Values& values,
                      Diagnostics& diagnostics);

}  // namespace primer
