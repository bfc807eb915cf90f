// A small but complete book in memory. Tests change one thing in it.
#pragma once

#include <map>
#include <string>

#include "generator/core/pipeline/site.hpp"

namespace small_book {

using Files = std::map<std::string, std::string>;

// A chapter 1, "first", whose text is `body`; facts, one figure, one kernel file, one image.
Files with(const std::string& body);

// Its templates, styles and scripts.
Files site_files();

struct Built {
  primer::SiteFiles site;
  std::string errors;  // as text
};
// Files below "site/" replace the templates of the site. Files below "build/wasm/" are its modules,
// below "build/fonts/" its fonts, and below "build/minified/" its minified files (default: none).
// `prose`: also runs check_prose().
Built build(const Files& files, int threads = 1, bool prose = false);
// The same with the address https://h.io/repo/.
Built publish(const Files& files, const primer::History& history, bool renditions = false);
// The same in the form that `primer serve` shows.
Built preview(const Files& files);
// The same if git tracks these files, or if it is not known which.
Built publish_tracked(const Files& files, const std::optional<primer::TrackedFiles>& tracked);
primer::Diagnostics diagnose(const Files& files);

// The errors of the small book with this body.
std::string errors(const std::string& body);
// The HTML of the body, or the errors if there are any.
std::string html(const std::string& body);

}  // namespace small_book
