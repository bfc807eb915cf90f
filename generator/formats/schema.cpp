#include "generator/formats/schema.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <mutex>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "generator/base/pack.hpp"
#include "generator/formats/json_tree.hpp"
#include "generator/formats/schema_explanation.hpp"
#include "generator/formats/schema_forms.hpp"
#include "generator/formats/schema_texts.hpp"

namespace primer {
namespace {

using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

// valijson's form of a schema, without the forms of texts (schema_forms.hpp).
struct Compiled {
  valijson::Schema schema;

  explicit Compiled(const json& text) {
    const json plain = without_forms(text);
    valijson::SchemaParser().populateSchema(Adapter(plain), schema);
  }

  bool allows(const json& document) const {
    return valijson::Validator(valijson::Validator::kStrongTypes)
        .validate(schema, Adapter(document), nullptr);
  }
};

struct Loaded {
  std::once_flag once;  // what follows is made when the schema is first needed
  json text;
  std::unique_ptr<const Compiled> compiled;
  std::map<const json*, Compiled> choices;  // the parts of `text` that decide between others
};

struct Known {
  std::string_view text;
  std::unique_ptr<Loaded> loaded = std::make_unique<Loaded>();
};

const std::map<std::string, Known, std::less<>>& all() {
  static const auto known = [] {
    std::map<std::string, Known, std::less<>> made;
    for (const auto& [name, text] : schema_texts) made.emplace(name, Known{text});
    return made;
  }();
  return known;
}

const Loaded& loaded(std::string_view name) {
  const Known& known = all().find(name)->second;
  std::call_once(known.loaded->once, [&] {
    known.loaded->text = json::parse(known.text);
    known.loaded->compiled = std::make_unique<const Compiled>(known.loaded->text);
    for_each_choice(known.loaded->text, [&](const json& choice) {
      known.loaded->choices.try_emplace(&choice, choice);
    });
  });
  return *known.loaded;
}

bool valid(std::string_view name, const json& document) {
  const Loaded& schema = loaded(name);
  const auto fits = [&](const json& choice, const json& part) {
    return schema.choices.at(&choice).allows(part);
  };
  return schema.compiled->allows(document) && forms_hold(schema.text, document, fits);
}

// Whether the text has been found to conform, or `check` finds it now.
template <class Check>
bool was_or_is_valid(Cache* cache, std::string_view name, const Source& source,
                     const Check& check) {
  if (!cache) return check();
  Packer key;
  key.add(std::string_view("conforms to"));
  key.add(name);
  key.add(digest(source.text()));
  if (cache->find(Cache::Kind::checked, key.bytes)) return true;
  if (!check()) return false;
  cache->store(Cache::Kind::checked, key.bytes, "");
  return true;
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
  return node.text;
}

bool has_comment(const Yaml& node) {
  return node.comment > 0 || std::ranges::any_of(node.items, has_comment) ||
         std::ranges::any_of(node.entries,
                             [](const Yaml::Entry& entry) { return has_comment(entry.value); });
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

}  // namespace

std::vector<std::string> schema_names() {
  std::vector<std::string> names;
  for (const auto& [name, known] : all()) names.push_back(name);
  return names;
}

bool has_schema(std::string_view name) { return all().find(name) != all().end(); }

const json& schema(std::string_view name) { return loaded(name).text; }

std::string_view schema_text(std::string_view name) { return all().find(name)->second.text; }

bool conforms(std::string_view name, std::string_view what, const Yaml& document,
              const Source& source, Diagnostics& diagnostics, Cache* cache) {
  const auto check = [&] {
    return valid(name, to_json(document, schema(name))) &&
           !(has_comment(document) && loses_words(schema(name), document));
  };
  if (was_or_is_valid(cache, name, source, check)) return true;
  explain(schema(name), what, document, true, source, diagnostics);
  return false;
}

bool conforms(std::string_view name, std::string_view what, const JsonFile& file,
              Diagnostics& diagnostics, Cache* cache) {
  const auto check = [&] { return valid(name, file.value); };
  if (was_or_is_valid(cache, name, file.source, check)) return true;
  explain(schema(name), what, json_tree(file.source), false, file.source, diagnostics);
  return false;
}

}  // namespace primer
