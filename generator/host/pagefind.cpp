#include "generator/host/pagefind.hpp"

#include <openssl/evp.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "generator/core/base/digest.hpp"
#include "generator/core/base/text.hpp"
#include "generator/host/process.hpp"
#include "generator/tools/search/indexed_text.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

using figures::Error;
using figures::Result;
using nlohmann::json;

// Selectors of content that is not prose: drawings, tables, code, results and repetitions.
constexpr const char* left_out[] = {"svg",
                                    "pre",
                                    ".plot-data",
                                    ".plot-source",
                                    ".model-controls",
                                    ".bench-table",
                                    ".bench-act",
                                    ".quiz-result",
                                    ".score",
                                    ".problems",
                                    ".tip",
                                    ".label",
                                    ".references",
                                    ".turn",
                                    ".rail",
                                    ".source-note",
                                    ".equation-number",
                                    ".formula-narrow"};

constexpr std::size_t most_of_an_answer = std::size_t{1} << 29;
constexpr auto pagefind_patience = std::chrono::minutes(2);

constexpr const char* list_of_languages = "pagefind-entry.json";
constexpr const char* for_other_languages = "wasm.unknown.pagefind";

bool is_needed(const std::string& path) {
  if (is_one_of(path, {"pagefind.js", list_of_languages})) return true;
  if (path.starts_with("index/") || path.starts_with("fragment/") || path.starts_with("filter/"))
    return true;
  if (path.starts_with("wasm.")) return path.ends_with(".pagefind");
  return path.starts_with("pagefind.") && path.ends_with(".pf_meta");
}

std::optional<std::string> from_base64(const std::string& text) {
  std::string bytes(3 * (text.size() / 4) + 1, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  const auto padding = static_cast<std::size_t>(text.ends_with("==") ? 2 : text.ends_with('='));
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return bytes;
}

class Conversation {
 public:
  bool start(const fs::path& program) { return process_.start({program.string(), "--service"}); }

  void ask(json request) {
    const json message{{"message_id", ++asked_}, {"payload", std::move(request)}};
    process_.send(base64(message.dump()) + ',');
  }

  // Reads the next answer, which must be of this kind.
  Result<json> answer(const char* kind) {
    std::string text;
    if (process_.next_line(text, pagefind_patience) != LineProcess::Event::line)
      return Error{"Pagefind, which builds the search index, stopped or does not answer"};
    const auto plain = from_base64(text);
    const json reply = json::parse(plain.value_or(""), nullptr, false);
    if (!reply.is_object() || !reply.contains("payload") || !reply["payload"].is_object())
      return Error{"Pagefind, which builds the search index, gave an invalid answer"};
    json payload = reply["payload"];
    const std::string type = payload.value("type", "");
    if (type == kind) return payload;
    return Error{"Pagefind, which builds the search index, says: " +
                 visible_message(payload.value("message", type))};
  }

 private:
  static std::string visible_message(const std::string& text) {
    return is_utf8(text) ? text : "(no text)";
  }

  LineProcess process_{',', most_of_an_answer};
  std::size_t asked_ = 0;
};

// The list of languages with the names that pages use, and whether one of them has no
// separate WebAssembly program.
struct Languages {
  std::string list;
  bool has_other = false;
};
Languages own_languages(const std::string& list) {
  json entry = json::parse(list, nullptr, false);
  if (!entry.is_object() || !entry.value("languages", json()).is_object()) return {list};
  Languages own;
  json languages = json::object();
  for (const auto& [name, language] : entry["languages"].items()) {
    const bool has_program = language.is_object() && language.value("wasm", json()).is_string();
    own.has_other = own.has_other || !has_program;
    languages[std::string(index_language_of(name))] = language;
  }
  entry["languages"] = std::move(languages);
  own.list = entry.dump();
  return own;
}

Result<std::vector<SearchFile>> files_of(const json& answer) {
  std::vector<SearchFile> files;
  bool has_other = false;
  for (const auto& file : answer.value("files", json::array())) {
    std::string path = file.value("path", "");
    auto content = from_base64(file.value("content", ""));
    if (!content) return Error{"Pagefind, which builds the search index, gave no file for " + path};
    if (path == list_of_languages) {
      auto own = own_languages(*content);
      has_other = own.has_other;
      content = std::move(own.list);
    }
    if (is_needed(path)) files.push_back({std::move(path), std::move(*content)});
  }
  if (!has_other)
    std::erase_if(files, [](const auto& file) { return file.path == for_other_languages; });
  return files;
}

}  // namespace

fs::path find_pagefind(const fs::path& home) {
  std::error_code error;
  for (const auto& system : fs::directory_iterator(home / "node_modules/@pagefind", error)) {
    const auto program = system.path() / "bin/pagefind_extended";
    if (fs::is_regular_file(program, error)) return fs::canonical(program, error);
  }
  return {};
}

Result<std::vector<SearchFile>> pagefind_index(const fs::path& program,
                                               const std::vector<PageSection>& sections) {
  Conversation pagefind;
  if (!pagefind.start(program)) return Error{program.string() + " does not start"};
  pagefind.ask({{"type", "NewIndex"}, {"config", {{"exclude_selectors", left_out}}}});
  const auto made = pagefind.answer("NewIndex");
  if (!made) return made.error();
  const json index = made->value("index_id", json());
  for (const auto& [url, html] : sections) {
    pagefind.ask({{"type", "AddFile"}, {"index_id", index}, {"url", url}, {"file_contents", html}});
  }
  pagefind.ask({{"type", "GetFiles"}, {"index_id", index}});
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const auto added = pagefind.answer("IndexedFile");
    if (!added) return Error{sections[i].url + ": " + added.error().message};
  }
  const auto all = pagefind.answer("GetFiles");
  if (!all) return all.error();
  return files_of(*all);
}

}  // namespace primer
