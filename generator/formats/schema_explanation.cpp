#include "generator/formats/schema_explanation.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "generator/base/blank.hpp"
#include "generator/base/real_number.hpp"
#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/formats/schema_forms.hpp"

namespace primer {
namespace {

using nlohmann::json;

const json& nothing() {
  static const json empty = json::object();
  return empty;
}

const json& items_of(const json& schema) {
  const auto items = schema.find("items");
  if (items != schema.end()) return *items;
  // Of a value that is one text or a list of them.
  const auto some = schema.find("anyOf");
  for (const auto& one : some == schema.end() ? nothing() : *some)
    if (one.contains("items")) return one.at("items");
  return nothing();
}

const json& member_of(const json& schema, std::string_view key) {
  const auto properties = schema.find("properties");
  if (properties != schema.end()) {
    const auto member = properties->find(std::string(key));
    if (member != properties->end()) return *member;
  }
  const auto additional = schema.find("additionalProperties");
  return additional != schema.end() && additional->is_object() ? *additional : nothing();
}

std::vector<std::string> types_of(const json& schema) {
  const auto type = schema.find("type");
  if (type == schema.end()) return {};
  if (type->is_string()) return {type->get<std::string>()};
  return type->get<std::vector<std::string>>();
}

std::optional<double> number_in(const Yaml& node) {
  double value = 0;
  const char* end = node.text.data() + node.text.size();
  const auto [stop, failure] = read_real(node.text.data(), end, value);
  if (!node.plain || failure != std::errc() || stop != end) return std::nullopt;
  return value;
}

bool is_number(const Yaml& node, bool whole) {
  return number_in(node) && (!whole || node.text.find_first_of(".eE") == node.text.npos);
}

// In YAML every scalar is also a text. In JSON a text has its quotation marks, and only a text.
bool has_type(const Yaml& node, std::string_view type, bool yaml) {
  if (type == "object") return node.kind == Yaml::Kind::map;
  if (type == "array") return node.kind == Yaml::Kind::list;
  if (type == "null") return node.kind == Yaml::Kind::null;
  if (node.kind != Yaml::Kind::scalar) return false;
  if (type == "string") return yaml || !node.plain;
  if (type == "boolean") return node.plain && (node.text == "true" || node.text == "false");
  return is_number(node, type == "integer");
}

std::string name_of_type(std::string_view type) {
  if (type == "object") return "a map of keys and values";
  if (type == "array") return "a list";
  if (type == "boolean") return "true or false";
  if (type == "integer") return "a whole number";
  if (type == "number") return "a number";
  return type == "null" ? "null" : "text";
}

// The forms that the schemas ask for, in words.
struct Form {
  std::string_view pattern;
  Rule rule;
  std::string_view words;
};
constexpr Form forms[] = {
    {"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", Rule::bad_id,
     "is not an id: lower-case letters, digits and single hyphens, beginning with a letter"},
    {"^[a-z][a-z0-9]*([.-][a-z0-9]+)*$", Rule::bad_id,
     "is not an id: lower-case letters, digits, single hyphens and dots, beginning with a letter"},
    {"^https?://", Rule::bad_value, "must be an https:// address"},
    {"^20[0-9]{2}-[0-9]{2}$", Rule::bad_value, "must be a month such as 2026-11"},
    {"^20[0-9]{2}-[0-9]{2}-[0-9]{2}$", Rule::bad_value, "must be a day such as 2026-11-21"},
    {"^[^#]+(#[a-z0-9-]+)?$", Rule::bad_value, "must be a file, or file#region"},
};

// The beginning of a long text, of whole characters.
std::string excerpt(std::string_view text) {
  std::size_t end = std::min<std::size_t>(text.size(), 60);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  return std::string(text.substr(0, end));
}

// An id made of what was written: "Fig One" → "fig-one"; empty when that is none.
std::string as_id(std::string_view text) {
  std::string id;
  for (const char c : text.substr(0, 100)) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (letter) id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!letter && !id.empty() && id.back() != '-') id += '-';
  }
  while (id.ends_with('-')) id.pop_back();
  return is_identifier(id) ? id : "";
}

// Text in quotation marks, for YAML.
std::string in_yaml_quotes(std::string_view text) {
  if (text.find_first_of("\"\\") == text.npos) return in_quotes(text);
  return '\'' + replace_all(std::string(text), "'", "''") + '\'';
}

// Whether a value is the author's words, not a number, a keyword or a name of a certain form.
bool is_words(const json& schema) {
  for (const char* name : {"oneOf", "anyOf"}) {
    const auto some = schema.find(name);
    if (some != schema.end() && std::any_of(some->begin(), some->end(), is_words)) return true;
  }
  const auto types = types_of(schema);
  const bool has_form =
      schema.contains("pattern") || schema.contains("enum") || schema.contains("const");
  return !has_form && std::find(types.begin(), types.end(), "string") != types.end();
}

// The source of errors that are only counted: to find a place in a file of one long line is to read the line.
const Source& nowhere() {
  static const Source source("", "");
  return source;
}

class Explainer {
 public:
  Explainer(const Source& source, bool yaml, Diagnostics& diagnostics)
      : source_(source), yaml_(yaml), diagnostics_(diagnostics) {}

  // `what` is how messages call the node: "figure block", "\"title\"".
  void explain(const json& alternatives, const std::string& what, const Yaml& node) {
    const bool one_of = alternatives.contains("oneOf");
    const json schema = one_of ? chosen(alternatives.at("oneOf"), node) : alternatives;
    if (!type_fits(schema, what, node)) return;
    if (node.kind == Yaml::Kind::map) {
      map(schema, what, node, one_of ? others(alternatives.at("oneOf"), schema) : "");
    }
    if (node.kind == Yaml::Kind::list) list(schema, what, node);
    if (node.kind == Yaml::Kind::scalar) {
      scalar(schema, what, node);
    } else if (schema.contains("enum") || schema.contains("const")) {
      choice(schema, what, node);
    }
    if (node.comment > 0 && is_words(schema)) comment(what, node);
    if (schema.contains("anyOf")) any_of(schema, what, node);
    if (schema.contains("if") && can_decide(schema, node)) {
      Diagnostics unmet;
      Explainer(nowhere(), yaml_, unmet).explain(schema.at("if"), what, node);
      const char* branch = unmet.empty() ? "then" : "else";
      if (schema.contains(branch)) explain(with_keys_of(schema, schema.at(branch)), what, node);
    }
  }

  // The alternative with the fewest errors; the first of several.
  const json& best(const json& alternatives, const Yaml& node) const {
    const json* found = &nothing();
    std::vector<const json*> of_its_type;
    for (const auto& one : alternatives) {
      if (fits_type(one, node)) of_its_type.push_back(&one);
    }
    if (of_its_type.size() == 1) return *of_its_type.front();
    std::size_t fewest = 0;
    for (const auto& one : alternatives) {
      Diagnostics errors;
      Explainer(nowhere(), yaml_, errors).explain(one, "", node);
      // A wrong constant decides between alternatives more than anything that is missing.
      std::size_t weight = fits_type(one, node) ? 0 : 1000;
      for (const auto& d : errors.sorted()) weight += d.rule == Rule::missing_key ? 2 : 4;
      // What is there already says which one was meant.
      if (weight > 0 && !holds_any(one, node)) weight += 1;
      if (found == &nothing() || weight < fewest) {
        found = &one;
        fewest = weight;
      }
    }
    return *found;
  }

 private:
  static std::vector<std::string> required_by(const json& schema) {
    return schema.value("required", std::vector<std::string>());
  }

  static bool holds_any(const json& schema, const Yaml& node) {
    const auto keys = required_by(schema);
    return std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return node.find(key); });
  }

  // Nothing follows from a value that is wrong itself.
  bool can_decide(const json& schema, const Yaml& node) const {
    const json deciding = schema.at("if").value("properties", json::object());
    for (const auto& [key, member] : deciding.items()) {
      const Yaml* value = node.find(key);
      Diagnostics wrong;
      if (value) Explainer(nowhere(), yaml_, wrong).explain(member_of(schema, key), key, *value);
      if (!wrong.empty()) return false;
    }
    return true;
  }

  // A part of a schema, to which the whole schema's keys are not unknown.
  static json with_keys_of(const json& whole, json part) {
    json& properties = part["properties"];
    const json known = whole.value("properties", json::object());
    for (const auto& [key, member] : known.items())
      if (!properties.contains(key)) properties[key] = json::object();
    return part;
  }

  // A key that no schema knows and that is nearly this one; null when there is none.
  static const Yaml* misspelt(const json& properties, const Yaml& node, const std::string& key) {
    const auto found =
        std::find_if(node.entries.begin(), node.entries.end(), [&](const auto& entry) {
          return !properties.contains(entry.key.text) && nearest(entry.key.text, {key}) == key;
        });
    return found == node.entries.end() ? nullptr : &found->key;
  }

  // The keys of the other alternatives: "\"choices\", or \"measured\" and \"unit\"".
  static std::string others(const json& alternatives, const json& chosen) {
    std::string all;
    for (const auto& one : alternatives) {
      std::vector<std::string> keys;
      for (const auto& key : required_by(one)) keys.push_back(in_quotes(key));
      if (keys.empty() || required_by(one) == required_by(chosen)) continue;
      all += (all.empty() ? "" : ", or ") + join(keys, " and ");
    }
    return all;
  }

  // Nothing when an alternative holds; else what the nearest one lacks, and which others there are.
  void any_of(const json& schema, const std::string& what, const Yaml& node) {
    const json& alternatives = schema.at("anyOf");
    json alternative = best(alternatives, node);
    if (!fits_type(alternative, node)) {
      json types;
      for (const auto& one : alternatives)
        for (const auto& type : types_of(one)) types["type"].push_back(type);
      type_fits(types, what, node);
      return;
    }
    if (node.kind != Yaml::Kind::map) return explain(alternative, what, node);
    alternative["properties"] = schema.value("properties", json::object());
    for (auto& [key, member] : alternative["properties"].items()) member = json::object();
    map(alternative, what, node, others(alternatives, alternative));
  }

  // The best alternative, whose constants may also be those of the others.
  json chosen(const json& alternatives, const Yaml& node) const {
    json schema = best(alternatives, node);
    if (!schema.contains("properties")) return schema;
    for (auto& [key, member] : schema.at("properties").items()) {
      if (!member.contains("const")) continue;
      auto choices = json::array();
      for (const auto& one : alternatives) {
        const auto path = json::json_pointer("/properties/" + key + "/const");
        if (one.contains(path)) choices.push_back(one.at(path));
      }
      member = {{"enum", choices}};
    }
    return schema;
  }

  void error(Rule rule, const Yaml& node, std::string message, std::string suggestion = {}) {
    diagnostics_.error(rule, source_, node.offset, node.length, std::move(message),
                       std::move(suggestion));
  }

  bool fits_type(const json& schema, const Yaml& node) const {
    const auto types = types_of(schema);
    const auto fits = [&](const std::string& type) { return has_type(node, type, yaml_); };
    return types.empty() || std::any_of(types.begin(), types.end(), fits);
  }

  bool type_fits(const json& schema, const std::string& what, const Yaml& node) {
    if (fits_type(schema, node)) return true;
    const auto types = types_of(schema);
    std::vector<std::string> names;
    for (const auto& type : types) names.push_back(name_of_type(type));
    const bool empty = node.kind == Yaml::Kind::null && yaml_;
    error(Rule::wrong_type, node,
          what + (empty ? " is empty; it must be " : " must be ") + join(names, " or "));
    if (empty) hint_of_keys(schema);
    if (empty && node.comment > 0)
      diagnostics_.hint(in_quotes(excerpt(comment_of(node))) +
                        " is a comment in YAML; put a text that begins with # in quotes");
    return false;
  }

  std::string_view comment_of(const Yaml& node) const {
    const std::string_view text = source_.text().substr(node.comment);
    return trim(text.substr(0, text.find('\n')));
  }

  // Once for each, though the schema and its `then` may both speak of it.
  void comment(const std::string& what, const Yaml& node) {
    if (&source_ == &nowhere() || !told_.insert(node.comment).second) return;
    const std::string_view lost = comment_of(node);
    diagnostics_.error(
        Rule::bad_yaml, source_, node.comment, lost.size(),
        in_quotes(excerpt(lost)) + " is a comment in YAML, so it is not part of " + what);
    const std::string_view line = source_.text().substr(node.offset);
    const bool is_one_line = node.comment - node.offset < line.find('\n');
    diagnostics_.hint((is_one_line
                           ? "write " + in_yaml_quotes(trim(line.substr(0, line.find('\n'))))
                           : "put the whole text in quotes in one line, or below >-") +
                      ", or put the comment on a line of its own above");
  }

  void hint_of_keys(const json& schema) {
    const auto required = required_by(schema);
    if (!required.empty()) diagnostics_.hint("it needs the keys " + join(required, ", "));
  }

  // `instead`: the keys of other shapes that it may have.
  void map(const json& schema, const std::string& what, const Yaml& node,
           const std::string& instead) {
    const json properties = schema.value("properties", json::object());
    const auto additional = schema.find("additionalProperties");
    const bool closed = additional != schema.end() && *additional == false;
    for (const auto& key : required_by(schema)) {
      if (node.find(key)) continue;
      if (const Yaml* like = misspelt(properties, node, key)) {
        if (!closed) unknown_key({key}, what, *like);
        continue;
      }
      error(Rule::missing_key, node, what + " needs the key " + in_quotes(key));
      const json member = properties.value(key, json::object());
      if (member.contains("description")) {
        diagnostics_.hint(in_quotes(key) + ": " + member.at("description").get<std::string>());
      }
      if (!instead.empty()) diagnostics_.hint("or it has " + instead + " instead");
    }
    std::vector<std::string> names;
    for (const auto& [name, member] : properties.items()) names.push_back(name);
    for (const auto& [key, value] : node.entries) {
      if (schema.contains("propertyNames")) scalar(schema.at("propertyNames"), "the key", key);
      if (closed && !properties.contains(key.text)) {
        unknown_key(names, what, key);
      } else {
        explain(member_of(schema, key.text), in_quotes(key.text), value);
      }
    }
  }

  // Once for each key, though the schema and its `then` may both miss it.
  void unknown_key(const std::vector<std::string>& names, const std::string& what,
                   const Yaml& key) {
    if (!told_.insert(key.offset).second) return;
    const std::string like = nearest(key.text, names);
    error(Rule::unknown_key, key, what + " has no key " + in_quotes(key.text), like);
    if (like.empty()) diagnostics_.hint("it can have " + join(names, ", "));
  }

  void list(const json& schema, const std::string& what, const Yaml& node) {
    if (node.items.size() < schema.value("minItems", std::size_t{0})) {
      error(Rule::bad_value, node,
            what + " must hold at least " + std::to_string(schema.at("minItems").get<int>()));
    }
    const std::size_t most = schema.value("maxItems", node.items.size());
    if (node.items.size() > most) {
      return error(Rule::bad_value, node, what + " must hold at most " + std::to_string(most));
    }
    for (const auto& item : node.items) {
      explain(items_of(schema), "an item of " + what, item);
    }
  }

  void scalar(const json& schema, const std::string& what, const Yaml& node) {
    if (schema.contains("enum") || schema.contains("const")) return choice(schema, what, node);
    if (schema.value("minLength", 0) > 0 && is_blank(node.text)) {
      return error(Rule::wrong_type, node, what + " must not be empty");
    }
    const int most = schema.value("maxLength", std::numeric_limits<int>::max());
    if (character_count(node.text) > most) {
      return error(Rule::bad_value, node,
                   what + " must have at most " + std::to_string(most) + " characters");
    }
    if (schema.contains("not")) return reserved(schema, what, node);
    if (schema.contains("pattern")) return pattern(schema, what, node);
    const auto value = number_in(node);
    if (!value) return;
    const auto bound = [&](const char* name, const char* words, auto holds) {
      const auto limit = schema.find(name);
      if (limit == schema.end() || holds(*value, limit->get<double>())) return;
      error(Rule::bad_value, node, what + words + limit->dump());
    };
    bound("minimum", " must be at least ", std::greater_equal());
    bound("maximum", " must be at most ", std::less_equal());
    bound("exclusiveMinimum", " must be above ", std::greater());
  }

  void choice(const json& schema, const std::string& what, const Yaml& node) {
    std::vector<std::string> names;
    const json choices =
        schema.contains("enum") ? schema.at("enum") : json::array({schema.at("const")});
    for (const auto& one : choices) {
      names.push_back(one.is_string() ? one.get<std::string>() : one.dump());
    }
    if (std::find(names.begin(), names.end(), node.text) != names.end()) return;
    const std::string like = nearest(node.text, names);
    error(Rule::bad_value, node,
          what + " must be " + (names.size() > 1 ? "one of " : "") + join(names, ", "), like);
  }

  // An id that is not an id: each object of a page's scripts has a member of that name.
  void reserved(const json& schema, const std::string& what, const Yaml& node) {
    if (schema.at("not").value("const", "") != node.text) return pattern(schema, what, node);
    error(Rule::bad_id, node,
          in_quotes(node.text) + " is reserved: every object of JavaScript has it",
          node.text + "-1");
  }

  void pattern(const json& schema, const std::string& what, const Yaml& node) {
    const auto pattern = schema.at("pattern").get<std::string>();
    if (has_form(pattern, node.text)) return;
    if (node.text.size() > longest_form) {
      return error(Rule::bad_value, node,
                   what + " must have at most " + std::to_string(longest_form) + " bytes");
    }
    const auto form = std::find_if(std::begin(forms), std::end(forms),
                                   [&](const Form& one) { return one.pattern == pattern; });
    if (form == std::end(forms)) {
      return error(Rule::bad_value, node, what + " must have the form " + pattern);
    }
    const bool id = form->rule == Rule::bad_id;
    error(form->rule, node,
          (id ? in_quotes(excerpt(node.text)) : what) + ' ' + std::string(form->words),
          id ? as_id(node.text) : "");
  }

  const Source& source_;
  bool yaml_;
  Diagnostics& diagnostics_;
  std::set<std::size_t> told_;  // offsets of the unknown keys and comments that were reported
};

const json& fitting(const json& schema, const Yaml& value) {
  if (!schema.contains("oneOf")) return schema;
  Diagnostics ignored;
  return Explainer(nowhere(), true, ignored).best(schema.at("oneOf"), value);
}

}  // namespace

bool loses_words(const json& schema, const Yaml& node) {
  if (node.comment > 0 && is_words(schema)) return true;
  const auto item_loses = [&](const Yaml& item) {
    return loses_words(item_schema(schema, item), item);
  };
  const auto member_loses = [&](const Yaml::Entry& entry) {
    return loses_words(member_schema(schema, entry.key.text, entry.value), entry.value);
  };
  return std::any_of(node.items.begin(), node.items.end(), item_loses) ||
         std::any_of(node.entries.begin(), node.entries.end(), member_loses);
}

const json& item_schema(const json& schema, const Yaml& item) {
  return fitting(items_of(schema), item);
}

const json& member_schema(const json& schema, std::string_view key, const Yaml& value) {
  return fitting(member_of(schema, key), value);
}

void explain(const json& schema, std::string_view what, const Yaml& document, bool yaml,
             const Source& source, Diagnostics& diagnostics) {
  Diagnostics found;
  Explainer(source, yaml, found).explain(schema, std::string(what), document);
  if (found.empty()) {
    found.error(
        Rule::bad_value, source, document.offset, document.length,
        std::string(what) + " does not have the shape of its schema: " + schema.value("title", ""));
  }
  diagnostics.append(std::move(found));
}

}  // namespace primer
