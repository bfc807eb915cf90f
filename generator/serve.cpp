#include "generator/serve.hpp"

#include <httplib.h>

#include "generator/file_system.hpp"
#include "generator/pack.hpp"

namespace primer {
namespace {

constexpr std::string_view assets = "_/";
constexpr std::chrono::seconds heartbeat{10};
constexpr std::size_t most_connections = 64;  // each visible page holds one

// "_/3f9a1c2b/page.wasm" when a page that was loaded from an older build asks for it: the same file
// of the assets that are there now.
std::string of_current_assets(const FileSystem& site, const std::string& path) {
  if (!path.starts_with(assets)) return {};
  const auto rest = path.find('/', assets.size());
  const auto all = site.list(std::string(assets.substr(0, 1)));
  if (rest == path.npos || all.empty()) return {};
  return all.front().substr(0, all.front().find('/', assets.size())) + path.substr(rest);
}

void answer(const std::string& directory, const Preview& preview, const httplib::Request& request,
            httplib::Response& response) {
  // The number before the bytes: a page that is newer than its number only looks once more.
  const int build = preview.state().build;
  // Opened anew: a build may have replaced the site since the last request.
  const auto site = disk(directory);
  const std::string path = served_file(request.path);
  auto bytes = path.empty() ? std::nullopt : site->read(path);
  if (!bytes && !path.empty()) bytes = site->read(of_current_assets(*site, path));
  if (bytes) {
    if (path.ends_with(".html")) {
      *bytes = with_live_script(std::move(*bytes));
      response.set_header("Primer-Build", std::to_string(build));
    }
    response.set_content(std::move(*bytes), mime_type(path));
  } else if (!path.empty() && site->read(path + "/index.html")) {
    response.set_redirect(request.path + '/', 301);
  } else {
    response.status = 404;
    response.set_content(with_live_script(site->read("404.html").value_or("not found")),
                         mime_type("404.html"));
  }
}

// News as they come, and a comment now and then, so that a connection that is gone is noticed.
void stream_events(const Preview& preview, httplib::Response& response) {
  auto known = std::make_shared<int>(-1);
  response.set_chunked_content_provider(
      "text/event-stream", [&preview, known](std::size_t, httplib::DataSink& sink) {
        const auto state = preview.wait(*known, heartbeat);
        const std::string text = state.news == *known ? ": still here\n\n" : event_text(state);
        *known = state.news;
        return sink.write(text.data(), text.size());
      });
}

void add_routes(httplib::Server& server, const ServeOptions& options, const Preview& preview) {
  server.Get("/_primer/events", [&](const auto&, auto& response) {
    stream_events(preview, response);
  });
  server.Get("/_primer/(live\\.(js|css))", [&](const auto& request, auto& response) {
    const std::string name = request.matches[1];
    response.set_content(disk(options.live)->read(name).value_or(""), mime_type(name));
  });
  server.Get(".*", [&](const auto& request, auto& response) {
    answer(options.directory, preview, request, response);
  });
  server.set_post_routing_handler([](const auto&, auto& response) {
    response.set_header("Cache-Control", "no-store");
    response.set_header("X-Content-Type-Options", "nosniff");
  });
  server.new_task_queue = [] { return new httplib::ThreadPool(most_connections); };
}

}  // namespace

std::string with_live_script(std::string html) {
  const auto head = html.find("</head>");
  if (head == html.npos) return html;
  html.insert(head, "<link rel=\"stylesheet\" href=\"/_primer/live.css\"/>\n"
                    "<script type=\"module\" src=\"/_primer/live.js\"></script>\n");
  return html;
}

std::string script_version(const std::string& directory) {
  const auto site = disk(directory);
  Packer packer;
  for (const auto& path : site->list(std::string(assets.substr(0, 1)))) {
    if (!path.ends_with(".js") && !path.ends_with(".wasm")) continue;
    packer.add(path.substr(path.find('/', assets.size())));
    packer.add(site->digest_of("read " + path));
  }
  return to_text(digest(packer.bytes));
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
      {"html", "text/html; charset=utf-8"}, {"css", "text/css; charset=utf-8"},
      {"js", "text/javascript; charset=utf-8"}, {"json", "application/json"},
      {"wasm", "application/wasm"}, {"woff2", "font/woff2"}, {"svg", "image/svg+xml"},
      {"png", "image/png"}, {"txt", "text/plain; charset=utf-8"}, {"xml", "application/xml"},
  };
  const auto type = types.find(path.substr(path.rfind('.') + 1));
  return type == types.end() ? "application/octet-stream" : type->second;
}

figures::Status serve(const ServeOptions& options, const Preview& preview,
                      const std::function<void(const std::string& address)>& ready) {
  constexpr int attempts = 10;
  for (int port = options.port; port < options.port + attempts; ++port) {
    httplib::Server server;
    server.set_pre_routing_handler([port](const auto& request, auto& response) {
      if (is_local_host(request.get_header_value("Host"), port)) {
        return httplib::Server::HandlerResponse::Unhandled;
      }
      response.status = 403;
      return httplib::Server::HandlerResponse::Handled;
    });
    add_routes(server, options, preview);
    if (!server.bind_to_port("127.0.0.1", port)) continue;
    ready("http://127.0.0.1:" + std::to_string(port) + '/');
    server.listen_after_bind();
    return figures::ok();
  }
  return figures::Error{"no port from " + std::to_string(options.port) + " on is free"};
}

}  // namespace primer
