// A request's head from any bytes. Beyond not crashing: what is taken of it adds no line to an answer,
// and no path leaves the site.
#include "fuzz/targets.hpp"
#include "generator/http.hpp"
#include "generator/serve.hpp"

namespace fuzz {

void request(std::string_view text) {
  const auto parsed = primer::parse_request(text);
  if (parsed.status != 200) return;
  const auto& taken = parsed.request;
  if (!taken.target.starts_with('/')) __builtin_trap();
  const std::string file = primer::served_file(taken.path);
  if (file.starts_with('/') || file.starts_with("../") || file.find("/../") != file.npos) {
    __builtin_trap();
  }
  primer::HttpResponse answer;
  answer.headers = {{"Location", taken.target + '/'}, {"X-Path", taken.path}};
  for (const auto& [name, value] : taken.headers) answer.headers.emplace_back("X-Same", value);
  const std::string head = primer::head_of(answer);
  if (head.find("\r\n\r\n") + 4 != head.size()) __builtin_trap();
  for (std::size_t at = head.find('\n'); at != head.npos; at = head.find('\n', at + 1)) {
    if (head[at - 1] != '\r') __builtin_trap();
  }
  primer::refusal_of(taken, 8000);
}

}  // namespace fuzz
