#include "generator/tools/forms/block_form.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "generator/core/base/text.hpp"
#include "generator/core/formats/schema.hpp"
#include "generator/core/load/front_matter.hpp"
#include "generator/core/markdown/anchor_kind.hpp"
#include "generator/core/markdown/markdown.hpp"

namespace primer {
namespace {

using nlohmann::json;

SchemaField::Kind kind_of(const json& member) {
  using Kind = SchemaField::Kind;
  if (member.contains("enum")) return Kind::choice;
  const json type = member.value("type", json());
  if (type == "string") return Kind::text;
  if (type == "boolean") return Kind::flag;
  if (type == "integer" || type == "number") return Kind::number;
  const auto items = member.find("items");
  const bool texts = type == "array" && items != member.end() && kind_of(*items) == Kind::text;
  return texts ? Kind::texts : Kind::elsewhere;
}

SchemaField field_of(const std::string& name, const json& member, bool required) {
  SchemaField field{name, member.value("description", ""), kind_of(member), required, {}};
  if (field.help.empty() && field.kind == SchemaField::Kind::texts)
    field.help = member["items"].value("description", "");
  if (field.kind == SchemaField::Kind::choice)
    field.options = member["enum"].get<std::vector<std::string>>();
  return field;
}

// Merges the variants of an object into one schema.
json merged(const json& forms) {
  json all = {{"properties", json::object()}, {"required", forms.front().at("required")}};
  for (const auto& form : forms) {
    for (const auto& [name, member] : form.at("properties").items()) {
      json& known = all["properties"].emplace(name, member).first.value();
      if (member.contains("const")) known["enum"].push_back(member["const"]);
    }
    const json& required = form.at("required");
    std::erase_if(all["required"].get_ref<json::array_t&>(), [&](const json& name) {
      return std::find(required.begin(), required.end(), name) == required.end();
    });
  }
  return all;
}

}  // namespace

std::vector<SchemaField> schema_fields(const json& schema) {
  if (schema.contains("oneOf")) return schema_fields(merged(schema["oneOf"]));
  std::vector<SchemaField> fields;
  const json members = schema.value("properties", json::object());
  const json required = schema.value("required", json::array());
  for (const auto& name : required) {
    const auto member = members.find(name.get<std::string>());
    if (member != members.end()) fields.push_back(field_of(member.key(), *member, true));
  }
  for (const auto& [name, member] : members.items()) {
    if (std::ranges::find(fields, name, &SchemaField::name) == fields.end())
      fields.push_back(field_of(name, member, false));
  }
  return fields;
}

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

// Lines of a member of a YAML map in the book's style: plain if YAML reads that as the text, folded
// if it is long, otherwise quoted.
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

// Whether there is a comment between the start of a value and `end`. Writing the value again would
// lose it.
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

using Kind = SchemaField::Kind;

std::string schema_of(std::string_view info) { return "block-" + std::string(trim(info)); }

// A block of the parsed text.
struct Found {
  Node block;
  Lines body;
  Extract text;        // the body of the block
  std::string prefix;  // prefix of its lines inside a quote or a list
};

const Node* block_at(const Node& node, const Source& source, int line) {
  for (const auto& child : node.children) {
    if (const Node* found = block_at(child, source, line)) return found;
  }
  if (node.kind != NodeKind::code_block || !node.closed || node.fence == 0) return nullptr;
  const int first = source.line_at(node.offset);
  const int last = first + 1 + static_cast<int>(std::ranges::count(node.text, '\n'));
  return has_schema(schema_of(node.info)) && line >= first && line <= last ? &node : nullptr;
}

std::optional<Found> find_block(const Source& source, int line) {
  Diagnostics reported_by_make;
  const auto front = parse_front_matter(source, reported_by_make);
  const auto tree =
      parse_markdown(extract_lines(source, front.body_line, source.line_count()), reported_by_make);
  const Node* block = tree ? block_at(*tree, source, line) : nullptr;
  if (!block || !block->body) return std::nullopt;
  const int first = source.line_at(block->offset) + 1;
  const int end = first + static_cast<int>(std::ranges::count(block->text, '\n'));
  const std::string_view opening = source.line(first - 1);
  const std::size_t fence = opening.find_first_of("`~");
  return Found{*block, {first, end}, *block->body, std::string(opening.substr(0, fence))};
}

// The lines of a member, without blank lines and comments above the next one.
Lines lines_of(const Source& source, const Yaml& map, std::size_t entry, const Found& found) {
  const int first = source.line_at(map.entries[entry].key.offset);
  int end = found.body.end;
  if (entry + 1 < map.entries.size()) end = source.line_at(map.entries[entry + 1].key.offset);
  const auto is_between = [&](int line) {
    std::string_view text = source.line(line);
    if (text.starts_with(found.prefix)) text.remove_prefix(found.prefix.size());
    return trim(text).empty() || text.starts_with('#');
  };
  while (end > first + 1 && is_between(end - 1)) --end;
  return {first, end};
}

bool begins_line(const Source& source, const Yaml& key, const Found& found) {
  const std::size_t start = source.line_start(source.line_at(key.offset));
  return key.offset == start + found.prefix.size();
}

bool is_one_of(const Yaml& value, Kind kind) {
  if (kind == Kind::elsewhere) return false;
  if (kind != Kind::texts) return value.kind == Yaml::Kind::scalar;
  return value.kind == Yaml::Kind::list && std::ranges::all_of(value.items, [](const auto& one) {
           return one.kind == Yaml::Kind::scalar;
         });
}

void fill(FormField& field, const Source& source, const Yaml& map, std::size_t entry,
          const Found& found) {
  const auto& [key, value] = map.entries[entry];
  field.lines = lines_of(source, map, entry, found);
  const std::size_t end = source.line_start(field.lines.end);
  const bool alone = begins_line(source, key, found) && field.lines.end > field.lines.first;
  if (!alone || !is_one_of(value, field.schema.kind) || has_comment(value, source, end)) {
    field.schema.kind = Kind::elsewhere;
    return;
  }
  if (value.kind == Yaml::Kind::scalar) field.value = {value.text};
  for (const auto& item : value.items) field.value.push_back(item.text);
}

std::optional<BlockForm> form_of(const Found& found, const Source& source,
                                 Diagnostics& diagnostics) {
  const auto map = parse_yaml(found.text, diagnostics);
  if (!map || map->kind == Yaml::Kind::scalar || map->kind == Yaml::Kind::list) return std::nullopt;
  BlockForm form{
      std::string(trim(found.block.info)), {found.body.first - 1, found.body.end + 1}, {}};
  for (auto& field : schema_fields(schema(schema_of(form.kind))))
    form.fields.push_back({field, {}, {}});
  for (std::size_t i = 0; i < map->entries.size(); ++i) {
    const std::string& name = map->entries[i].key.text;
    auto field =
        std::ranges::find(form.fields, name, [](const auto& one) { return one.schema.name; });
    if (field == form.fields.end()) {
      SchemaField unknown;
      unknown.name = name;
      field = form.fields.insert(field, {unknown, {}, {}});
    }
    fill(*field, source, *map, i, found);
  }
  return form;
}

}  // namespace

std::vector<std::string> block_form_names() {
  auto names = own_block_names();
  std::erase_if(names, [](const auto& name) { return !has_schema(schema_of(name)); });
  return names;
}

std::optional<BlockForm> block_form(const Source& source, int line, Diagnostics& diagnostics) {
  const auto found = find_block(source, line);
  return found ? form_of(*found, source, diagnostics) : std::nullopt;
}

std::optional<LineEdit> with_field(const Source& source, int line, const std::string& name,
                                   const std::vector<std::string>& value) {
  Diagnostics reported_by_form;
  const auto found = find_block(source, line);
  const auto form = found ? form_of(*found, source, reported_by_form) : std::nullopt;
  if (!form) return std::nullopt;
  const auto field =
      std::ranges::find(form->fields, name, [](const auto& one) { return one.schema.name; });
  if (field == form->fields.end() || field->schema.kind == Kind::elsewhere) return std::nullopt;
  LineEdit edit{field->lines, {}};
  if (field->lines.first == 0) edit.replaced = {found->body.end, found->body.end};
  if (value.empty()) return edit;
  edit.lines = field->schema.kind == Kind::texts ? yaml_member(name, value)
                                                 : yaml_member(name, value.front());
  for (auto& one : edit.lines) {
    one.insert(0, found->prefix);
    if (trim(one).size() < one.size()) one.erase(one.find_last_not_of(' ') + 1);
  }
  return edit;
}

}  // namespace primer
