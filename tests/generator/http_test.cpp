#include "generator/http.hpp"

#include "catch.hpp"

namespace primer {
namespace {

int status_of(const std::string& head) { return parse_request(head).status; }

TEST_CASE("http: a request that reads") {
  const auto parsed = parse_request(
      "GET /a%20b/?x=1 HTTP/1.1\r\nHost: localhost:1\r\nX-A:  1 \r\nx-a:\r\n\r\nGET /rest");
  REQUIRE(parsed.status == 200);
  CHECK(parsed.request.target == "/a%20b/");
  CHECK(parsed.request.path == "/a b/");
  CHECK(!parsed.request.head_only);
  CHECK(parsed.request.header("host") == "localhost:1");
  CHECK(parsed.request.header("x-a") == "1, ");
  CHECK(parsed.request.header("none").empty());
  CHECK(parse_request("HEAD / HTTP/1.0\r\n\r\n").request.head_only);
  CHECK(status_of("GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n") == 200);
}

TEST_CASE("http: no part of a request is one, and no byte in it is read past") {
  const std::string whole = "GET /a%20b/ HTTP/1.1\r\nHost: localhost:1\r\nX-A: 1\r\n\r\n";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO(size);
    CHECK(status_of(whole.substr(0, size)) != 200);
    for (const char byte : {'\0', '\n', '\r', ' ', ':', '%', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[size] = byte;
      const auto parsed = parse_request(changed);
      if (parsed.status != 200) continue;
      CHECK(parsed.request.target.starts_with('/'));
      for (const auto& header : parsed.request.headers) {
        CHECK(header.second.find_first_of(std::string("\0\r\n\x7f", 4)) == std::string::npos);
      }
    }
  }
}

TEST_CASE("http: a request that is refused") {
  for (const char* head :
       {"", "\r\n", "GET /\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET x HTTP/1.1\r\n\r\n",
        "GET / http/1.1\r\n\r\n", "G\x01T / HTTP/1.1\r\n\r\n", "GET /\xc3 HTTP/1.1\r\n\r\n",
        "GET /%0 HTTP/1.1\r\n\r\n", "GET /%zz HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\n\n",
        "GET / HTTP/1.1\r\nA\r\n\r\n", "GET / HTTP/1.1\r\nA : b\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", "GET / HTTP/1.1\r\nA: b\nC: d\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\r\n", "GET / HTTP/1.1\r\n: b\r\n\r\n"}) {
    INFO(head);
    CHECK(status_of(head) == 400);
  }
  CHECK(status_of("POST / HTTP/1.1\r\n\r\n") == 405);
  CHECK(status_of("GET / HTTP/3.0\r\n\r\n") == 505);
  for (const char* body : {"Content-Length: 1", "content-length: 00", "Content-Length: 0\r\nContent-Length: 5",
                           "Transfer-Encoding: chunked", "Transfer-Encoding: identity"}) {
    INFO(body);
    CHECK(status_of("GET / HTTP/1.1\r\n" + std::string(body) + "\r\n\r\n") == 413);
  }
}

TEST_CASE("http: no value adds a line to an answer's head") {
  const HttpResponse response{301, {{"Location", "/a\r\nX: y"}, {"A", "b"}}, "text", false};
  CHECK(head_of(response) ==
        "HTTP/1.1 301 Moved Permanently\r\nA: b\r\nContent-Length: 4\r\nConnection: close\r\n\r\n");
}

}  // namespace
}  // namespace primer
