// A book in memory, whole but small, to change one thing of.
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
// Files below "site/" replace those of the site's templates; those below "build/wasm/" are its
// modules, those below "build/fonts/" its fonts, and those below "build/minified/" what was made
// small, of which there are otherwise none. `prose`: also check_prose().
Built build(const Files& files, int threads = 1, bool prose = false);
// The same with the address https://h.io/repo/.
Built publish(const Files& files, const primer::History& history, bool renditions = false);
// The same as `primer serve` shows it.
Built preview(const Files& files);
// The same where git tracks these files, or where it is not known which.
Built publish_tracked(const Files& files, const std::optional<primer::TrackedFiles>& tracked);
primer::Diagnostics diagnose(const Files& files);

// The errors of the small book with this body.
std::string errors(const std::string& body);
// The body's HTML; the errors when there are any.
std::string html(const std::string& body);

}  // namespace small_book
