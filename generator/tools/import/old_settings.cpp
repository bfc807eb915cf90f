#include "generator/tools/import/old_settings.hpp"

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>
#include <sstream>

#include "generator/core/base/text.hpp"
#include "generator/core/formats/yaml.hpp"

namespace primer {
namespace {

using nlohmann::json;

json json_of(const Yaml& yaml) {
  if (yaml.kind == Yaml::Kind::null) return nullptr;
  if (yaml.kind == Yaml::Kind::scalar) {
    if (yaml.plain && yaml.text == "true") return true;
    if (yaml.plain && yaml.text == "false") return false;
    return yaml.text;
  }
  json value = yaml.kind == Yaml::Kind::list ? json::array() : json::object();
  for (const auto& item : yaml.items) value.push_back(json_of(item));
  for (const auto& entry : yaml.entries) value[entry.key.text] = json_of(entry.value);
  return value;
}

json json_of(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    json value = json::object();
    for (const auto& [key, child] : *table) value[std::string(key.str())] = json_of(child);
    return value;
  }
  if (const auto* list = node.as_array()) {
    json value = json::array();
    for (const auto& child : *list) value.push_back(json_of(child));
    return value;
  }
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto flag = node.value_exact<bool>()) return *flag;
  if (const auto number = node.value_exact<std::int64_t>()) return *number;
  if (const auto number = node.value_exact<double>()) return *number;
  std::ostringstream text;  // dates
  node.visit([&](const auto& value) {
    if constexpr (toml::is_value<decltype(value)>) text << value;
  });
  return text.str();
}

// A text of which other tools read more than our strict YAML: only what is refused is lost.
std::optional<json> yaml_of(std::string_view text, const std::string& file, int line,
                            ImportReport& report) {
  const Source source(file, std::string(text));
  Diagnostics diagnostics;
  const auto yaml =
      parse_yaml(extract_lines(source, 1, std::max(source.line_count(), 1)), diagnostics);
  if (yaml) return json_of(*yaml);
  for (const auto& one : diagnostics.sorted())
    report.lost("YAML that cannot be read: " + one.message, file, line + one.line - 1);
  return std::nullopt;
}

std::optional<json> toml_of(std::string_view text, const std::string& file, int line,
                            ImportReport& report) {
  const auto parsed = toml::parse(text);
  if (parsed) return json_of(parsed.table());
  report.lost("TOML that cannot be read: " + std::string(parsed.error().description()), file,
              line + static_cast<int>(parsed.error().source().begin.line) - 1);
  return std::nullopt;
}

std::string scalar_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() || value.is_boolean() ? value.dump() : "";
}

// JSON front matter ends where its first brace is closed.
std::size_t json_end(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted && c == '\\') ++at;
    else if (c == '"') quoted = !quoted;
    else if (!quoted && c == '{') ++depth;
    else if (!quoted && c == '}' && --depth == 0) return at + 1;
  }
  return 0;
}

}  // namespace

std::optional<json> read_settings(std::string_view text, const std::string& file,
                                  ImportReport& report) {
  if (file.ends_with(".toml")) return toml_of(text, file, 1, report);
  if (file.ends_with(".json")) {
    json value = json::parse(text, nullptr, false);
    return value.is_discarded() ? std::nullopt : std::optional(std::move(value));
  }
  return yaml_of(text, file, 1, report);
}

json value_at(const json& settings, std::string_view path) {
  const json* at = &settings;
  for (const auto key : split(path, '.')) {
    if (!at->is_object() || !at->contains(std::string(key))) return nullptr;
    at = &at->at(std::string(key));
  }
  return *at;
}

std::string text_at(const json& settings, std::string_view path) {
  return std::string(trim(scalar_text(value_at(settings, path))));
}

std::vector<std::string> texts_at(const json& settings, std::string_view path) {
  const json value = value_at(settings, path);
  std::vector<std::string> texts;
  const auto add = [&](const json& one) {
    std::string text = scalar_text(one);
    if (one.is_object()) text = scalar_text(one.value("name", json()));
    if (!text.empty()) texts.push_back(std::move(text));
  };
  if (value.is_array()) {
    for (const auto& one : value) add(one);
  } else {
    add(value);
  }
  return texts;
}

OldFrontMatter old_front_matter(std::string_view text, const std::string& file,
                                ImportReport& report) {
  OldFrontMatter front;
  const std::string_view fence = text.substr(0, 3);
  if (text.starts_with("{\n")) {
    front.end = json_end(text);
    json keys = json::parse(text.substr(0, front.end), nullptr, false);
    if (!keys.is_object()) return {};
    front.keys = std::move(keys);
    return front;
  }
  const auto begin = text.find('\n');
  if ((fence != "---" && fence != "+++") || begin == text.npos ||
      trim(text.substr(0, begin)) != fence)
    return front;
  for (std::size_t at = begin + 1; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with(fence) ? trim(line) == fence : fence == "---" && trim(line) == "...") {
      const auto inner = text.substr(begin + 1, at - begin - 1);
      const auto keys =
          fence == "---" ? yaml_of(inner, file, 2, report) : toml_of(inner, file, 2, report);
      if (keys && keys->is_object()) front.keys = *keys;
      else if (keys && !keys->is_null()) return {};  // a rule, and text
      front.end = std::min(end + 1, text.size());
      return front;
    }
    at = end + 1;
  }
  return front;
}

}  // namespace primer
