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

Json as_json(const BlockForm& form) {
  Json fields = Json::array();
  for (const auto& field : form.fields) fields.push_back(as_json(field));
  return {{"kind", form.kind},
          {"line", form.lines.first},
          {"end", form.lines.end},
          {"fields", std::move(fields)}};
}

}  // namespace

Json as_json(const FormField& field) {
  return {{"name", field.schema.name},          {"help", field.schema.help},
          {"kind", name_of(field.schema.kind)}, {"required", field.schema.required},
          {"options", field.schema.options},    {"value", field.value},
          {"line", field.lines.first},          {"end", field.lines.end}};
}

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
