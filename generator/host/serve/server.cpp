#include "generator/host/serve/server.hpp"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cctype>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>

namespace primer {
namespace {

constexpr unsigned most_connections = 512;
constexpr unsigned idle_seconds = 10;
constexpr std::size_t event_chunk = 4 * 1024;

struct Stream {
  std::function<std::string()> next;
  std::string text;
  std::size_t sent = 0;  // bytes of `text`
};

ssize_t read_stream(void* context, std::uint64_t, char* to, std::size_t room) try {
  auto& stream = *static_cast<Stream*>(context);
  if (stream.sent == stream.text.size()) {
    stream.text = stream.next();
    stream.sent = 0;
  }
  const std::size_t size = stream.text.copy(to, room, stream.sent);
  stream.sent += size;
  return static_cast<ssize_t>(size);
} catch (const std::exception&) {
  return MHD_CONTENT_READER_END_WITH_ERROR;
}

void delete_stream(void* context) { delete static_cast<Stream*>(context); }

MHD_Result add_header(void* context, MHD_ValueKind, const char* name, const char* value) {
  std::string key(name);
  for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::string text(value == nullptr ? "" : value);
  auto& headers = *static_cast<std::map<std::string, std::string>*>(context);
  const auto [at, is_new] = headers.emplace(key, text);
  if (!is_new) at->second += ", " + text;
  return MHD_YES;
}

MHD_Result send(MHD_Connection* connection, HttpResponse response) {
  MHD_Response* made = nullptr;
  if (response.next) {
    // A stream without news is not an idle connection.
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
    made =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, event_chunk, read_stream,
                                          new Stream{std::move(response.next), {}}, delete_stream);
  } else {
    made = MHD_create_response_from_buffer(response.body.size(), response.body.data(),
                                           MHD_RESPMEM_MUST_COPY);
  }
  if (made == nullptr) return MHD_NO;
  for (const auto& [name, value] : response.headers) {
    MHD_add_response_header(made, name.c_str(), value.c_str());
  }
  const auto sent = MHD_queue_response(connection, static_cast<unsigned>(response.status), made);
  MHD_destroy_response(made);
  return sent;
}

// Called once per request. It is answered before its body arrives, which is never read.
MHD_Result handle(void* context, MHD_Connection* connection, const char* target, const char* method,
                  const char*, const char*, std::size_t*, void**) try {
  HttpRequest request;
  request.method = method;
  request.target = target;
  request.path = target;
  request.path.resize(MHD_http_unescape(request.path.data()));
  MHD_get_connection_values(connection, MHD_HEADER_KIND, add_header, &request.headers);
  return send(connection, (*static_cast<const HttpAnswer*>(context))(request));
} catch (const std::exception&) {
  return MHD_NO;  // for example, out of memory: closes only this connection
}

// Keeps targets encoded. handle() decodes them, so that it can detect "%00".
std::size_t no_unescape(void*, MHD_Connection*, char* text) { return std::strlen(text); }

// SO_REUSEADDR reuses a port whose old connections are still in TIME_WAIT. Unlike SO_REUSEPORT, it
// never takes a port that somebody listens on.
std::optional<Listener> listener_on(int port) {
  Listener made{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), port};
  const int yes = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (setsockopt(made.socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      bind(made.socket, name, size) != 0 || listen(made.socket, 128) != 0 ||
      getsockname(made.socket, name, &size) != 0) {
    close(made.socket);
    return std::nullopt;
  }
  made.port = ntohs(address.sin_port);
  return made;
}

}  // namespace

figures::Result<Listener> listen_on_this_machine(int port, int attempts) {
  for (int i = 0; i < attempts; ++i) {
    if (const auto made = listener_on(port == 0 ? 0 : port + i)) return *made;
  }
  return figures::Error{"no free port at " + std::to_string(port) + " or above"};
}

std::string Listener::address() const { return "http://127.0.0.1:" + std::to_string(port) + '/'; }

std::string HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

figures::Status start_server(const Listener& listener, HttpAnswer answer) {
  auto context = std::make_unique<HttpAnswer>(std::move(answer));
  const auto* daemon = MHD_start_daemon(
      MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0, nullptr,
      nullptr, handle, context.get(), MHD_OPTION_LISTEN_SOCKET, listener.socket,
      MHD_OPTION_CONNECTION_LIMIT, most_connections, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_UNESCAPE_CALLBACK, no_unescape, nullptr, MHD_OPTION_END);
  if (daemon == nullptr) return figures::Error{"the server cannot start"};
  static_cast<void>(context.release());  // the library's threads have it for good
  return figures::ok();
}

}  // namespace primer
