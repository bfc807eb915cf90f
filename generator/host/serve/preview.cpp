#include "generator/host/serve/preview.hpp"

#include <atomic>
#include <chrono>
#include <initializer_list>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "generator/core/base/file_system.hpp"
#include "generator/core/base/html.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/pictures/image.hpp"
#include "generator/host/disk.hpp"

namespace primer {
namespace {

constexpr std::chrono::seconds longest_rest{
    15};  // between messages of a stream, see HttpResponse::next
constexpr std::string_view assets = "_/";
constexpr std::string_view own_path = "/_primer/";

// CSP of a stranger's pages: what our pages may do, and nothing from elsewhere.
constexpr const char* stranger_policy =
    "default-src 'self' data: blob: 'unsafe-inline' 'wasm-unsafe-eval'; object-src 'none'; "
    "base-uri 'self'; form-action 'none'; frame-ancestors 'self'";

// Maps a file of older assets ("_/3f9a1c2b/page.wasm") to the current one, for pages that were
// loaded before the last build. "" if there is none.
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

HttpResponse refused(int status, const std::string& why) {
  HttpResponse response;
  response.status = status;
  set_content(response, why + '\n', mime_type("why.txt"));
  return response;
}

// Serves a file, redirects to its directory, or serves the page for missing files.
HttpResponse file_answer(const std::string& directory, const HttpRequest& request) {
  HttpResponse response;
  // Opened per request, because a build may have replaced the site.
  const auto site = disk(directory);
  const std::string path = served_file(request.path);
  auto bytes = path.empty() ? std::nullopt : site->read(path);
  if (!bytes && !path.empty()) bytes = site->read(of_current_assets(*site, path));
  if (bytes) {
    set_content(response, std::move(*bytes), mime_type(path));
  } else if (!path.empty() && site->read(path + "/index.html")) {
    response.status = 301;
    response.headers.emplace_back("Location", request.target + '/');
  } else {
    response.status = 404;
    set_content(response, site->read("404.html").value_or("not found"), mime_type("404.html"));
  }
  return response;
}

// A page with the errors of the first build that reloads until there is a site.
std::string page_of_errors(const std::string& errors) {
  Html out;
  out.raw("<!DOCTYPE html>\n").open("html").open("head").empty("meta", {{"charset", "utf-8"}});
  out.empty("meta", {{"http-equiv", "refresh"}, {"content", "1"}});
  out.element("title", {}, "The book has errors").close().open("body");
  return out.element("pre", {}, errors).close().close().line().take();
}

// Adds one of the preview's scripts and its style to the head of a page.
void add_script(std::string& html, const std::string& name) {
  const auto head = html.find("</head>");
  if (head == html.npos) return;
  const std::string base = std::string(own_path) + name;
  html.insert(head, "<link rel=\"stylesheet\" href=\"" + base +
                        ".css\"/>\n<script type=\"module\" src=\"" + base + ".js\"></script>\n");
}

HttpResponse page_answer(const ServeOptions& options, const Preview& preview,
                         const HttpRequest& request) {
  // Read the state before the file. If a build comes in between, the page only checks once more
  // than necessary.
  const auto state = preview.state();
  HttpResponse response = file_answer(options.directory, request);
  if (!state.errors.empty() && !disk(options.directory)->read("404.html")) {
    response = {response.status, {}, {}, {}};
    set_content(response, page_of_errors(state.errors), mime_type("404.html"));
  } else if (!response.headers.empty() && response.headers[0].second == mime_type("404.html")) {
    add_script(response.body, "live");
    if (state.unbuilt) add_script(response.body, "unbuilt");
  }
  response.headers.emplace_back("Primer-Build", std::to_string(state.build));
  return response;
}

// Streams the state. Sends a comment if there has been no news for a while.
HttpResponse events_answer(const Preview& preview) {
  HttpResponse response;
  response.headers.emplace_back("Content-Type", "text/event-stream");
  response.next = [&preview, news = -1]() mutable -> std::string {
    const auto state = preview.wait_for_news(news);
    if (std::exchange(news, state.news) == state.news) return ":\n\n";
    return "data: " + state_text(state) + "\n\n";
  };
  return response;
}

HttpResponse own_answer(const ServeOptions& options, const Preview& preview,
                        const HttpRequest& request) {
  if (!request.path.starts_with(own_path)) return page_answer(options, preview, request);
  const std::string name = request.path.substr(own_path.size());
  if (name == "events") return events_answer(preview);
  HttpResponse response;
  if (name == "state") {
    set_content(response, state_text(preview.state()), mime_type("state.json"));
  } else if (is_one_of(name, {"live.css", "live.js", "unbuilt.css", "unbuilt.js"})) {
    set_content(response, disk(options.live)->read(name).value_or(""), mime_type(name));
  } else {
    return page_answer(options, preview, request);
  }
  return response;
}

// Refuses service workers, which would stay active on this port after the preview.
bool makes_worker(const HttpRequest& request) {
  return !request.header("service-worker").empty() || request.path.ends_with("/sw.js") ||
         request.path.ends_with("/offline.json");
}

// Answers only what refusal_of() allows and adds security headers to every answer.
HttpAnswer guarded(int port, const char* content_policy, HttpAnswer answer) {
  return [=, answer = std::move(answer)](const HttpRequest& request) {
    const std::string refusal = refusal_of(request, port);
    HttpResponse response;
    if (!refusal.empty()) {
      response = refused(403, refusal);
    } else if (request.method != "GET" && request.method != "HEAD") {
      response = refused(405, "this server answers GET and HEAD only");
      response.headers.emplace_back("Allow", "GET, HEAD");
    } else {
      response = answer(request);
    }
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
    return response;
  };
}

}  // namespace

Preview::State Preview::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

Preview::State Preview::wait_for_news(int news) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, longest_rest, [&] { return state_.news != news; });
  return state_;
}

void Preview::built(bool changed, std::string scripts, bool unbuilt) {
  const std::lock_guard lock(mutex_);
  state_.unbuilt = unbuilt;
  if (!changed && state_.errors.empty() && state_.scripts == scripts) return;
  state_.build += changed ? 1 : 0;
  state_.scripts = std::move(scripts);
  state_.errors.clear();
  ++state_.news;
  changed_.notify_all();
}

void Preview::failed(std::string errors) {
  const std::lock_guard lock(mutex_);
  if (state_.errors == errors) return;
  state_.errors = std::move(errors);
  ++state_.news;
  changed_.notify_all();
}

std::string state_text(const Preview::State& state) {
  constexpr std::size_t longest_errors = 64 * 1024;
  std::string errors = state.errors.substr(0, longest_errors);
  if (errors.size() < state.errors.size()) errors += "\n… the rest is in the terminal\n";
  const nlohmann::json text = {
      {"build", state.build}, {"scripts", state.scripts}, {"errors", std::move(errors)}};
  // Names of files, and the cut itself, may bring invalid UTF-8 into an error.
  return text.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
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
  // A page never links to a path that is not normal.
  return normal && *normal == file ? file : std::string();
}

bool is_local_host(const std::string& host, int port) {
  const std::string suffix = ':' + std::to_string(port);
  return host == "127.0.0.1" + suffix || host == "localhost" + suffix;
}

std::string mime_type(const std::string& path) {
  if (image_name_fault(path).empty()) return std::string(image_type(path));
  static const std::map<std::string, std::string> types = {
      {"html", "text/html; charset=utf-8"},
      {"css", "text/css; charset=utf-8"},
      {"js", "text/javascript; charset=utf-8"},
      {"json", "application/json"},
      {"wasm", "application/wasm"},
      {"woff2", "font/woff2"},
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
  // Missing outside of browsers and in old ones, which still obey the headers of the answer.
  const std::string from = request.header("sec-fetch-site");
  const std::string origin = request.header("origin");
  constexpr std::string_view scheme = "http://";
  const bool is_own_origin = origin.empty() || (origin.starts_with(scheme) &&
                                                is_local_host(origin.substr(scheme.size()), port));
  if ((from.empty() || from == "same-origin" || from == "none") && is_own_origin) return {};
  return "another site requested this page or links to it: type its address to open it";
}

HttpAnswer own_site(int port, const ServeOptions& options, const Preview& preview) {
  return guarded(port, "frame-ancestors 'self'", [options, &preview](const HttpRequest& request) {
    return own_answer(options, preview, request);
  });
}

HttpAnswer stranger_site(int port, const std::string& directory) {
  const auto is_first = std::make_shared<std::atomic<bool>>(true);
  return guarded(port, stranger_policy, [directory, is_first](const HttpRequest& request) {
    auto response = makes_worker(request) ? refused(404, "a preview has no service worker")
                                          : file_answer(directory, request);
    if (request.header("sec-fetch-dest") == "document" && is_first->exchange(false))
      response.headers.emplace_back("Clear-Site-Data", "\"cache\", \"storage\"");
    return response;
  });
}

}  // namespace primer
