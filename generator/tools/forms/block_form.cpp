#include "generator/tools/forms/block_form.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "generator/core/base/text.hpp"
#include "generator/core/formats/schema.hpp"
#include "generator/core/load/front_matter.hpp"
#include "generator/core/markdown/anchor_kind.hpp"
#include "generator/core/markdown/markdown.hpp"
#include "generator/tools/forms/yaml_member.hpp"

namespace primer {
namespace {

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
