#include "generator/serve.hpp"

#include <httplib.h>

#include "generator/file_system.hpp"

namespace primer {
namespace {

void answer(const std::string& directory, const httplib::Request& request,
            httplib::Response& response) {
  // Opened anew: a build may have replaced the site since the last request.
  const auto site = disk(directory);
  const std::string path = served_file(request.path);
  if (auto bytes = path.empty() ? std::nullopt : site->read(path)) {
    response.set_content(std::move(*bytes), mime_type(path));
  } else if (!path.empty() && site->read(path + "/index.html")) {
    response.set_redirect(request.path + '/', 301);
  } else {
    response.status = 404;
    response.set_content(site->read("404.html").value_or("not found"), mime_type("404.html"));
  }
  response.set_header("Cache-Control", "no-store");
  response.set_header("X-Content-Type-Options", "nosniff");
}

}  // namespace

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

figures::Status serve(const ServeOptions& options,
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
    server.Get(".*", [&](const auto& request, auto& response) {
      answer(options.directory, request, response);
    });
    if (!server.bind_to_port("127.0.0.1", port)) continue;
    ready("http://127.0.0.1:" + std::to_string(port) + '/');
    server.listen_after_bind();
    return figures::ok();
  }
  return figures::Error{"no port from " + std::to_string(options.port) + " on is free"};
}

}  // namespace primer
