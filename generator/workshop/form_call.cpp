#include "generator/workshop/form_call.hpp"

#include "generator/forms/block_form.hpp"

namespace primer {
namespace {

using Json = nlohmann::json;

const char* name_of(SchemaField::Kind kind) {
  switch (kind) {
    case SchemaField::Kind::text: return "text";
    case SchemaField::Kind::texts: return "texts";
    case SchemaField::Kind::flag: return "flag";
    case SchemaField::Kind::number: return "number";
    case SchemaField::Kind::choice: return "choice";
    default: return "elsewhere";
  }
}

Json as_json(const SchemaField& field) {
  return {{"name", field.name},
          {"help", field.help},
          {"kind", name_of(field.kind)},
          {"required", field.required},
          {"options", field.options}};
}

Json as_json(const BlockForm& form) {
  Json fields = Json::array();
  for (const auto& [schema, lines, value] : form.fields) {
    Json field = as_json(schema);
    field.update({{"value", value}, {"line", lines.first}, {"end", lines.end}});
    fields.push_back(std::move(field));
  }
  return {{"kind", form.kind},
          {"line", form.lines.first},
          {"end", form.lines.end},
          {"fields", std::move(fields)}};
}

}  // namespace

Json form_at(const std::string& text, int line) {
  Diagnostics diagnostics;
  const auto form = block_form(Source("", text), line, diagnostics);
  return {{"form", form ? as_json(*form) : Json()},
          {"diagnostics", Json::parse(to_text(diagnostics, Format::json))}};
}

Json edit_of(const std::string& text, int line, const std::string& name,
             const std::vector<std::string>& value) {
  const auto edit = with_field(Source("", text), line, name, value);
  if (!edit) return {{"line", nullptr}};
  return {{"line", edit->replaced.first}, {"end", edit->replaced.end}, {"lines", edit->lines}};
}

}  // namespace primer
