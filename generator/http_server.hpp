// A server of small files on this machine: one thread, one loop, nothing that grows with what a
// client sends.
//
// Bounds: a head of 16 KB, complete within 5 seconds; 512 connections (or half of the descriptors that
// the process may have), of which half may be streams; an answer is given up when nothing of it is
// taken for 10 seconds; 256 MB of answers wait at most. When all connections are in use the oldest that
// asks for nothing makes room, so that idle ones keep nobody out. Streams cost a connection and no
// thread, so no number of them delays a page.
//
// cpp-httplib is not used: the versions of Debian 12 and 13 and Ubuntu 24.04 take lines of any length,
// let several servers share a port, and hold a thread for each stream.
#pragma once

#include <functional>
#include <string>

#include "figures/result.hpp"
#include "generator/http.hpp"

namespace primer {

// A socket that listens on 127.0.0.1, and nobody else on its port. Made apart from serving on it, so
// that a process can give up the right to make sockets between the two.
class Listener {
 public:
  // The first free one of `attempts` ports from `port` on; port 0: any that is free. Error: none is.
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
  // A new stream is sent the event that is current. Absent where no answer is a stream.
  std::function<int()> news;
  std::function<std::string()> event;
  // The answer to what never reached `answer`, or to a stream too many; its status is in it.
  std::function<void(HttpResponse&)> refuse = [](HttpResponse&) {};
};

// Serves until the system takes the socket away (Error).
figures::Status run_server(const Listener& listener, const HttpSite& site);

}  // namespace primer
