// `primer serve` shows the built site on this machine only. `primer preview` shows a site that
// somebody else has built.
//
//   build thread --> Preview::built(), failed() --> State --> each open page's stream of events
//
// Pages of our own site get one additional script. It keeps a connection to /_primer/events and
// updates the page when a build has changed the site (site/preview/live.js). Only one page per
// browser holds that connection and forwards the events to the others. While the site has no
// WebAssembly modules, another script reports that (unbuilt.js).
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>

#include "figures/base/result.hpp"
#include "generator/host/serve/server.hpp"

namespace primer {

// The state that open pages are notified of. Thread-safe.
class Preview {
 public:
  struct State {
    int build = 1;         // number of the served site; grows with each build that changed it
    std::string scripts;   // digest of the site's scripts; pages with another one reload
    bool unbuilt = false;  // the site has no WebAssembly modules yet
    std::string errors;    // printed errors of the last build; empty: it succeeded
    int news = 0;          // grows with every change of the members above
  };

  State state() const;
  // Returns when State::news differs from `news`, or after 15 seconds.
  State wait_for_news(int news) const;

  void built(bool changed, std::string scripts, bool unbuilt);
  void failed(std::string errors);

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  State state_;
};

// The state as JSON: {"build": 3, "scripts": "…", "errors": "…"}. Errors are cut after 64 KB.
std::string state_text(const Preview::State& state);

struct ServeOptions {
  std::string directory;  // the site: a directory or a link to one
  std::string live;       // directory with live.js, unbuilt.js and their styles
};

// Answers requests to 127.0.0.1 and localhost from pages of this server or from outside any page.
// Requests from other sites are refused. No other site can frame or read a page.
HttpAnswer own_site(int port, const ServeOptions& options, const Preview& preview);

// The same for a stranger's site, which is served unchanged and without live.js. It cannot install
// a service worker, which would outlive the preview, and cannot connect to another address. The
// first page deletes what an earlier site on this port has stored.
HttpAnswer stranger_site(int port, const std::string& directory);

// Why a request is refused, as text for the user. "" if it is not.
std::string refusal_of(const HttpRequest& request, int port);

// The file for a request's path, for example "roofline/index.html" for "roofline/". Empty for paths
// that we never link to ("..", backslash, NUL).
std::string served_file(const std::string& path);

struct SiteScripts {
  std::string version;       // digest of scripts, modules and search index
  bool has_modules = false;  // WebAssembly modules
};

// Reads them from a built site.
SiteScripts scripts_of(const std::string& directory);

// Whether a Host header names this machine and this port.
bool is_local_host(const std::string& host, int port);

std::string mime_type(const std::string& path);

}  // namespace primer
