#include "generator/serve/serve.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "generator/base/file_system.hpp"
#include "generator/base/html.hpp"
#include "generator/base/pack.hpp"
#include "generator/host/disk.hpp"

namespace primer {
namespace {

constexpr std::string_view assets = "_/";
constexpr std::string_view own_path = "/_primer/";
constexpr std::array<std::string_view, 4> own_files = {"live.css", "live.js", "unbuilt.css",
                                                       "unbuilt.js"};

// What a stranger's pages may load and run: what pages of this program do, and nothing from elsewhere.
constexpr const char* stranger_policy =
    "default-src 'self' data: blob: 'unsafe-inline' 'wasm-unsafe-eval'; object-src 'none'; "
    "base-uri 'self'; form-action 'none'; frame-ancestors 'self'";

// "_/3f9a1c2b/page.wasm" when a page that was loaded from an older build asks for it: the same file
// of the assets that are there now.
std::string of_current_assets(const FileSystem& site, const std::string& path) {
  if (!path.starts_with(assets)) return {};
  const auto rest = path.find('/', assets.size());
  const auto all = site.list(std::string(assets.substr(0, 1)));
  if (rest == path.npos || all.empty()) return {};
  return all.front().substr(0, all.front().find('/', assets.size())) + path.substr(rest);
}

void set_content(HttpResponse& response, std::string bytes, const std::string& type) {
  response.headers.emplace_back("Content-Type", type);
  response.body = std::move(bytes);
}

// A refusal in words.
void explain(HttpResponse& response, std::string why) {
  if (why.empty()) why = reason_of(response.status);
  set_content(response, why + '\n', mime_type("why.txt"));
}

// The file of a path, the redirection to its directory, or the site's page for what is not there.
// `page` is what a page's bytes become on their way.
HttpResponse file_answer(const std::string& directory, const HttpRequest& request,
                         const std::function<std::string(std::string)>& page) {
  HttpResponse response;
  // Opened anew: a build may have replaced the site since the last request.
  const auto site = disk(directory);
  const std::string path = served_file(request.path);
  auto bytes = path.empty() ? std::nullopt : site->read(path);
  if (!bytes && !path.empty()) bytes = site->read(of_current_assets(*site, path));
  if (bytes) {
    const bool is_page = path.ends_with(".html");
    set_content(response, is_page ? page(std::move(*bytes)) : std::move(*bytes), mime_type(path));
  } else if (!path.empty() && site->read(path + "/index.html")) {
    response.status = 301;
    response.headers.emplace_back("Location", request.target + '/');
  } else {
    response.status = 404;
    set_content(response, page(site->read("404.html").value_or("not found")),
                mime_type("404.html"));
  }
  return response;
}

// The name of a file of the preview's own; "" when it is none.
std::string own_file(const std::string& path) {
  if (!path.starts_with(own_path)) return {};
  const std::string name = path.substr(own_path.size());
  return std::ranges::find(own_files, name) == own_files.end() ? "" : name;
}

// While a book has not been built yet, since it has errors: they, until there is a page.
std::string page_of_errors(const std::string& errors) {
  Html out;
  out.raw("<!DOCTYPE html>\n").open("html").open("head").empty("meta", {{"charset", "utf-8"}});
  out.empty("meta", {{"http-equiv", "refresh"}, {"content", "1"}});
  out.element("title", {}, "The book has errors").close().open("body");
  return out.element("pre", {}, errors).close().close().line().take();
}

HttpResponse own_answer(const ServeOptions& options, const Preview& preview,
                        const HttpRequest& request) {
  HttpResponse response;
  const std::string own = own_file(request.path);
  if (request.path == "/_primer/events") {
    response.is_stream = true;
    response.headers.emplace_back("Content-Type", "text/event-stream");
  } else if (request.path == "/_primer/state") {
    set_content(response, state_text(preview.state()), mime_type("state.json"));
  } else if (!own.empty()) {
    set_content(response, disk(options.live)->read(own).value_or(""), mime_type(own));
  } else {
    // The state before the bytes: a page that is newer than its number only looks once more.
    const auto state = preview.state();
    response = file_answer(options.directory, request, [&](std::string html) {
      return with_live_script(std::move(html), state.unbuilt);
    });
    if (!state.errors.empty() && !disk(options.directory)->read("404.html"))
      set_content(response, page_of_errors(state.errors), mime_type("404.html"));
    response.headers.emplace_back("Primer-Build", std::to_string(state.build));
  }
  return response;
}

// A service worker lives on at its port after the preview, for whatever is served there next.
bool makes_worker(const HttpRequest& request) {
  return !request.header("service-worker").empty() || request.path.ends_with("/sw.js") ||
         request.path.ends_with("/offline.json");
}

HttpResponse stranger_answer(const std::string& directory, const HttpRequest& request) {
  if (!makes_worker(request)) {
    return file_answer(directory, request, [](std::string html) { return html; });
  }
  HttpResponse response;
  response.status = 404;
  explain(response, "a preview has no service worker");
  return response;
}

// The headers of every answer, refusals included.
void add_policy(HttpResponse& response, const char* content_policy) {
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"Cache-Control", "no-store"},
           {"X-Content-Type-Options", "nosniff"},
           {"Cross-Origin-Resource-Policy", "same-origin"},
           {"X-Frame-Options", "SAMEORIGIN"},
           {"X-DNS-Prefetch-Control", "off"},
           {"Content-Security-Policy", content_policy},
           {"Referrer-Policy", "no-referrer"}}) {
    response.headers.emplace_back(name, value);
  }
}

// A site that answers only what refusal_of() lets pass, with the headers of the policy.
HttpSite guarded(int port, const char* content_policy,
                 std::function<HttpResponse(const HttpRequest&)> answer) {
  HttpSite site;
  site.answer = [=, answer = std::move(answer)](const HttpRequest& request) {
    HttpResponse response;
    const std::string refusal = refusal_of(request, port);
    if (refusal.empty()) {
      response = answer(request);
    } else {
      response.status = 403;
      explain(response, refusal);
    }
    add_policy(response, content_policy);
    return response;
  };
  site.refuse = [=](HttpResponse& response) {
    explain(response, "");
    add_policy(response, content_policy);
  };
  return site;
}

}  // namespace

std::string with_live_script(std::string html, bool unbuilt) {
  const auto head = html.find("</head>");
  if (head == html.npos) return html;
  std::string added;
  for (const std::string name : {"live", "unbuilt"}) {
    if (name == "unbuilt" && !unbuilt) continue;
    added += "<link rel=\"stylesheet\" href=\"/_primer/" + name +
             ".css\"/>\n"
             "<script type=\"module\" src=\"/_primer/" +
             name + ".js\"></script>\n";
  }
  return html.insert(head, added);
}

SiteScripts scripts_of(const std::string& directory) {
  const auto site = disk(directory);
  SiteScripts scripts;
  Packer packer;
  for (const auto& path : site->list(std::string(assets.substr(0, 1)))) {
    const bool is_module = path.ends_with(".wasm");
    if (!path.ends_with(".js") && !is_module) continue;
    packer.add(path.substr(path.find('/', assets.size())));
    packer.add(site->digest_of(Dependency::file(path)));
    scripts.has_modules = scripts.has_modules || is_module;
  }
  packer.add(site->digest_of(Dependency::file("search/pagefind-entry.json")));
  scripts.version = to_text(digest(packer.bytes));
  return scripts;
}

std::string served_file(const std::string& path) {
  if (path.empty() || path.front() != '/') return {};
  std::string file = path.substr(1);
  if (file.empty() || file.back() == '/') file += "index.html";
  const auto normal = normal_path(file);
  // A path that had to be made normal is not one that a page links to.
  return normal && *normal == file ? file : std::string();
}

bool is_local_host(const std::string& host, int port) {
  const std::string suffix = ':' + std::to_string(port);
  return host == "127.0.0.1" + suffix || host == "localhost" + suffix;
}

std::string mime_type(const std::string& path) {
  static const std::map<std::string, std::string> types = {
      {"html", "text/html; charset=utf-8"},
      {"css", "text/css; charset=utf-8"},
      {"js", "text/javascript; charset=utf-8"},
      {"json", "application/json"},
      {"wasm", "application/wasm"},
      {"woff2", "font/woff2"},
      {"svg", "image/svg+xml"},
      {"png", "image/png"},
      {"jpg", "image/jpeg"},
      {"jpeg", "image/jpeg"},
      {"webp", "image/webp"},
      {"txt", "text/plain; charset=utf-8"},
      {"xml", "application/xml"},
      {"pdf", "application/pdf"},
      {"epub", "application/epub+zip"},
      {"webmanifest", "application/manifest+json"},
  };
  const auto type = types.find(path.substr(path.rfind('.') + 1));
  return type == types.end() ? "application/octet-stream" : type->second;
}

std::string refusal_of(const HttpRequest& request, int port) {
  if (!is_local_host(request.header("host"), port)) {
    return "this server answers for 127.0.0.1 and localhost only";
  }
  // Absent: not a browser, or one too old to say; such a one still heeds the headers of the answer.
  const std::string from = request.header("sec-fetch-site");
  const std::string origin = request.header("origin");
  constexpr std::string_view scheme = "http://";
  const bool is_own_origin = origin.empty() || (origin.starts_with(scheme) &&
                                                is_local_host(origin.substr(scheme.size()), port));
  if ((from.empty() || from == "same-origin" || from == "none") && is_own_origin) return {};
  return "another site has asked for this page, or links to it: to see it, type its address";
}

figures::Status serve(const Listener& listener, const ServeOptions& options, Preview& preview) {
  auto site = guarded(listener.port(), "frame-ancestors 'self'", [&](const HttpRequest& request) {
    return own_answer(options, preview, request);
  });
  site.news = [&] { return preview.state().news; };
  site.event = [&] { return event_text(preview.state()); };
  site.on_news = [&](std::function<void()> hear) { preview.on_news(std::move(hear)); };
  return run_server(listener, site);
}

figures::Status serve_stranger(const Listener& listener, const std::string& directory) {
  bool is_first = true;
  return run_server(listener, guarded(listener.port(), stranger_policy, [&](const auto& request) {
                      HttpResponse response = stranger_answer(directory, request);
                      if (is_first && request.header("sec-fetch-dest") == "document") {
                        response.headers.emplace_back("Clear-Site-Data", "\"cache\", \"storage\"");
                        is_first = false;
                      }
                      return response;
                    }));
}

}  // namespace primer
