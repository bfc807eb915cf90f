#include "generator/tools/forms/schema_fields.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

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

}  // namespace primer
