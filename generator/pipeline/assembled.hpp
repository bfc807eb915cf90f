// Stage "assemble": what pages are put into, and who has which address.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "generator/assemble/page.hpp"
#include "generator/base/lazy_file.hpp"
#include "generator/pipeline/owners.hpp"
#include "generator/publish/publication.hpp"

namespace primer {

// What a site has beside its chapters and pages, by paths from its root.
struct SiteContent {
  SiteFiles files;
  LazyFiles lazy;
  std::vector<std::string> chapter_lists = {};  // HTML of each language's home page

  bool contains(const std::string& path) const {
    return files.contains(path) || lazy.contains(path);
  }
};

// Stays where it is: pages and publications point into it.
struct Assembled {
  std::string assets;  // the directory of shared files: "_/1a2b3c4d/"
  History history;
  std::vector<Pages> pages;  // the frames of each language
  std::vector<Publication>
      publications;  // of each language; none for a site without a public address
  Addresses addresses;
  SiteContent content;  // shared files, redirects, the page of what is not found
};

// Nothing after an error in the templates. All that it is given outlives what comes.
Made<std::unique_ptr<Assembled>> assemble(const Loaded& loaded,
                                          const std::vector<LanguageTree>& trees,
                                          const RenderedBook& rendered);

}  // namespace primer
