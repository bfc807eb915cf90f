// The policy that every page carries: what a browser may load and run for it.
#pragma once

#include <string>

namespace primer {

// Of a site at `base_url` ("https://name.github.io/repo/": it ends with a slash) or at no known address (""):
// nothing inline, nothing from elsewhere, and text becomes markup or a script's address only in
// site/runtime/base/trusted.js. Scripts come from the book's own directories below `base_url`, since other sites may share
// its origin; a site without an address may be opened at any, and takes scripts from the origin it is opened at.
// `inlined` is the integrity() of the one script that may stand in the page itself or in a frame without an address, or "".
std::string content_policy(const std::string& base_url, const std::string& inlined = "");

}  // namespace primer
