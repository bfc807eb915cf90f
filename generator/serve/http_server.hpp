// A server of small files on this machine: GNU libmicrohttpd in one thread.
//
// Bounds: a head that fits in 16 KB, complete within 5 seconds, and no body; 512 connections (or
// half of the descriptors that the process may have), of which half may be streams; an answer is
// given up when nothing of it is taken for 10 seconds; 256 MB of answers wait at most. When all
// connections are in use the oldest that asks for nothing makes room, so that idle ones keep nobody
// out. A stream at rest costs a connection and no time, so no number of them delays a page. One stream
// too many is answered 503, to be tried again. The server itself wakes once a second.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "figures/base/result.hpp"

namespace primer {

struct HttpRequest {
  bool head_only = false;                      // HEAD, not GET
  std::string target;                          // as written, without its query: "/a%20b/"
  std::string path;                            // decoded: "/a b/"
  std::map<std::string, std::string> headers;  // names in lower case; of several, joined by ", "

  // "" when there is none.
  std::string header(const std::string& name) const;
};

struct HttpResponse {
  int status = 200;
  // Without length and connection. One that would add a line to the head is left out.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  bool is_stream = false;  // no body yet: the connection stays open for the server's events
};

// "Not Found"; of a status that this server does not answer with, the number.
std::string reason_of(int status);

// A socket that listens on 127.0.0.1, and nobody else on its port. Made apart from serving on it,
// so that a process can give up the right to make sockets between the two.
class Listener {
 public:
  // The first free one of `attempts` ports from `port` on; port 0: any that is free. Error: none, or the system has
  // no libmicrohttpd.
  static figures::Result<Listener> on_this_machine(int port, int attempts);

  Listener(Listener&& other) noexcept;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  Listener& operator=(Listener&&) = delete;
  ~Listener();

  int socket() const { return socket_; }
  int port() const { return port_; }
  // "http://127.0.0.1:8000/"
  std::string address() const;

 private:
  Listener(int socket, int port) : socket_(socket), port_(port) {}
  int socket_;
  int port_;
};

struct HttpSite {
  std::function<HttpResponse(const HttpRequest&)> answer;
  // What the streams are told: `news` grows with each change, `event` is what they are then sent.
  // A new stream is sent the event that is current. `on_news` takes what is to be called after each change, by any
  // thread, until it takes another. Absent where no answer is a stream.
  std::function<int()> news;
  std::function<std::string()> event;
  std::function<void(std::function<void()>)> on_news;
  // The answer to what never reached `answer`, or to a stream too many; its status is in it. What
  // is not a request at all is refused by the library, in its own words.
  std::function<void(HttpResponse&)> refuse = [](HttpResponse&) {};
};

// Serves until the system waits for sockets no more (Error).
figures::Status run_server(const Listener& listener, const HttpSite& site);

}  // namespace primer
