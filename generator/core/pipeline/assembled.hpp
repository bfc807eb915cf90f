// Stage "assemble": loads the page templates and decides which file owns which address.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "generator/core/assemble/addresses.hpp"
#include "generator/core/assemble/page.hpp"
#include "generator/core/base/lazy_file.hpp"
#include "generator/core/pipeline/rendered.hpp"
#include "generator/core/publish/publication.hpp"

namespace primer {

// Addresses (assemble/addresses.hpp). All are claimed before any page is put together.

// Path of a page's file from the site's root: "en/roofline/index.html".
std::string file_of(const LanguageTree& tree, const Entry& entry);

// Claims the addresses that every site has or reserves, then those of this book's files and pages.
Made<Addresses> claim_addresses(const std::vector<LanguageTree>& trees,
                                const RenderedBook& rendered, const Assets& assets);

// Reports files that nobody claimed an address for and files at the address of a page. `files`:
// every file of the site that is not a page of the book.
void check_owners(const std::vector<std::string>& files, const std::vector<LanguageTree>& trees,
                  const Addresses& addresses, Diagnostics& diagnostics);

// The files of a site other than its pages, by path from its root.
struct SiteContent {
  SiteFiles files;  // complete
  LazyFiles lazy;   // made when they are written
  // HTML of each language's home page; set by publish().
  std::vector<std::string> chapter_lists = {};

  bool contains(const std::string& path) const {
    return files.contains(path) || lazy.contains(path);
  }
};

// Pages and publications point into this object, so it must not be moved.
struct Assembled {
  std::string assets;  // the directory of shared files: "_/1a2b3c4d/"
  History history;
  std::vector<Pages> pages;               // the templates of each language
  std::vector<Publication> publications;  // one per language; empty without a public address
  Addresses addresses;
  SiteContent content;  // shared files, redirects and 404.html
};

// No value after an error in the templates. The arguments must outlive the result.
Made<std::unique_ptr<Assembled>> assemble(const Loaded& loaded,
                                          const std::vector<LanguageTree>& trees,
                                          const RenderedBook& rendered);

}  // namespace primer
