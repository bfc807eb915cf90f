// An HTTP server for this machine: GNU libmicrohttpd with one thread per connection.
//
//   Listener      a socket on 127.0.0.1, opened before the sandbox forbids sockets
//      |
//   start_server  the library's threads: one accepts, one per connection calls HttpAnswer
//      |
//   HttpAnswer    HttpRequest -> HttpResponse with a body, or with `next`: a stream of events
//
// A stream blocks its own thread until there is news, so 200 open pages cost 200 sleeping threads
// and delay nobody. The library bounds heads (32 KB), connections and their idle time. It
// refuses malformed requests in its own words, without our headers.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "figures/base/result.hpp"

namespace primer {

struct HttpRequest {
  std::string method;                          // "GET"
  std::string target;                          // undecoded, without its query: "/a%20b/"
  std::string path;                            // decoded: "/a b/"
  std::map<std::string, std::string> headers;  // lower-case names; repeated ones joined by ", "

  // "" if there is none.
  std::string header(const std::string& name) const;
};

struct HttpResponse {
  int status = 200;
  // Without lengths. A value that would add a line to the head is left out.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  // Set for a stream, which has no body: called again and again, and blocks until it returns text.
  // It must return something now and then, because only sending shows that a client is gone.
  std::function<std::string()> next;
};

// Called by many threads at once. An exception closes the connection.
using HttpAnswer = std::function<HttpResponse(const HttpRequest&)>;

// A socket that listens on 127.0.0.1, open until the process ends.
struct Listener {
  int socket = -1;
  int port = 0;

  // "http://127.0.0.1:8000/"
  std::string address() const;
};

// Listens on the first free one of `attempts` ports, starting at `port` (0: any free port). Error:
// none is free.
figures::Result<Listener> listen_on_this_machine(int port, int attempts);

// Serves until the process ends.
figures::Status start_server(const Listener& listener, HttpAnswer answer);

}  // namespace primer
