// Redirects: a small page at each former address of a chapter that leads to the present one.
//
// GitHub Pages cannot redirect, so the page contains a refresh without delay and a canonical
// address. Browsers drop the fragment. An alias leads to a page and never to another alias, so
// readers are redirected at most once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/core/assemble/addresses.hpp"
#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/index/index.hpp"
#include "generator/core/load/messages.hpp"

namespace primer {

// The pages of one language and its UI strings.
struct RedirectedTree {
  const Book& book;
  const Index& index;
  const Messages& words;
};

// Adds the redirects to `site` and claims their addresses. `trees` begins with the source language,
// whose chapters name the aliases; every language gets them. Reports an alias that is already an
// address or another alias, at its place in the front matter.
void add_redirects(const std::vector<RedirectedTree>& trees, const FileSystem& files,
                   Addresses& addresses, std::map<std::string, std::string>& site,
                   Diagnostics& diagnostics);

}  // namespace primer
