#include "generator/json_file.hpp"

#include "generator/text.hpp"

namespace primer {

std::optional<JsonFile> read_json(const FileSystem& files, const std::string& path,
                                  Diagnostics& diagnostics) {
  constexpr int deepest = 64;
  auto text = files.read(path);
  if (!text) return std::nullopt;
  Source source(path, std::move(*text));
  try {
    bool too_deep = false;
    auto value = nlohmann::json::parse(
        source.text(), [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
          too_deep = too_deep || depth > deepest;
          return !too_deep;
        });
    if (!too_deep) return JsonFile{std::move(source), std::move(value)};
    diagnostics.error(Rule::bad_json, source, 0, 1, "the JSON nests too deeply");
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t offset = error.byte > 0 ? error.byte - 1 : 0;
    diagnostics.error(Rule::bad_json, source, offset, 1, "this is not valid JSON");
  }
  return std::nullopt;
}

Diagnostic& json_error(const JsonFile& file, std::string_view key, std::string message,
                       Diagnostics& diagnostics) {
  const auto at = file.source.text().find(in_quotes(key));
  const bool found = at != std::string_view::npos && !key.empty();
  return diagnostics.error(Rule::bad_json, file.source, found ? at + 1 : 0,
                           found ? key.size() : 1, std::move(message));
}

}  // namespace primer
