// `primer lsp`: a language server for editors. It tells what `primer check` would of the texts as they stand in the editor, saved or
// not, and offers, explains and finds the names of the book.
// https://microsoft.github.io/language-server-protocol/
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "generator/base/cache.hpp"
#include "generator/build/build.hpp"
#include "generator/names/book_names.hpp"

namespace primer {

class LanguageServer {
 public:
  using Send = std::function<void(const nlohmann::json&)>;

  LanguageServer(BuildOptions options, Cache& cache, Send send);

  void receive(const nlohmann::json& message);
  // Whether a text has changed since the last check().
  bool is_stale() const { return stale_; }
  // Makes the site in memory and tells what is wrong.
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
  std::string file_of(const Json& document) const;  // of the book, or ""
  std::string uri_of(const std::string& file) const;

  BuildOptions options_;
  Cache& cache_;
  Send send_;
  const std::string root_;  // of the book, absolute, with a slash
  std::map<std::string, std::string> open_;
  std::set<std::string> told_;  // files that have diagnostics in the editor
  BookNames names_;
  bool stale_ = false, shut_down_ = false, ended_ = false;
};

}  // namespace primer
