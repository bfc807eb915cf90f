// `primer lsp`: a language server for editors. It reports what `primer check` would report for the
// unsaved texts, and offers, explains and finds the names in the book. Specification:
// https://microsoft.github.io/language-server-protocol/
#pragma once

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "generator/core/base/cache.hpp"
#include "generator/host/build/build.hpp"
#include "generator/tools/names/book_names.hpp"

namespace primer {

// The protocol's framing ("Base Protocol" in the specification of version 3.17): "Content-Length:
// 12", an empty line and that many bytes of JSON.

// Splits a stream of bytes into messages.
class MessageStream {
 public:
  // Largest message in bytes. A larger one breaks the stream, and so does an invalid header.
  static constexpr std::size_t most = std::size_t{64} << 20;

  void add(std::string_view bytes) { bytes_ += bytes; }
  // The next complete message. No value if more bytes are needed or the stream is broken. Invalid
  // JSON gives null.
  std::optional<nlohmann::json> next();
  bool is_broken() const { return broken_; }

 private:
  std::string bytes_;
  bool broken_ = false;
};

std::string framed(const nlohmann::json& message);

class LanguageServer {
 public:
  using Send = std::function<void(const nlohmann::json&)>;

  LanguageServer(BuildOptions options, Cache& cache, Send send);

  void receive(const nlohmann::json& message);
  // Whether a text has changed since the last check().
  bool is_stale() const { return stale_; }
  // Makes the site in memory and sends the diagnostics.
  void check();
  bool has_ended() const { return ended_; }
  int exit_status() const { return shut_down_ ? 0 : 1; }

 private:
  using Json = nlohmann::json;
  struct Files;

  Json answer(const std::string& method, const Json& params);
  void hear(const std::string& method, const Json& params);
  Json completion(const Json& params);
  Json hover(const Json& params);
  Json definition(const Json& params);
  Json actions(const Json& params) const;
  Json diagnostic(const Diagnostic& one, const FileSystem& files) const;
  void publish(const std::string& file, Json list);
  std::string file_of(const Json& document) const;  // path in the book, or ""
  std::string uri_of(const std::string& file) const;

  BuildOptions options_;
  Cache& cache_;
  Send send_;
  const std::string root_;                   // absolute path of the book with a slash at its end
  std::map<std::string, std::string> open_;  // unsaved texts by file
  std::set<std::string> told_;               // files with diagnostics in the editor
  BookNames names_;
  bool stale_ = false, shut_down_ = false, ended_ = false;
};

}  // namespace primer
