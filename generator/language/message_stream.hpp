// The framing of the Language Server Protocol: "Content-Length: 12", an empty line, and so many bytes of JSON.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#baseProtocol
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace primer {

// Bytes as they come, messages as they become whole.
class MessageStream {
 public:
  // A message that has more bytes than this ends the stream, as does a head that is none.
  static constexpr std::size_t most = std::size_t{64} << 20;

  void add(std::string_view bytes) { bytes_ += bytes; }
  // The next whole message; nothing where more bytes are needed, or the stream is broken. What is no JSON is null.
  std::optional<nlohmann::json> next();
  bool is_broken() const { return broken_; }

 private:
  std::string bytes_;
  bool broken_ = false;
};

std::string framed(const nlohmann::json& message);

}  // namespace primer
