// `primer serve`: the built site on this machine, for nobody else.
//
// Pages are served with one script more than they are published with: it keeps a connection to
// /_primer/events and takes over what was saved (site/preview/live.js, preview.hpp).
#pragma once

#include <functional>
#include <string>

#include "figures/result.hpp"
#include "generator/preview.hpp"

namespace primer {

struct ServeOptions {
  std::string directory;  // the site, a directory or the link to one
  int port = 8000;        // the first of ten that are tried
  std::string live;       // directory of live.js and live.css
};

// Listens on 127.0.0.1 only and answers requests for that host only (a page elsewhere could have
// its name resolve to this machine). Calls `ready` with the address once it listens; returns when
// the process is told to stop. Error: no port is free.
figures::Status serve(const ServeOptions& options, const Preview& preview,
                      const std::function<void(const std::string& address)>& ready);

// The file that a request's path means: "roofline/" → "roofline/index.html"; empty when the path
// is not one of ours ("..", backslash, NUL).
std::string served_file(const std::string& path);

// A page with the script and the style of the preview in its head.
std::string with_live_script(std::string html);

// Names the scripts and modules of a built site: other ones have another name.
std::string script_version(const std::string& directory);

// Whether a Host header names this machine and this port.
bool is_local_host(const std::string& host, int port);

std::string mime_type(const std::string& path);

}  // namespace primer
