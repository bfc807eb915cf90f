// Stage "assets": what all pages share, in one directory named by its joint hash.
//
// GitHub Pages caches everything for ten minutes and cannot be told otherwise, so a file's address
// must change with its content. One hash over all of them lets relative imports between scripts,
// workers and modules just work.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "generator/base/cache.hpp"
#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/load/gallery.hpp"
#include "generator/load/modules.hpp"
#include "generator/load/values.hpp"

namespace primer {

// A sheet of few pages, and how the element of a formula begins that needs it (mathml.hpp).
inline constexpr const char* more_maths_sheet = "maths-more";
inline constexpr std::string_view more_maths = "<math class=\"m-more";

struct AssetDirectories {
  const FileSystem* site = nullptr;   // templates/, styles/, sheets/, runtime/, static/
  const FileSystem* fonts = nullptr;  // *.woff2; null: the reader's own fonts
  const FileSystem* minified =
      nullptr;  // what scripts/minify.mjs made of styles and runtime/; null: nothing
  const FileSystem* modules = nullptr;   // built WebAssembly; null: a site that cannot measure
  const Gallery* gallery = nullptr;      // machines to compare with; null: none
  const FileSystem* search = nullptr;    // the index of primer index; null: a site without search
  Unbuilt unbuilt = Unbuilt::refuse;     // about fonts
  const FileSystem* book = nullptr;      // figures/locales/; null: none
  const FileSystem* workshop = nullptr;  // what /write/ loads, put beside it; null: none
  Cache* cache = nullptr;                // or null
};

struct Assets {
  std::string directory;                     // "_/3f9a1c2b/"
  std::set<std::string> search_languages;    // that the index below search/ can answer in
  std::string reference;                     // the reference machine's name, or empty
  std::string frame_script;                  // integrity() of runtime/write/frame.js
  std::map<std::string, std::string> files;  // path from the site's root → bytes
};

// Whether the search of pages in this language works: as Pagefind looks for it, "pt" stands in for "pt-br".
bool is_searchable(const Assets& assets, const std::string& language);

// Reports fonts that have not been built, and sheets that styles/order.txt names in vain.
Assets collect_assets(const AssetDirectories& from, const Modules& modules, const Values& values,
                      Diagnostics& diagnostics);

}  // namespace primer
