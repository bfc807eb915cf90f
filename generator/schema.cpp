#include "generator/schema.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <mutex>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "generator/json_tree.hpp"
#include "generator/schema_explanation.hpp"
#include "generator/schema_texts.hpp"

namespace primer {
namespace {

using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

// Longer texts are cut before they are held against a pattern: std::regex, which valijson uses,
// goes one call deeper for each character. No text with a pattern is nearly as long.
constexpr std::size_t longest_text = 1000;

struct Loaded {
  json text;
  valijson::Schema compiled;
  std::mutex one_at_a_time;  // a validator keeps its regular expressions
  valijson::Validator validator{valijson::Validator::kStrongTypes};
};

const std::map<std::string, std::unique_ptr<Loaded>, std::less<>>& all() {
  static const auto loaded = [] {
    std::map<std::string, std::unique_ptr<Loaded>, std::less<>> made;
    for (const auto& [name, text] : schema_texts) {
      auto one = std::make_unique<Loaded>();
      one->text = json::parse(text);
      valijson::SchemaParser().populateSchema(Adapter(one->text), one->compiled);
      made.emplace(name, std::move(one));
    }
    return made;
  }();
  return loaded;
}

bool valid(std::string_view name, const json& document) {
  Loaded& loaded = *all().find(name)->second;
  const std::lock_guard lock(loaded.one_at_a_time);
  return loaded.validator.validate(loaded.compiled, Adapter(document), nullptr);
}

bool allows(const json& schema, std::string_view type) {
  const auto found = schema.find("type");
  if (found == schema.end()) return false;
  if (found->is_string()) return *found == type;
  return std::find(found->begin(), found->end(), type) != found->end();
}

// YAML has no types but those that the schema expects: "2024" is a text where a text belongs.
json scalar(const Yaml& node, const json& schema) {
  if (node.plain && allows(schema, "boolean") && (node.text == "true" || node.text == "false")) {
    return node.text == "true";
  }
  const char* end = node.text.data() + node.text.size();
  long long whole = 0;
  const auto [stop, failure] = std::from_chars(node.text.data(), end, whole);
  const bool number = allows(schema, "integer") || allows(schema, "number");
  if (node.plain && number && failure == std::errc() && stop == end) return whole;
  return node.text.substr(0, longest_text);
}

json to_json(const Yaml& node, const json& schema) {
  switch (node.kind) {
    case Yaml::Kind::null: return nullptr;
    case Yaml::Kind::scalar: return scalar(node, schema);
    case Yaml::Kind::list: {
      json list = json::array();
      for (const auto& item : node.items) list.push_back(to_json(item, item_schema(schema, item)));
      return list;
    }
    case Yaml::Kind::map: break;
  }
  json map = json::object();
  for (const auto& [key, value] : node.entries) {
    map[key.text] = to_json(value, member_schema(schema, key.text, value));
  }
  return map;
}

void cut_texts(json& value) {
  if (value.is_structured()) {
    for (auto& inside : value) cut_texts(inside);
  } else if (auto* text = value.get_ptr<json::string_t*>(); text && text->size() > longest_text) {
    text->resize(longest_text);
  }
}

}  // namespace

std::vector<std::string> schema_names() {
  std::vector<std::string> names;
  for (const auto& [name, loaded] : all()) names.push_back(name);
  return names;
}

bool has_schema(std::string_view name) { return all().find(name) != all().end(); }

const json& schema(std::string_view name) { return all().find(name)->second->text; }

bool conforms(std::string_view name, std::string_view what, const Yaml& document,
              const Source& source, Diagnostics& diagnostics) {
  if (valid(name, to_json(document, schema(name)))) return true;
  explain(schema(name), what, document, true, source, diagnostics);
  return false;
}

bool conforms(std::string_view name, std::string_view what, const JsonFile& file,
              Diagnostics& diagnostics) {
  json document = file.value;
  cut_texts(document);
  if (valid(name, document)) return true;
  explain(schema(name), what, json_tree(file.source), false, file.source, diagnostics);
  return false;
}

}  // namespace primer
