// The server as a client sees it: a process of its own, asked over a socket.
#include "generator/serve/http_server.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <stdexcept>

#include "catch.hpp"

using namespace primer;

namespace {

HttpResponse answer(const HttpRequest& request) {
  if (request.path == "/throws") throw std::runtime_error("no memory");
  if (request.path == "/events") return {200, {{"Content-Type", "text/event-stream"}}, "", true};
  if (request.path == "/evil")
    return {200, {{"X-Good", "1"}, {"X-Evil", "a\r\nX-More: 1"}}, "ok", false};
  if (request.path == "/none") return {404, {}, "not here", false};
  return {200,
          {{"X-Path", request.path}},
          std::string(request.head_only ? "HEAD " : "GET ") + request.target + " " +
              request.header("x-two") + " [" + request.header("x-none") + "]",
          false};
}

HttpSite site() {
  HttpSite site;
  site.answer = answer;
  site.news = [] { return 1; };
  site.event = [] { return std::string("data: first\n\n"); };
  site.refuse = [](HttpResponse& response) {
    response.body = "refused " + reason_of(response.status);
  };
  return site;
}

// Runs until it goes.
class Served {
 public:
  explicit Served(const Listener& listener) : port_(listener.port()), child_(fork()) {
    if (child_ == 0) {
      [[maybe_unused]] const auto ended = run_server(listener, site());
      _exit(0);
    }
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  ~Served() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

  // All that comes until the server closes, or has been silent for a moment.
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

TEST_CASE("http server: what it answers, and what it refuses") {
  const auto listener = Listener::on_this_machine(0, 1);
  REQUIRE(listener);
  CHECK(listener->port() > 0);
  CHECK(listener->address() == "http://127.0.0.1:" + std::to_string(listener->port()) + "/");
  CHECK_FALSE(Listener::on_this_machine(listener->port(), 1));  // nobody else on its port
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
  CHECK(has(served.get("/x", "", "PUT"), "405 Method Not Allowed\r\n"));
  CHECK(has(served.get("/x", "", "PUT"), "Allow: GET, HEAD\r\n"));
  CHECK(has(served.get("/x", "", "PUT"), "refused Method Not Allowed"));
  CHECK(has(served.get("/x", "Content-Length: 2\r\n"), "413 "));
  CHECK(has(served.get("/x", "Transfer-Encoding: chunked\r\n"), "413 "));
  CHECK(has(served.get("/x", "Content-Length: 0\r\n"), "200 OK"));
  CHECK(has(served.get("x"), "400 "));
  CHECK(has(served.get("/\x80"), "400 "));
  CHECK(has(served.get("/\x7f"), "400 "));
  CHECK(has(served.get("/~"), "200 OK"));
  CHECK(has(served.ask("GET / HTTP/1.0\r\n\r\n"), "400 "));
  CHECK(has(served.get("/throws"), "500 "));
  CHECK(has(served.get("/x#y"), "GET /x "));
}

TEST_CASE("http server: no header adds a line, a stream begins with the event that is current") {
  const auto listener = Listener::on_this_machine(0, 1);
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

TEST_CASE("http server: reasons have names, unknown ones their number") {
  CHECK(reason_of(404) == "Not Found");
  CHECK(reason_of(299) == "299");
}

TEST_CASE("http server: the next port where the first is taken") {
  const auto first = Listener::on_this_machine(0, 1);
  REQUIRE(first);
  const auto second = Listener::on_this_machine(first->port(), 20);
  if (second) CHECK(second->port() > first->port());
  HttpRequest request;
  request.headers = {{"a", "b"}};
  CHECK(request.header("a") == "b");
  CHECK(request.header("b") == "");
}
