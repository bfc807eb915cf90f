#include "generator/http.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

namespace primer {
namespace {

constexpr std::string_view line_end = "\r\n";

bool is_visible(char c) { return c > ' ' && c < '\x7f'; }
bool is_control(char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }

// A character of a method or of a header's name.
bool is_token(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_token(c); });
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

// The text before `mark`, which both go from the front of `rest`; nothing when it is not there.
std::optional<std::string_view> cut(std::string_view& rest, std::string_view mark) {
  const auto end = rest.find(mark);
  if (end == rest.npos) return std::nullopt;
  const auto before = rest.substr(0, end);
  rest.remove_prefix(end + mark.size());
  return before;
}

std::string_view without_spaces(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

int read_request_line(std::string_view line, HttpRequest& request) {
  const auto method = cut(line, " ");
  const auto target = method ? cut(line, " ") : std::nullopt;
  if (!target || !is_token(*method)) return 400;
  constexpr std::string_view version = "HTTP/1.1";
  if (line.size() != version.size() || !line.starts_with("HTTP/")) return 400;
  if (line != version && line != "HTTP/1.0") return 505;
  if (*method != "GET" && *method != "HEAD") return 405;
  request.head_only = *method == "HEAD";
  if (!target->starts_with('/')) return 400;
  if (!std::all_of(target->begin(), target->end(), is_visible)) return 400;
  request.target = target->substr(0, target->find_first_of("?#"));
  auto path = percent_decoded(request.target);
  if (!path) return 400;
  request.path = std::move(*path);
  return 200;
}

int read_header(std::string_view line, HttpRequest& request) {
  const auto name = cut(line, ":");
  if (!name || !is_token(*name)) return 400;  // a folded line begins with a space, which is none
  const auto value = without_spaces(line);
  if (std::any_of(value.begin(), value.end(), [](char c) { return c != '\t' && is_control(c); })) {
    return 400;
  }
  std::string key(*name);
  for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto [at, is_new] = request.headers.emplace(key, value);
  if (!is_new) at->second += ", " + std::string(value);
  return 200;
}

bool announces_body(const HttpRequest& request) {
  const auto length = request.headers.find("content-length");
  return (length != request.headers.end() && length->second != "0") ||
         request.headers.contains("transfer-encoding");
}

}  // namespace

std::string HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

HttpRequestOrStatus parse_request(std::string_view head) {
  HttpRequestOrStatus parsed;
  const auto first = cut(head, line_end);
  parsed.status = first ? read_request_line(*first, parsed.request) : 400;
  while (parsed.status == 200) {
    const auto line = cut(head, line_end);
    if (line && line->empty()) break;
    parsed.status = line ? read_header(*line, parsed.request) : 400;
  }
  if (parsed.status == 200 && announces_body(parsed.request)) parsed.status = 413;
  return parsed;
}

std::string head_of(const HttpResponse& response) {
  std::string head =
      "HTTP/1.1 " + std::to_string(response.status) + ' ' + reason_of(response.status) + "\r\n";
  for (const auto& [name, value] : response.headers) {
    if (std::any_of(value.begin(), value.end(), is_control)) continue;
    head += name + ": " + value + "\r\n";
  }
  if (!response.is_stream) head += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
  return head + "Connection: close\r\n\r\n";
}

const char* reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 301: return "Moved Permanently";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 413: return "Content Too Large";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Internal Server Error";
  }
}

}  // namespace primer
