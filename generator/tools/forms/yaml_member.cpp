#include "generator/tools/forms/yaml_member.hpp"

#include <nlohmann/json.hpp>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

constexpr std::size_t longest_line = 100;

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + '\n';
  return text;
}

// Whether YAML reads these lines as the text.
bool reads_as(const std::vector<std::string>& lines, const std::string& text) {
  const Source source("", joined(lines));
  Diagnostics tried_only;
  const auto read =
      parse_yaml(extract_lines(source, 1, static_cast<int>(lines.size())), tried_only);
  if (!read) return false;
  const Yaml* value = nullptr;
  if (read->entries.size() == 1) value = &read->entries.front().value;
  if (read->items.size() == 1) value = &read->items.front();
  return value && value->kind == Yaml::Kind::scalar && value->text == text;
}

// Wraps words into lines with an indent.
std::vector<std::string> wrapped(std::string_view text, const std::string& indent) {
  std::vector<std::string> lines;
  for (const auto paragraph : split(text, '\n')) {
    if (!lines.empty()) lines.emplace_back();
    std::string line;
    for (const auto word : split(paragraph, ' ')) {
      if (!line.empty() && line.size() + 1 + word.size() > longest_line) {
        lines.push_back(line);
        line.clear();
      }
      line += (line.empty() ? indent : " ") + std::string(word);
    }
    lines.push_back(line);
  }
  return lines;
}

// `front` is "name:" or "  -".
std::vector<std::string> written(const std::string& front, const std::string& text) {
  const std::string indent(front.find_first_not_of(' ') + 2, ' ');
  std::vector<std::string> plain{front + ' ' + text};
  const bool fits = plain[0].size() <= longest_line && text.find('\n') == text.npos;
  if (fits && reads_as(plain, text)) return plain;
  const std::string quoted =
      front + ' ' +
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (fits && quoted.size() <= longest_line) return {quoted};
  std::vector<std::string> folded = wrapped(text, indent);
  folded.insert(folded.begin(), front + " >-");
  return reads_as(folded, text) ? folded : std::vector<std::string>{quoted};
}

}  // namespace

std::vector<std::string> yaml_member(const std::string& name, const std::string& text) {
  return written(name + ':', text);
}

std::vector<std::string> yaml_member(const std::string& name,
                                     const std::vector<std::string>& texts) {
  std::vector<std::string> lines{name + ':'};
  for (const auto& text : texts) {
    for (auto& line : written("  -", text)) lines.push_back(std::move(line));
  }
  return lines;
}

bool has_comment(const Yaml& value, const Source& source, std::size_t end) {
  if (value.kind == Yaml::Kind::list && !value.items.empty()) {
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const bool last = i + 1 == value.items.size();
      if (has_comment(value.items[i], source, last ? end : value.items[i + 1].offset)) return true;
    }
    return false;
  }
  std::string_view text = source.text().substr(value.offset, end - value.offset);
  if (text.starts_with('>') || text.starts_with('|')) {
    text = text.substr(0, text.find('\n'));
  } else if (text.starts_with('"') || text.starts_with('\'')) {
    text.remove_prefix(text.rfind(text.front()));
  }
  return text.find(" #") != text.npos || text.find("\n#") != text.npos;
}

}  // namespace primer
