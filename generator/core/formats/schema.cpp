#include "generator/core/formats/schema.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/formats/schema_texts.hpp"
#include "generator/core/formats/text_pattern.hpp"

namespace primer {
namespace {

using nlohmann::json;

const json& nothing() {
  static const json empty = json::object();
  return empty;
}

// A member of a schema, or an empty object.
const json& part_of(const json& schema, const char* name) {
  const auto found = schema.find(name);
  return found == schema.end() ? nothing() : *found;
}

const json& items_of(const json& schema) {
  const auto items = schema.find("items");
  if (items != schema.end()) return *items;
  // For a value that is one text or a list of texts.
  for (const auto& one : part_of(schema, "anyOf"))
    if (one.contains("items")) return one.at("items");
  return nothing();
}

const json& member_of(const json& schema, const std::string& key) {
  const json& properties = part_of(schema, "properties");
  if (const auto member = properties.find(key); member != properties.end()) return *member;
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

// Whether the node is a 64-bit integer, signed or unsigned, because programs that read the document
// can hold no other.
bool is_whole(const Yaml& node) {
  const auto reads = [&](auto value) {
    const char* end = node.text.data() + node.text.size();
    const auto [stop, failure] = std::from_chars(node.text.data(), end, value);
    return failure == std::errc() && stop == end;
  };
  return node.plain && (reads(std::int64_t{}) || reads(std::uint64_t{}));
}

// In YAML, any scalar is also a string. In JSON, only a quoted one is.
bool has_type(const Yaml& node, std::string_view type, bool yaml) {
  if (type == "object") return node.kind == Yaml::Kind::map;
  if (type == "array") return node.kind == Yaml::Kind::list;
  if (type == "null") return node.kind == Yaml::Kind::null;
  if (node.kind != Yaml::Kind::scalar) return false;
  if (type == "string") return yaml || !node.plain;
  if (type == "boolean") return node.plain && (node.text == "true" || node.text == "false");
  return type == "integer" ? is_whole(node) : number_in(node).has_value();
}

// Whether the node equals a value of "enum" or "const".
bool is_constant(const Yaml& node, const json& constant, bool yaml) {
  if (node.kind == Yaml::Kind::null) return constant.is_null();
  if (node.kind != Yaml::Kind::scalar) return false;
  if (!constant.is_string()) return node.plain && node.text == constant.dump();
  return (yaml || !node.plain) && node.text == constant.get_ref<const std::string&>();
}

// Longer texts match no pattern, because patterns describe names and addresses. In bytes.
constexpr std::size_t longest_form = 1000;

// Whether a text matches `pattern`, in time linear in the text.
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

std::string name_of_type(std::string_view type) {
  if (type == "object") return "a map of keys and values";
  if (type == "array") return "a list";
  if (type == "boolean") return "true or false";
  if (type == "integer") return "a whole number";
  if (type == "number") return "a number";
  return type == "null" ? "null" : "text";
}

// The patterns that the schemas use, with a message for each.
struct Form {
  std::string_view pattern;
  Rule rule;
  std::string_view words;
};
constexpr Form forms[] = {
    {"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", Rule::bad_id,
     "is not a valid id: expected lower-case letters, digits and single hyphens, beginning with "
     "a letter"},
    {"^[a-z][a-z0-9]*([.-][a-z0-9]+)*$", Rule::bad_id,
     "is not a valid id: expected lower-case letters, digits, single hyphens and dots, beginning "
     "with a letter"},
    {"^https?://", Rule::bad_value, "must be an https:// address"},
    {"^20[0-9]{2}-[0-9]{2}$", Rule::bad_value, "must be a month such as 2026-11"},
    {"^20[0-9]{2}-[0-9]{2}-[0-9]{2}$", Rule::bad_value, "must be a day such as 2026-11-21"},
    {"^[^#]+(#[a-z0-9-]+)?$", Rule::bad_value, "must be a file, or file#region"},
};

// The start of a long text, cut between characters.
std::string excerpt(std::string_view text) {
  std::size_t end = std::min<std::size_t>(text.size(), 60);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  return std::string(text.substr(0, end));
}

// The text as an id: "Fig One" → "fig-one"; empty if the result is not an id.
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

// Quotes a text for YAML.
std::string in_yaml_quotes(std::string_view text) {
  if (text.find_first_of("\"\\") == text.npos) return in_quotes(text);
  return '\'' + replace_all(std::string(text), "'", "''") + '\'';
}

// Whether a value is prose, and not a number, a keyword or a name with a pattern.
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

// Walks a schema and a document in parallel and reports what does not fit. Without `diagnostics` it
// builds no messages and only computes a weight, by which best() chooses between alternatives.
class Explainer {
 public:
  // `root` holds the "definitions" that "$ref" refers to. `diagnostics` may be null.
  Explainer(const json& root, const Source& source, bool yaml, Diagnostics* diagnostics)
      : root_(root), source_(source), yaml_(yaml), diagnostics_(diagnostics) {}

  // `what` names the node in messages: "figure block", "\"title\"".
  void explain(const json& named, const std::string& what, const Yaml& node) {
    // An empty schema allows anything.
    if (named.empty() || weight_ > enough_) return;
    const json& schema = resolved(named);
    if (const auto alternatives = schema.find("oneOf"); alternatives != schema.end())
      return one_of(*alternatives, what, node);
    shape(schema, what, node, {});
  }

 private:
  // Context for checking a map against a part of its schema.
  struct Around {
    std::vector<std::string> instead;  // the required keys of other shapes, for messages
    const json& keys = nothing();      // members that the whole schema describes
  };

  const json& resolved(const json& schema) const {
    const auto name = schema.find("$ref");
    if (name == schema.end()) return schema;
    return root_.at(json::json_pointer(name->get<std::string>().substr(1)));
  }

  // Checks everything except "oneOf".
  void shape(const json& schema, const std::string& what, const Yaml& node, const Around& around) {
    if (!type_fits(schema, what, node)) return;
    if (node.kind == Yaml::Kind::map) map(schema, what, node, around);
    if (node.kind == Yaml::Kind::list) list(schema, what, node);
    if (schema.contains("enum") || schema.contains("const")) choice(schema, what, node);
    else if (node.kind == Yaml::Kind::scalar) scalar(schema, what, node);
    if (node.comment > 0 && is_words(schema)) comment(what, node);
    for (const auto& part : part_of(schema, "allOf")) explain(part, what, node);
    if (schema.contains("anyOf")) any_of(schema, what, node);
    if (schema.contains("not")) unlike(schema.at("not"), what, node);
    if (schema.contains("if") && can_decide(schema, node)) {
      const char* branch = fits(schema.at("if"), node) ? "then" : "else";
      shape(part_of(schema, branch), what, node, {{}, part_of(schema, "properties")});
    }
  }

  // 0 if the node fits. A missing member weighs less than a wrong one.
  std::size_t weight_of(const json& schema, const Yaml& node) const {
    Explainer weighing(root_, source_, yaml_, nullptr);
    weighing.explain(schema, "", node);
    return weighing.weight_;
  }

  bool fits(const json& schema, const Yaml& node) const {
    Explainer weighing(root_, source_, yaml_, nullptr);
    weighing.enough_ = 0;
    weighing.explain(schema, "", node);
    return weighing.weight_ == 0;
  }

  void one_of(const json& alternatives, const std::string& what, const Yaml& node) {
    const auto [found, holds] = best(alternatives, node);
    if (holds) return shape(*found, what, node, {});
    shape(with_constants_of(alternatives, *found), what, node, {others(alternatives, *found)});
  }

  struct Best {
    const json* schema;
    bool holds;  // whether the node fits; false if that was not computed
  };

  // The alternative with the lowest weight; of equals, the first.
  Best best(const json& alternatives, const Yaml& node) const {
    const json* found = &nothing();
    std::vector<const json*> of_its_type;
    for (const auto& one : alternatives) {
      if (fits_type(one, node)) of_its_type.push_back(&one);
    }
    if (of_its_type.size() == 1) return {&resolved(*of_its_type.front()), false};
    std::size_t fewest = 0;
    for (const auto& one : alternatives) {
      // A wrong type outweighs missing and wrong members.
      std::size_t weight = weight_of(one, node) + (fits_type(one, node) ? 0 : 1000);
      if (weight == 0) return {&resolved(one), true};
      // If nothing of an alternative is present, it is less likely to be meant.
      if (!holds_any(one, node)) weight += 1;
      if (found == &nothing() || weight < fewest) {
        found = &resolved(one);
        fewest = weight;
      }
    }
    return {found, false};
  }

  static std::vector<std::string> required_by(const json& schema) {
    return schema.value("required", std::vector<std::string>());
  }

  static bool holds_any(const json& schema, const Yaml& node) {
    const auto keys = required_by(schema);
    return std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return node.find(key); });
  }

  // A condition on a value that is invalid itself decides nothing.
  bool can_decide(const json& schema, const Yaml& node) const {
    for (const auto& [key, member] : part_of(schema.at("if"), "properties").items()) {
      const Yaml* value = node.find(key);
      if (value && !fits(member_of(schema, key), *value)) return false;
    }
    return true;
  }

  // A copy of an alternative whose constants also accept those of the other alternatives.
  static json with_constants_of(const json& alternatives, json schema) {
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

  // An unknown key that is probably a misspelling of `key`; null if there is none.
  static const Yaml* misspelt(const json& properties, const json& others, const Yaml& node,
                              const std::string& key) {
    const auto found =
        std::find_if(node.entries.begin(), node.entries.end(), [&](const auto& entry) {
          const std::string& name = entry.key.text;
          return !properties.contains(name) && !others.contains(name) &&
                 nearest(name, {key}) == key;
        });
    return found == node.entries.end() ? nullptr : &found->key;
  }

  // The keys of the other alternatives: "\"measured\", \"unit\"".
  static std::vector<std::string> others(const json& alternatives, const json& chosen) {
    std::vector<std::string> all;
    for (const auto& one : alternatives) {
      std::vector<std::string> keys;
      for (const auto& key : required_by(one)) keys.push_back(in_quotes(key));
      if (keys.empty() || required_by(one) == required_by(chosen)) continue;
      all.push_back(join(keys, ", "));
    }
    return all;
  }

  // Reports what the nearest alternative lacks and what the others require, unless one fits.
  void any_of(const json& schema, const std::string& what, const Yaml& node) {
    const json& alternatives = schema.at("anyOf");
    const json& nearest_one = *best(alternatives, node).schema;
    if (!fits_type(nearest_one, node)) {
      json types;
      for (const auto& one : alternatives)
        for (const auto& type : types_of(resolved(one))) types["type"].push_back(type);
      type_fits(types, what, node);
    } else if (node.kind == Yaml::Kind::map) {
      shape(nearest_one, what, node,
            {others(alternatives, nearest_one), part_of(schema, "properties")});
    } else {
      explain(nearest_one, what, node);
    }
  }

  // Reports a node that fits `schema` although it must not.
  void unlike(const json& schema, const std::string& what, const Yaml& node) {
    if (!fits(schema, node)) return;
    // A reserved id: every JavaScript object has a member of that name.
    if (schema.contains("const") && schema.at("const").is_string())
      return error(Rule::bad_id, node,
                   in_quotes(node.text) +
                       " is reserved: every JavaScript object has a member with this name",
                   node.text + "-1");
    if (schema.contains("const"))
      return error(Rule::bad_value, node, what + " must not be " + schema.at("const").dump());
    std::vector<std::string> keys;
    for (const auto& key : required_by(schema)) keys.push_back(in_quotes(key));
    error(Rule::bad_value, node, what + " must not have the key " + join(keys, " with "));
  }

  // Adds to the weight. Returns true if no message is needed, because this walk only weighs.
  bool only_weighs(Rule rule) {
    weight_ += rule == Rule::missing_key ? 2 : 4;
    return diagnostics_ == nullptr;
  }

  void error(Rule rule, const Yaml& node, std::string message, std::string suggestion = {}) {
    if (only_weighs(rule)) return;
    diagnostics_->error(rule, source_, node.offset, node.length, std::move(message),
                        std::move(suggestion));
  }

  // Adds a note to the last error.
  void hint(std::string note) {
    if (diagnostics_) diagnostics_->hint(std::move(note));
  }

  bool fits_type(const json& named, const Yaml& node) const {
    const json& type = part_of(resolved(named), "type");
    if (type.is_string()) return has_type(node, type.get_ref<const std::string&>(), yaml_);
    if (type.empty()) return true;
    return std::any_of(type.begin(), type.end(), [&](const json& one) {
      return has_type(node, one.get_ref<const std::string&>(), yaml_);
    });
  }

  bool type_fits(const json& schema, const std::string& what, const Yaml& node) {
    if (fits_type(schema, node)) return true;
    const auto types = types_of(schema);
    std::vector<std::string> names;
    for (const auto& type : types) names.push_back(name_of_type(type));
    const bool empty = node.kind == Yaml::Kind::null && yaml_;
    const bool long_number = types == std::vector<std::string>{"integer"} && number_in(node) &&
                             node.text.find_first_of(".eE") == node.text.npos;
    if (long_number && schema.contains("maximum")) {
      scalar(schema, what, node);
      return false;
    }
    error(Rule::wrong_type, node,
          what + (empty ? " is empty; it must be " : " must be ") + join(names, " or ") +
              (long_number ? " of at most 64 bits" : ""));
    if (empty) hint_of_keys(schema);
    if (empty && node.comment > 0)
      hint(in_quotes(excerpt(comment_of(node))) +
           " is a comment in YAML; put text that begins with # in quotes");
    return false;
  }

  std::string_view comment_of(const Yaml& node) const {
    const std::string_view all = source_.text();
    const std::string_view text = all.substr(std::min(node.comment, all.size()));
    return trim(text.substr(0, text.find('\n')));
  }

  // Reports a comment once, although the schema and its `then` may both reach it.
  void comment(const std::string& what, const Yaml& node) {
    if (!diagnostics_ || !told_.insert(node.comment).second) return;
    const std::string_view lost = comment_of(node);
    diagnostics_->error(
        Rule::bad_yaml, source_, node.comment, lost.size(),
        in_quotes(excerpt(lost)) + " is a comment in YAML, so it is not part of " + what);
    const std::string_view line = source_.text().substr(node.offset);
    const bool is_one_line = node.comment - node.offset < line.find('\n');
    hint((is_one_line ? "write " + in_yaml_quotes(trim(line.substr(0, line.find('\n'))))
                      : "put the whole text in quotes in one line, or below >-") +
         ", or put the comment on a separate line above");
  }

  void hint_of_keys(const json& schema) {
    const auto required = required_by(schema);
    if (!required.empty()) hint("required keys: " + join(required, ", "));
  }

  void map(const json& schema, const std::string& what, const Yaml& node, const Around& around) {
    const json& properties = part_of(schema, "properties");
    const auto additional = schema.find("additionalProperties");
    const bool closed = additional != schema.end() && *additional == false;
    for (const auto& name : part_of(schema, "required")) {
      const auto& key = name.get_ref<const std::string&>();
      if (node.find(key)) continue;
      if (const Yaml* like = misspelt(properties, around.keys, node, key)) {
        if (!closed) unknown_key(json::object({{key, nullptr}}), what, *like);
        continue;
      }
      error(Rule::missing_key, node, what + " needs the key " + in_quotes(key));
      const json& member = resolved(part_of(properties, key.c_str()));
      if (member.contains("description")) {
        hint(in_quotes(key) + ": " + member.at("description").get<std::string>());
      }
      for (const auto& keys : around.instead) hint("or use " + keys + " instead");
    }
    const std::size_t most = schema.value("maxProperties", node.entries.size());
    if (node.entries.size() > most)
      error(Rule::bad_value, node, what + " must have at most " + std::to_string(most) + " keys");
    for (const auto& [key, value] : node.entries) {
      if (schema.contains("propertyNames")) explain(schema.at("propertyNames"), "the key", key);
      if (closed && !properties.contains(key.text) && !around.keys.contains(key.text)) {
        unknown_key(properties, what, key);
      } else {
        explain(member_of(schema, key.text), in_quotes(key.text), value);
      }
    }
  }

  // Reports a key once, although neither the schema nor its `then` may know it.
  void unknown_key(const json& known, const std::string& what, const Yaml& key) {
    if (!diagnostics_ ? only_weighs(Rule::unknown_key) : !told_.insert(key.offset).second) return;
    std::vector<std::string> names;
    for (const auto& [name, member] : known.items()) names.push_back(name);
    const std::string like = nearest(key.text, names);
    error(Rule::unknown_key, key, what + " has no key " + in_quotes(key.text), like);
    if (like.empty()) hint("allowed keys: " + join(names, ", "));
  }

  void list(const json& schema, const std::string& what, const Yaml& node) {
    if (node.items.size() < schema.value("minItems", std::size_t{0})) {
      error(Rule::bad_value, node,
            what + " must have at least " + std::to_string(schema.at("minItems").get<int>()) +
                (schema.at("minItems") == 1 ? " entry" : " entries"));
    }
    const std::size_t most = schema.value("maxItems", node.items.size());
    if (node.items.size() > most) {
      return error(Rule::bad_value, node,
                   what + " must have at most " + std::to_string(most) +
                       (most == 1 ? " entry" : " entries"));
    }
    for (const auto& item : node.items) {
      explain(items_of(schema), "an item of " + what, item);
    }
  }

  void scalar(const json& schema, const std::string& what, const Yaml& node) {
    if (schema.value("minLength", 0) > 0 && is_blank(node.text)) {
      return error(Rule::wrong_type, node, what + " must not be empty");
    }
    const int most = schema.value("maxLength", std::numeric_limits<int>::max());
    if (character_count(node.text) > most) {
      return error(Rule::bad_value, node,
                   what + " must have at most " + std::to_string(most) + " characters");
    }
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
    const json& named = schema.at(schema.contains("enum") ? "enum" : "const");
    const auto is_it = [&](const json& one) { return is_constant(node, one, yaml_); };
    if (named.is_array() ? std::any_of(named.begin(), named.end(), is_it) : is_it(named)) return;
    if (!diagnostics_ && only_weighs(Rule::bad_value)) return;
    std::vector<std::string> names;
    for (const auto& one : named.is_array() ? named : json::array({named}))
      names.push_back(one.is_string() ? one.get<std::string>() : one.dump());
    const bool same = std::find(names.begin(), names.end(), node.text) != names.end();
    error(Rule::bad_value, node,
          what + " must be " + (names.size() > 1 ? "one of " : "") + join(names, ", ") +
              (!same        ? ""
               : node.plain ? ", in quotation marks"
                            : ", without quotation marks"),
          same ? "" : nearest(node.text, names));
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

  const json& root_;
  const Source& source_;
  bool yaml_;
  Diagnostics* diagnostics_;
  std::size_t weight_ = 0;  // sum over all errors so far
  // A walk that only weighs stops above this weight.
  std::size_t enough_ = std::numeric_limits<std::size_t>::max();
  std::set<std::size_t> told_;  // offsets of reported unknown keys and comments
};

// A compiled-in schema, parsed on first use.
struct Known {
  explicit Known(std::string_view of) : text(of) {}

  std::string_view text;
  std::once_flag once;
  json parsed;
};

std::map<std::string, Known, std::less<>>& all() {
  static auto known = [] {
    std::map<std::string, Known, std::less<>> made;
    for (const auto& [name, text] : schema_texts) made.try_emplace(std::string(name), text);
    return made;
  }();
  return known;
}

// Whether the text is cached as valid. Otherwise calls `check` and caches success.
template <class Check>
bool was_or_is_valid(Cache* cache, std::string_view name, const Source& source,
                     const Check& check) {
  if (!cache) return check();
  const std::string key = pack("conforms to", name, digest(source.text()));
  if (cache->find(Cache::Kind::checked, key)) return true;
  if (!check()) return false;
  cache->store(Cache::Kind::checked, key, "");
  return true;
}

}  // namespace

std::vector<std::string> schema_names() {
  std::vector<std::string> names;
  for (const auto& [name, known] : all()) names.push_back(name);
  return names;
}

bool has_schema(std::string_view name) { return all().find(name) != all().end(); }

const json& schema(std::string_view name) {
  Known& known = all().find(name)->second;
  std::call_once(known.once, [&] { known.parsed = json::parse(known.text); });
  return known.parsed;
}

std::string_view schema_text(std::string_view name) { return all().find(name)->second.text; }

bool conforms(std::string_view name, std::string_view what, const Yaml& document,
              const Source& source, Diagnostics& diagnostics, Cache* cache) {
  return was_or_is_valid(cache, name, source, [&] {
    return explain(schema(name), what, document, true, source, diagnostics);
  });
}

bool conforms(std::string_view name, std::string_view what, const JsonFile& file,
              Diagnostics& diagnostics, Cache* cache) {
  return was_or_is_valid(cache, name, file.source, [&] {
    return explain(schema(name), what, file.tree, false, file.source, diagnostics);
  });
}

bool explain(const json& schema, std::string_view what, const Yaml& document, bool yaml,
             const Source& source, Diagnostics& diagnostics) {
  Diagnostics found;
  Explainer(schema, source, yaml, &found).explain(schema, std::string(what), document);
  const bool good = found.empty();
  diagnostics.append(std::move(found));
  return good;
}

}  // namespace primer
