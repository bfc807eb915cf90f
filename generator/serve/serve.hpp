// `primer serve`: the built site on this machine, for nobody else. `primer preview`: a site that
// somebody else has built.
//
// Pages of one's own are served with one script more than they are published with: it keeps a
// connection to /_primer/events and takes over what was saved (site/preview/live.js, preview.hpp). While
// the site has no WebAssembly modules, another one says so where a page needs them (unbuilt.js).
#pragma once

#include <string>

#include "figures/base/result.hpp"
#include "generator/serve/http_server.hpp"
#include "generator/serve/preview.hpp"

namespace primer {

struct ServeOptions {
  std::string directory;  // the site, a directory or the link to one
  std::string live;       // directory of live.js, unbuilt.js and their styles
};

// Answers requests for 127.0.0.1 and localhost that come from pages of this server, or from outside
// any page: whatever another site asks for is refused, and none can frame a page or read one. Returns
// when the system takes the socket away (Error).
figures::Status serve(const Listener& listener, const ServeOptions& options, Preview& preview);

// The same for a stranger's site. It is taken as it is, without live.js; nothing of it becomes a
// service worker, which would outlive the preview, and nothing of it reaches another address. What an
// earlier site on this port has stored goes with the first page.
figures::Status serve_stranger(const Listener& listener, const std::string& directory);

// Why a request is none that is answered, in words for whoever reads it; "" when it is one.
std::string refusal_of(const HttpRequest& request, int port);

// The file that a request's path means: "roofline/" → "roofline/index.html"; empty when the path
// is not one of ours ("..", backslash, NUL).
std::string served_file(const std::string& path);

// A page with the scripts and the styles of the preview in its head.
std::string with_live_script(std::string html, bool unbuilt);

struct SiteScripts {
  std::string version;  // names scripts, modules and search index: other ones have another name
  bool has_modules = false;  // of WebAssembly
};

// Of a built site.
SiteScripts scripts_of(const std::string& directory);

// Whether a Host header names this machine and this port.
bool is_local_host(const std::string& host, int port);

std::string mime_type(const std::string& path);

}  // namespace primer
