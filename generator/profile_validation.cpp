#include "generator/profile_validation.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "generator/json_place.hpp"
#include "generator/spelling.hpp"
#include "generator/text.hpp"

namespace primer {
namespace {

using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

std::string name_of(const JsonPath& path) { return path.empty() ? "the profile" : to_text(path); }

bool is_index(std::string_view step) {
  return !step.empty() && step.size() < 8 && step.find_first_not_of("0123456789") == step.npos;
}

// The member or element; null when there is none.
const json* child(const json& value, const std::string& step) {
  if (value.is_array() && is_index(step)) {
    const auto index = static_cast<std::size_t>(std::stoul(step));
    return index < value.size() ? &value[index] : nullptr;
  }
  const auto found = value.is_object() ? value.find(step) : value.end();
  return found == value.end() ? nullptr : &*found;
}

const json* value_at(const json& whole, const JsonPath& path) {
  const json* at = &whole;
  for (const std::string& step : path)
    if (at = child(*at, step); at == nullptr) break;
  return at;
}

// One thing that the schema's validator found: where, and the required member that is not there.
struct Finding {
  JsonPath path;
  std::string missing;  // empty: the value itself is wrong
};

// "[results]" as the validator writes its contexts; the first says "<root>".
JsonPath path_of(const std::vector<std::string>& context) {
  JsonPath path;
  for (std::size_t i = 1; i < context.size(); ++i)
    path.push_back(context[i].substr(1, context[i].size() - 2));
  return path;
}

// The validator repeats each error for every value around it; only the innermost say something.
std::vector<Finding> findings(const json& schema_text, const json& document) {
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(Adapter(schema_text), schema);
  valijson::Validator validator;
  valijson::ValidationResults results;
  validator.validate(schema, Adapter(document), &results);
  std::vector<Finding> all;
  std::set<JsonPath> wrong;    // values that are wrong themselves
  std::set<JsonPath> parents;  // values with something wrong inside
  const std::string_view prefix = "Missing required property '";
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    Finding finding{path_of(error.context), {}};
    for (JsonPath up = finding.path; !up.empty();) {
      up.pop_back();
      parents.insert(up);
    }
    if (error.description.starts_with(prefix)) {
      const auto end = error.description.rfind('\'');
      finding.missing = error.description.substr(prefix.size(), end - prefix.size());
      parents.insert(finding.path);
    } else {
      wrong.insert(finding.path);
    }
    all.push_back(std::move(finding));
  }
  std::erase_if(all, [&](const Finding& f) {
    if (f.missing.empty()) return parents.contains(f.path);
    // What else a result needs depends on its status: with a wrong one nothing can be said.
    JsonPath status = f.path;
    status.push_back("status");
    return wrong.contains(status);
  });
  return all;
}

// The schema's entry for a place; null where it has none. A result's `then` is laid over it when its
// condition holds.
json schema_at(const json& schema, const json& document, const JsonPath& path) {
  json here = schema;
  const json* value = &document;
  for (const std::string& step : path) {
    json next;
    if (is_index(step) && here.contains("items")) {
      next = here["items"];
    } else {
      next = here.value("/properties"_json_pointer / step, json());
      if (next.is_null()) next = here.value("additionalProperties", json());
      const json condition = here.value("/if/properties/status/const"_json_pointer, json());
      const json* status = child(*value, "status");
      if (status != nullptr && !condition.is_null() && *status == condition)
        next.update(here.value("/then/properties"_json_pointer / step, json::object()));
    }
    here = next.is_object() ? std::move(next) : json::object();
    value = value == nullptr ? nullptr : child(*value, step);
    if (value == nullptr) break;
  }
  return here;
}

std::string one_of(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return out;
}

std::string with_article(const std::string& type) {
  if (type == "null") return type;
  return (std::string_view("aeiou").find(type[0]) == std::string_view::npos ? "a " : "an ") + type;
}

std::string short_number(const json& number) {
  const double value = number.get<double>();
  return value < 1e15 ? json(static_cast<long long>(value)).dump() : json(value).dump();
}

// "a number from 0 to 1e+18 or null": what the schema's entry allows.
std::string expected(const json& entry) {
  if (entry.contains("const")) return entry["const"].dump();
  if (entry.contains("enum")) {
    std::vector<std::string> words;
    for (const json& word : entry["enum"]) words.push_back(word.dump());
    return one_of(words);
  }
  std::vector<std::string> words;
  const json type = entry.value("type", json());
  for (const json& each : type.is_array() ? type : json::array({type})) {
    if (!each.is_string()) continue;
    std::string word = with_article(each.get<std::string>());
    const bool is_number = each == "number" || each == "integer";
    if (is_number && entry.contains("exclusiveMinimum")) {
      word += " above " + short_number(entry["exclusiveMinimum"]);
    } else if (is_number && entry.contains("minimum")) {
      word += " from " + short_number(entry["minimum"]);
      if (entry.contains("maximum")) word += " to " + short_number(entry["maximum"]);
    }
    if (each == "string" && entry.contains("minLength")) word += " that is not empty";
    if (each == "array" && entry.contains("maxItems"))
      word += " of at most " + entry["maxItems"].dump() + " entries";
    words.push_back(std::move(word));
  }
  return words.empty() ? "something else" : one_of(words);
}

std::string shown(const json& value) {
  if (value.is_object() || value.is_array()) return with_article(value.type_name());
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() <= 60 ? text : with_article(value.type_name());
}

class Validation {
 public:
  Validation(const Source& source, const json& document, Diagnostics& diagnostics)
      : source_(source), document_(document), diagnostics_(diagnostics) {}

  void report(const Finding& finding, const json& schema) {
    const json* value = value_at(document_, finding.path);
    const json entry = schema_at(schema, document_, finding.path);
    if (!finding.missing.empty()) return missing(finding, entry, value);
    const JsonPlace place = find_value(source_.text(), finding.path);
    std::vector<std::string> words;
    for (const json& word : entry.value("enum", json::array()))
      if (word.is_string()) words.push_back(word.get<std::string>());
    const bool is_text = value != nullptr && value->is_string();
    diagnostics_.error(Rule::bad_value, source_, place.offset, place.length,
                       name_of(finding.path) + " is " + (value ? shown(*value) : "missing") +
                           "; expected " + expected(entry),
                       is_text ? nearest(value->get<std::string>(), words) : "");
  }

  // An error at a member's value (or name) or, where the path leads nowhere, as near as possible.
  void at(Rule rule, const JsonPath& path, bool name, std::string message, std::string suggestion) {
    const JsonPlace place = find_value(source_.text(), path);
    diagnostics_.error(rule, source_, name ? place.key_offset : place.offset,
                       name ? place.key_length : place.length, std::move(message),
                       std::move(suggestion));
  }

 private:
  // A required member that is not there, at the member that looks like it when there is one.
  void missing(const Finding& finding, const json& entry, const json* value) {
    const json known = entry.value("properties", json::object());
    std::vector<std::string> strangers;
    if (value != nullptr && value->is_object())
      for (const auto& [name, unused] : value->items())
        if (!known.contains(name)) strangers.push_back(name);
    const std::string stranger = nearest(finding.missing, strangers);
    JsonPath path = finding.path;
    if (!stranger.empty()) path.push_back(stranger);
    at(Rule::missing_key, path, true,
       name_of(finding.path) + " has no member " + in_quotes(finding.missing),
       stranger.empty() ? "" : finding.missing);
  }

  const Source& source_;
  const json& document_;
  Diagnostics& diagnostics_;
};

// "results[12].params has …" → {"results", "12", "params"}: the reader's errors begin with a path.
JsonPath leading_path(std::string_view message) {
  JsonPath path;
  std::string step;
  for (const char c : message.substr(0, message.find(' '))) {
    if (c != '.' && c != '[' && c != ']') {
      step += c;
    } else if (!step.empty()) {
      path.push_back(std::exchange(step, ""));
    }
  }
  if (!step.empty()) path.push_back(step);
  return path;
}

// Kernels and parameters that the registry does not have: such a result matches no question, so it
// would be lost in silence.
void check_names(const json& document, const figures::Catalogue& catalogue, Validation& validation) {
  std::vector<std::string> ids;
  for (const auto& kernel : catalogue.all()) ids.push_back(kernel.id);
  const json* results = child(document, "results");
  for (std::size_t i = 0; results != nullptr && i < results->size(); ++i) {
    const json& result = (*results)[i];
    const JsonPath path{"results", std::to_string(i)};
    const auto below = [&](std::initializer_list<const char*> steps) {
      JsonPath longer = path;
      longer.insert(longer.end(), steps.begin(), steps.end());
      return longer;
    };
    const std::string id = result["kernel"];
    const std::string variant = result["params"].value("variant", "");
    const auto* kernel = catalogue.find(id, variant);
    if (kernel == nullptr) {
      const bool known = std::find(ids.begin(), ids.end(), id) != ids.end();
      validation.at(Rule::unknown_kernel, known ? below({"params", "variant"}) : below({"kernel"}),
                    false,
                    known ? id + " has no variant " + in_quotes(variant)
                          : "no kernel has the id " + in_quotes(id),
                    known ? "" : nearest(id, ids));
      continue;
    }
    std::vector<std::string> params{"variant"};
    for (const auto& param : kernel->params) params.push_back(param.name);
    for (const auto& [name, value] : result["params"].items()) {
      if (std::find(params.begin(), params.end(), name) != params.end()) continue;
      validation.at(Rule::unknown_key, below({"params", name.c_str()}), true,
                    id + " has no parameter " + in_quotes(name), nearest(name, params));
    }
  }
}

std::optional<json> parse(const Source& source, Diagnostics& diagnostics) {
  constexpr int deepest = 16;
  constexpr std::size_t largest = 4 << 20;
  if (source.text().size() > largest) {
    diagnostics.error(Rule::file_too_large, source.path(), "this profile is larger than 4 MiB");
    return std::nullopt;
  }
  try {
    bool too_deep = false;
    auto value = json::parse(source.text(), [&](int depth, json::parse_event_t, json&) {
      too_deep = too_deep || depth > deepest;
      return !too_deep;
    });
    if (!too_deep) return value;
    diagnostics.error(Rule::nesting_too_deep, source, 0, 1, "the profile nests more than 16 deep");
  } catch (const json::parse_error& error) {
    const std::size_t offset = error.byte > 0 ? error.byte - 1 : 0;
    diagnostics.error(Rule::bad_json, source, offset, 1, "this is not valid JSON");
  }
  return std::nullopt;
}

}  // namespace

std::optional<figures::Profile> validate_profile(const Source& source, const json& schema,
                                                 const figures::Catalogue& catalogue,
                                                 Diagnostics& diagnostics) {
  const auto document = parse(source, diagnostics);
  if (!document) return std::nullopt;
  Validation validation(source, *document, diagnostics);
  const auto found = findings(schema, *document);
  for (const Finding& finding : found) validation.report(finding, schema);
  if (!found.empty()) return std::nullopt;
  auto profile = figures::parse_profile(source.text());
  if (!profile) {
    const std::string& message = profile.error().message;
    validation.at(Rule::bad_value, leading_path(message), false, message, "");
    return std::nullopt;
  }
  Diagnostics names;
  Validation by_name(source, *document, names);
  check_names(*document, catalogue, by_name);
  const bool has_strangers = names.has_errors();
  diagnostics.append(std::move(names));
  if (has_strangers) return std::nullopt;
  return std::move(*profile);
}

}  // namespace primer
