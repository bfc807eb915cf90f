#include "generator/formats/schema_forms.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "generator/base/blank.hpp"
#include "generator/formats/text_pattern.hpp"

namespace primer {
namespace {

using nlohmann::json;

// Members of a schema that are schemas, that hold schemas by name, and that list schemas.
constexpr const char* single[] = {
    "items", "additionalProperties", "propertyNames", "not", "if", "then", "else"};
constexpr const char* listed[] = {"oneOf", "anyOf"};

// Each schema that stands directly in another one.
template <class Json, class Call>
void for_each_inside(Json& schema, const Call& call) {
  if (!schema.is_object()) return;
  for (const char* name : single) {
    if (const auto found = schema.find(name); found != schema.end()) call(*found);
  }
  for (const char* name : listed) {
    const auto found = schema.find(name);
    if (found == schema.end()) continue;
    for (auto& one : *found) call(one);
  }
  if (const auto found = schema.find("properties"); found != schema.end()) {
    for (auto& member : *found) call(member);
  }
}

void take_forms_out(json& schema) {
  if (schema.is_object()) schema.erase("pattern");
  for_each_inside(schema, take_forms_out);
}

// The schema of a member of an object.
const json* member_schema(const json& schema, const std::string& name) {
  const auto properties = schema.find("properties");
  if (properties != schema.end()) {
    const auto member = properties->find(name);
    if (member != properties->end()) return &*member;
  }
  const auto others = schema.find("additionalProperties");
  return others == schema.end() ? nullptr : &*others;
}

class Forms {
 public:
  explicit Forms(const Fits& fits) : fits_(fits) {}

  bool hold(const json& schema, const json& document) const {
    if (!schema.is_object()) return true;
    if (const auto* text = document.get_ptr<const json::string_t*>()) {
      if (schema.value("minLength", 0) > 0 && is_blank(*text)) return false;
      const auto pattern = schema.find("pattern");
      if (pattern != schema.end() && !has_form(pattern->get_ref<const std::string&>(), *text))
        return false;
    }
    return inside(schema, document) && choices(schema, document);
  }

 private:
  bool inside(const json& schema, const json& document) const {
    if (document.is_array()) {
      const auto items = schema.find("items");
      return items == schema.end() ||
             std::ranges::all_of(document, [&](const json& item) { return hold(*items, item); });
    }
    if (!document.is_object()) return true;
    const auto names = schema.find("propertyNames");
    for (const auto& [name, value] : document.items()) {
      if (names != schema.end() && !hold(*names, json(name))) return false;
      const json* member = member_schema(schema, name);
      if (member && !hold(*member, value)) return false;
    }
    return true;
  }

  bool choices(const json& schema, const json& document) const {
    const auto one_fits = [&](const json& one) {
      return fits_(one, document) && hold(one, document);
    };
    for (const char* name : listed) {
      const auto found = schema.find(name);
      if (found != schema.end() && !std::ranges::any_of(*found, one_fits)) return false;
    }
    const auto condition = schema.find("if");
    if (condition == schema.end()) return true;
    const auto branch = schema.find(one_fits(*condition) ? "then" : "else");
    return branch == schema.end() || hold(*branch, document);
  }

  const Fits& fits_;
};

}  // namespace

bool has_form(const std::string& pattern, std::string_view text) {
  static std::mutex mutex;
  static std::map<std::string, figures::Result<TextPattern>> known;
  if (text.size() > longest_form) return false;
  const TextPattern* parsed = nullptr;
  {
    const std::lock_guard lock(mutex);
    auto found = known.find(pattern);
    if (found == known.end()) found = known.emplace(pattern, TextPattern::parse(pattern)).first;
    if (found->second) parsed = &*found->second;
  }
  return parsed && parsed->found_in(text);
}

json without_forms(const json& schema) {
  json plain = schema;
  take_forms_out(plain);
  return plain;
}

bool forms_hold(const json& schema, const json& document, const Fits& fits) {
  return Forms(fits).hold(schema, document);
}

void for_each_choice(const json& schema, const std::function<void(const json&)>& call) {
  if (!schema.is_object()) return;
  for (const char* name : listed) {
    const auto found = schema.find(name);
    if (found == schema.end()) continue;
    for (const auto& one : *found) call(one);
  }
  if (const auto condition = schema.find("if"); condition != schema.end()) call(*condition);
  for_each_inside(schema, [&](const json& one) { for_each_choice(one, call); });
}

}  // namespace primer
