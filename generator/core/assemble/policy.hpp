// The Content-Security-Policy (CSP) of a page: what a browser may load and run for it.
#pragma once

#include <string>

namespace primer {

// `base_url` is the site's address with a slash at its end ("https://name.github.io/repo/"), or ""
// if it is unknown. The policy allows nothing inline and nothing from elsewhere. Text can become
// markup or the address of a script only in site/runtime/base/trusted.js. Scripts must come from
// the site's own directories, because other sites may share its origin. A site with unknown address
// accepts scripts from the origin where it is opened. `inlined` is the integrity() of the one
// script that may be inline, in the page or in a frame without an address, or "".
std::string content_policy(const std::string& base_url, const std::string& inlined = "");

}  // namespace primer
