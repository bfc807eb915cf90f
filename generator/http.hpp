// As much of HTTP as `primer serve` speaks: requests that read, one for each connection. What asks
// for more (another method, a body, a head that is too long) is told so and read no further.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace primer {

struct HttpRequest {
  bool head_only = false;                      // HEAD, not GET
  std::string target;                          // as written, without its query: "/a%20b/"
  std::string path;                            // decoded: "/a b/"
  std::map<std::string, std::string> headers;  // names in lower case; of several, joined by ", "

  // "" when there is none.
  std::string header(const std::string& name) const;
};

// A request, or the status with which it is refused.
struct HttpRequestOrStatus {
  int status = 200;
  HttpRequest request;
};

// Reads a request's head, up to and with its blank line. Refused are methods other than GET and HEAD
// (405), a body of any length (413), another version (505), and what is not written as the standard
// says (400): lines that end in LF alone, control characters, folded headers.
HttpRequestOrStatus parse_request(std::string_view head);

struct HttpResponse {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;  // without length and connection
  std::string body;
  bool is_stream = false;  // no body yet: the connection stays open for the server's events
};

// Status line and headers, with the blank line. A header whose value holds a control character is
// left out: nothing can add a line to the head.
std::string head_of(const HttpResponse& response);

// "Not Found".
const char* reason_of(int status);

}  // namespace primer
