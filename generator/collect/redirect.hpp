// Former addresses: a small page at each that leads to where the chapter is now.
//
// GitHub Pages cannot redirect, so the page says it itself, with a refresh after no time and a
// canonical address. Browsers drop the fragment on the way. An alias leads to a page, never to
// another alias, so that a reader is sent on once at most.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/assemble/addresses.hpp"
#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/index/index.hpp"
#include "generator/load/messages.hpp"

namespace primer {

// A language's pages, in its words.
struct RedirectedTree {
  const Book& book;
  const Index& index;
  const Messages& words;
};

// Adds them to `site` and claims their addresses: in each of `trees`, the original's first, at what the original's
// chapters were called. Reports an alias that is an address of the site or an alias already, where it is written.
void add_redirects(const std::vector<RedirectedTree>& trees, const FileSystem& files,
                   Addresses& addresses, std::map<std::string, std::string>& site,
                   Diagnostics& diagnostics);

}  // namespace primer
