// The server from a client's point of view: a separate process, accessed through a socket.
#include "generator/host/serve/server.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "catch.hpp"

using namespace primer;

namespace {

HttpResponse answer(const HttpRequest& request) {
  if (request.path == "/throws") throw std::runtime_error("no memory");
  HttpResponse response;
  if (request.path == "/events") {
    response.headers = {{"Content-Type", "text/event-stream"}};
    response.next = [] { return std::string("data: first\n\n"); };
  } else if (request.path == "/evil") {
    response.headers = {{"X-Good", "1"}, {"X-Evil", "a\r\nX-More: 1"}};
  } else if (request.path == "/none") {
    response.status = 404;
    response.body = "not here";
  } else {
    response.headers = {{"X-Path", request.path}};
    response.body = request.method + ' ' + request.target + ' ' + request.header("x-two") + " [" +
                    request.header("x-none") + "]";
  }
  return response;
}

class Served {
 public:
  explicit Served(const Listener& listener) : port_(listener.port), child_(fork()) {
    if (child_ != 0) return;
    if (!start_server(listener, answer)) _exit(1);
    for (;;) pause();
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  ~Served() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

  // Everything until the server closes the connection or is silent for a moment.
  std::string ask(const std::string& request) const {
    const int end = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string out;
    if (connect(end, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
      const timeval patience{5, 0};
      setsockopt(end, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
      [[maybe_unused]] const auto sent = write(end, request.data(), request.size());
      char bytes[4096];
      for (ssize_t size = 0; (size = read(end, bytes, sizeof bytes)) > 0;) {
        out.append(bytes, static_cast<std::size_t>(size));
        if (out.find("data: first\n\n") != out.npos) break;  // a stream stays open
      }
    }
    close(end);
    return out;
  }
  std::string get(const std::string& target, const std::string& more = "",
                  const std::string& method = "GET") const {
    return ask(method + " " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + more +
               "\r\n");
  }

 private:
  int port_;
  pid_t child_;
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("http server: requests arrive decoded, answers unchanged") {
  const auto listener = listen_on_this_machine(0, 1);
  REQUIRE(listener);
  CHECK(listener->port > 0);
  CHECK(listener->address() == "http://127.0.0.1:" + std::to_string(listener->port) + "/");
  const Served served(*listener);
  const std::string plain = served.get("/a%20b/?q=1", "X-Two: a\r\nx-two: b\r\n");
  CHECK(has(plain, "HTTP/1.1 200 OK\r\n"));
  CHECK(has(plain, "X-Path: /a b/\r\n"));
  CHECK(has(plain, "\r\n\r\nGET /a%20b/ a, b []"));
  const std::string head = served.get("/x", "", "HEAD");
  CHECK(has(head, "200 OK"));
  CHECK(head.ends_with("\r\n\r\n"));
  CHECK(has(served.get("/none"), "404 Not Found\r\n"));
  CHECK(has(served.get("/none"), "\r\n\r\nnot here"));
  CHECK(has(served.get("/x", "Content-Length: 2\r\n", "PUT"), "PUT /x"));  // its body is not read
  CHECK(served.get("/throws").empty());
  CHECK(has(served.get("/x"), "200 OK"));
}

TEST_CASE("http server: no header adds a line, and a stream runs until the client disconnects") {
  const auto listener = listen_on_this_machine(0, 1);
  REQUIRE(listener);
  const Served served(*listener);
  const std::string evil = served.get("/evil");
  CHECK(has(evil, "X-Good: 1\r\n"));
  CHECK_FALSE(has(evil, "X-More"));
  const std::string stream = served.get("/events");
  CHECK(has(stream, "Content-Type: text/event-stream\r\n"));
  CHECK(has(stream, "data: first\n\n"));
  const std::string head = served.get("/events", "", "HEAD");
  CHECK(has(head, "200 OK"));
  CHECK(head.ends_with("\r\n\r\n"));
}

TEST_CASE("http server: the next port if the first is taken") {
  const auto first = listen_on_this_machine(0, 1);
  REQUIRE(first);
  CHECK_FALSE(listen_on_this_machine(first->port, 1));  // no second server on its port
  const auto second = listen_on_this_machine(first->port, 20);
  if (second) CHECK(second->port > first->port);
}
