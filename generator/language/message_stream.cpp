#include "generator/language/message_stream.hpp"

#include <charconv>
#include <nlohmann/json.hpp>

#include "generator/base/text.hpp"

namespace primer {
namespace {

// Of the head's lines; nothing where none says it.
std::optional<std::size_t> length_in(std::string_view head) {
  constexpr std::string_view name = "Content-Length:";
  for (const auto line : split_lines(head)) {
    if (!line.starts_with(name)) continue;
    const std::string_view digits = trim(line.substr(name.size()));
    std::size_t length = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, failure] = std::from_chars(digits.data(), end, length);
    if (failure == std::errc() && stop == end) return length;
  }
  return std::nullopt;
}

}  // namespace

std::optional<nlohmann::json> MessageStream::next() {
  constexpr std::string_view head_end = "\r\n\r\n";
  const auto head = bytes_.find(head_end);
  if (broken_ || head == bytes_.npos) {
    broken_ = broken_ || bytes_.size() > most;
    return std::nullopt;
  }
  const auto length = length_in(std::string_view(bytes_).substr(0, head));
  if (!length || *length > most) {
    broken_ = true;
    return std::nullopt;
  }
  const std::size_t begin = head + head_end.size();
  if (bytes_.size() - begin < *length) return std::nullopt;
  auto message = nlohmann::json::parse(bytes_.substr(begin, *length), nullptr, false);
  bytes_.erase(0, begin + *length);
  return message.is_discarded() ? nlohmann::json() : std::move(message);
}

std::string framed(const nlohmann::json& message) {
  const std::string text = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

}  // namespace primer
