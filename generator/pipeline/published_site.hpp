// What is known of a site that was made elsewhere of the same book, where one page is made anew and its neighbours are
// left as they are there (workshop/).
#pragma once

#include <map>
#include <string>

#include "generator/assemble/assets.hpp"
#include "generator/assemble/page_record.hpp"
#include "generator/load/modules.hpp"

namespace primer {

struct PublishedSite {
  Assets assets;    // their names, without their bytes
  Modules modules;  // likewise
  Gallery gallery;
  std::map<std::string, RenderedPage>
      pages;  // by their files: what other pages show of them, without their text
};

}  // namespace primer
