#include "generator/tools/language/language_server.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "generator/core/base/text.hpp"
#include "generator/core/code/highlight.hpp"
#include "generator/core/diagnostic/source.hpp"
#include "generator/core/markdown/anchor_kind.hpp"
#include "generator/host/disk.hpp"

namespace primer {
namespace {
// Positions as editors count them: lines from 0, and UTF-16 code units within a line.

struct TextPlace16 {
  int line = 0, character = 0;
};

// Number of UTF-16 units of the character that begins with this byte. 0 for continuation bytes.
int units_of(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if ((byte & 0xC0) == 0x80) return 0;
  return byte >= 0xF0 ? 2 : 1;
}

// The byte at a position. Beyond the end of a line, the end of the line.
std::size_t offset_at(const Source& source, TextPlace16 place) {
  if (place.line >= source.line_count()) return source.text().size();
  const int line = std::max(place.line, 0) + 1;
  const std::string_view text = source.line(line);
  std::size_t at = 0;
  for (int units = 0; at < text.size() && (units < place.character || units_of(text[at]) == 0);
       ++at)
    units += units_of(text[at]);
  return source.line_start(line) + at;
}

TextPlace16 place_at(const Source& source, std::size_t offset) {
  const int line = source.line_at(offset);
  const std::size_t start = source.line_start(line);
  const std::string_view before =
      source.text().substr(start, std::min(offset, source.text().size()) - start);
  int units = 0;
  for (const char c : before) units += units_of(c);
  return {line - 1, units};
}

// The path of a URI: "/home/a b/x.md" for "file:///home/a%20b/x.md". "" for other schemes.
std::string path_of_uri(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) return {};
  uri.remove_prefix(scheme.size());
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned code = 0;
    const char* digits = uri.data() + i + 1;
    const bool escaped = uri[i] == '%' && uri.size() - i > 2 &&
                         std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2;
    path += escaped ? static_cast<char>(code) : uri[i];
    if (escaped) i += 2;
  }
  return path.starts_with('/') ? path : "";
}

std::string uri_of_path(std::string_view path) {
  return "file://" + percent_encoded(path, "-_.~/");
}

// The value of Content-Length in the header. No value if it is missing.
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

namespace fs = std::filesystem;

namespace {
using Json = nlohmann::json;

constexpr std::size_t most_items = 300;
constexpr int parse_error = -32700, unknown_method = -32601, bad_params = -32602;

std::string text_of(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

Json member(const Json& object, const char* key) {
  return object.is_object() ? object.value(key, Json()) : Json();
}

TextPlace16 place_in(const Json& params) {
  const Json position = member(params, "position");
  const auto number = [&](const char* key) {
    const Json value = member(position, key);
    return value.is_number_integer() ? value.get<int>() : 0;
  };
  return {number("line"), number("character")};
}

Json json_of(TextPlace16 place) { return {{"line", place.line}, {"character", place.character}}; }

Json range(const Source& source, std::size_t begin, std::size_t end) {
  return {{"start", json_of(place_at(source, begin))}, {"end", json_of(place_at(source, end))}};
}

// Converts a diagnostic's column, which counts characters from 1, to an offset.
std::size_t offset_of(const Source& source, int line, int column) {
  const std::string_view text = source.line(line);
  std::size_t at = 0;
  for (int left = column - 1; at < text.size() && left > 0; --left) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  }
  return source.line_start(line) + at;
}

std::string_view line_at(const Source& source, std::size_t offset) {
  return source.line(source.line_at(offset));
}

// The reference at the position in `params`, with offsets in the file.
std::optional<LineReference> pointed_at(const Source& source, const Json& params) {
  const std::size_t at = offset_at(source, place_in(params));
  const std::size_t start = source.line_start(source.line_at(at));
  auto reference = reference_at(line_at(source, at), at - start);
  if (reference) reference->begin += start, reference->end += start;
  return reference;
}

const Json capabilities = {
    {"capabilities",
     {{"textDocumentSync", {{"openClose", true}, {"change", 1}, {"save", true}}},
      {"completionProvider", {{"triggerCharacters", {":", "#", "@", "(", "`", "/"}}}},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"codeActionProvider", true}}},
    {"serverInfo", {{"name", "primer"}}}};

}  // namespace

// The book with the editor's unsaved texts.
struct LanguageServer::Files {
  Files(const std::map<std::string, std::string>& texts, const std::string& book)
      : open(in_memory(texts)), saved(disk(book)), all(layered(*open, *saved)) {}
  std::unique_ptr<FileSystem> open, saved, all;
};

LanguageServer::LanguageServer(BuildOptions options, Cache& cache, Send send)
    : options_(std::move(options)),
      cache_(cache),
      send_(std::move(send)),
      root_((fs::absolute(options_.book) / "").lexically_normal().string()) {}

std::string LanguageServer::uri_of(const std::string& file) const {
  return uri_of_path(root_ + file);
}

std::string LanguageServer::file_of(const Json& params) const {
  const std::string path = path_of_uri(text_of(member(params, "textDocument"), "uri"));
  if (!path.starts_with(root_)) return {};
  return normal_path(path.substr(root_.size())).value_or("");
}

void LanguageServer::receive(const Json& message) {
  const std::string method = text_of(message, "method");
  const Json id = member(message, "id");
  const auto refuse = [&](int code, const char* words) {
    send_({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", words}}}});
  };
  if (!message.is_object()) return refuse(parse_error, "this is not a message");
  const Json params = member(message, "params");
  if (id.is_null()) return hear(method, params);
  if (method.empty()) return;  // a response to a request that we never sent
  const bool known =
      is_one_of(method, {"initialize", "shutdown", "textDocument/completion", "textDocument/hover",
                         "textDocument/definition", "textDocument/codeAction"});
  if (!known) return refuse(unknown_method, "unknown method");
  const bool about_text = method.starts_with("textDocument/");
  if (about_text && file_of(params).empty())
    return refuse(bad_params, "this is not a file of the book");
  send_({{"jsonrpc", "2.0"}, {"id", id}, {"result", answer(method, params)}});
}

Json LanguageServer::answer(const std::string& method, const Json& params) {
  if (method == "initialize") return capabilities;
  if (method == "textDocument/completion") return completion(params);
  if (method == "textDocument/hover") return hover(params);
  if (method == "textDocument/definition") return definition(params);
  if (method == "textDocument/codeAction") return actions(params);
  shut_down_ = true;
  return nullptr;
}

void LanguageServer::hear(const std::string& method, const Json& params) {
  if (method == "exit") ended_ = true;
  if (method == "initialized") stale_ = true;
  const std::string file = file_of(params);
  if (file.empty()) return;
  if (method == "textDocument/didOpen") {
    open_[file] = text_of(member(params, "textDocument"), "text");
  } else if (method == "textDocument/didChange") {
    const Json changes = member(params, "contentChanges");
    if (changes.is_array() && !changes.empty()) open_[file] = text_of(changes.back(), "text");
  } else if (method == "textDocument/didClose") {
    open_.erase(file);
  } else if (method != "textDocument/didSave") {
    return;
  }
  stale_ = true;
}

Json LanguageServer::diagnostic(const Diagnostic& one, const FileSystem& files) const {
  const Source source(one.file, files.read(one.file).value_or(""));
  Json place = range(source, 0, 0);
  if (one.line > 0) {
    const std::size_t begin = offset_of(source, one.line, one.column);
    const std::size_t end = offset_of(source, one.line, one.column + std::max(one.length, 1));
    place = range(source, begin, end);
  }
  std::string message = one.message;
  for (const auto& note : one.notes) message += '\n' + note;
  if (!one.suggestion.empty()) message += "\ndid you mean " + in_quotes(one.suggestion) + '?';
  return {{"range", place},
          {"severity", one.severity == Severity::error ? 1 : 2},
          {"code", info(one.rule).id},
          {"source", "primer"},
          {"message", message},
          {"data", one.suggestion}};
}

void LanguageServer::publish(const std::string& file, Json list) {
  send_({{"jsonrpc", "2.0"},
         {"method", "textDocument/publishDiagnostics"},
         {"params", {{"uri", uri_of(file)}, {"diagnostics", std::move(list)}}}});
}

void LanguageServer::check() {
  stale_ = false;
  const Files files(open_, options_.book);
  Diagnostics diagnostics;
  options_.unsaved = files.all.get();
  static_cast<void>(make_site(options_, cache_, diagnostics));
  options_.unsaved = nullptr;
  std::map<std::string, Json> by_file;
  // Clear the diagnostics of files that no longer have any.
  for (const auto& file : std::exchange(told_, {})) by_file[file] = Json::array();
  for (const auto& [file, text] : open_) by_file[file] = Json::array();
  for (const auto& one : diagnostics.sorted()) {
    Json& list = by_file[one.file.empty() ? book_file : one.file];
    if (list.is_null()) list = Json::array();
    list.push_back(diagnostic(one, *files.all));
  }
  for (auto& [file, list] : by_file) {
    if (!list.empty()) told_.insert(file);
    publish(file, std::move(list));
  }
}

Json LanguageServer::completion(const Json& params) {
  const Files files(open_, options_.book);
  const std::string file = file_of(params);
  const Source source(file, files.all->read(file).value_or(""));
  const std::size_t at = offset_at(source, place_in(params));
  const std::size_t start = source.line_start(source.line_at(at));
  const std::string_view line = source.text().substr(start, at - start);
  Json items = Json::array();
  const auto offer = [&](const std::string& name, const std::string& detail, std::size_t begin) {
    items.push_back(
        {{"label", name},
         {"detail", detail},
         {"kind", 18},
         {"textEdit", {{"range", range(source, start + begin, at)}, {"newText", name}}}});
  };
  if (const auto marks = line.find_first_not_of(' ');
      marks != line.npos && line.substr(marks).starts_with("```")) {
    for (const auto& name : own_block_names()) offer(name, "block", marks + 3);
    for (const auto& name : highlighted_languages()) offer(name, "language", marks + 3);
    return items;
  }
  const auto reference = unfinished_reference(line);
  if (!reference) return items;
  names_.read(*files.all);
  bool all = true;
  for (const auto& [name, known] : names_.of(reference->kind, file)) {
    if (!name.starts_with(reference->name)) continue;
    all = items.size() < most_items;
    if (!all) break;
    offer(name, known.detail, reference->begin);
  }
  return {{"isIncomplete", !all}, {"items", items}};
}

Json LanguageServer::hover(const Json& params) {
  const Files files(open_, options_.book);
  const std::string file = file_of(params);
  const Source source(file, files.all->read(file).value_or(""));
  const auto reference = pointed_at(source, params);
  if (!reference) return nullptr;
  names_.read(*files.all);
  const auto known = names_.find(*reference, file);
  if (!known) return nullptr;
  return {{"contents",
           {{"kind", "markdown"}, {"value", known->about.empty() ? known->detail : known->about}}},
          {"range", range(source, reference->begin, reference->end)}};
}

Json LanguageServer::definition(const Json& params) {
  const Files files(open_, options_.book);
  const std::string file = file_of(params);
  const Source source(file, files.all->read(file).value_or(""));
  const auto reference = pointed_at(source, params);
  if (!reference) return nullptr;
  names_.read(*files.all);
  const auto known = names_.find(*reference, file);
  if (!known || known->file.empty()) return nullptr;
  const auto text = files.all->read(known->file);
  if (!text) return nullptr;
  const Source there(known->file, *text);
  return {{"uri", uri_of(known->file)}, {"range", range(there, known->offset, known->offset)}};
}

// Replaces what a message is about by its suggestion.
Json LanguageServer::actions(const Json& params) const {
  Json all = Json::array();
  const Json about = member(member(params, "context"), "diagnostics");
  for (std::size_t i = 0; about.is_array() && i < about.size(); ++i) {
    const std::string suggestion = text_of(about[i], "data");
    if (suggestion.empty()) continue;
    const Json edit = {{"range", member(about[i], "range")}, {"newText", suggestion}};
    all.push_back({{"title", "Write " + in_quotes(suggestion)},
                   {"kind", "quickfix"},
                   {"diagnostics", Json::array({about[i]})},
                   {"edit", {{"changes", {{uri_of(file_of(params)), Json::array({edit})}}}}}});
  }
  return all;
}

}  // namespace primer
