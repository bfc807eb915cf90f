#include "generator/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "generator/spelling.hpp"
#include "generator/text.hpp"

namespace primer {
namespace {

// Thrown by the handler to leave yaml-cpp's parser; never leaves this file.
struct Refused {
  YAML::Mark mark;
  std::string message;
};

class Builder : public YAML::EventHandler {
 public:
  explicit Builder(const Extract& extract) : extract_(extract) {}

  Yaml result;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    check(mark, "", anchor);
    leaf(node(Yaml::Kind::null, mark));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refused{mark, "aliases are not allowed"};
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check(mark, tag, anchor);
    // What the file itself may not hold must not come in by way of "\0".
    if (!is_utf8(value)) throw Refused{mark, "control characters are not allowed"};
    Yaml scalar = node(Yaml::Kind::scalar, mark);
    scalar.text = value;
    scalar.plain = tag != "!";  // yaml-cpp gives quoted and block scalars this tag
    const std::string_view first = split(value, '\n').front();
    scalar.length = std::max<std::size_t>(1, first.size());
    leaf(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    check(mark, tag, anchor);
    open_.push_back({node(Yaml::Kind::list, mark), std::nullopt, {}});
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    check(mark, tag, anchor);
    open_.push_back({node(Yaml::Kind::map, mark), std::nullopt, {}});
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Yaml node;
    std::optional<Yaml> key;
    std::set<std::string> keys;
  };

  void check(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) const {
    if (anchor != 0) throw Refused{mark, "anchors are not allowed"};
    if (!tag.empty() && tag != "?" && tag != "!") throw Refused{mark, "tags are not allowed"};
  }

  Yaml node(Yaml::Kind kind, const YAML::Mark& mark) const {
    Yaml made;
    made.kind = kind;
    made.offset = extract_.offset(mark.line, mark.column);
    made.length = 1;
    mark_ = mark;
    return made;
  }

  void close() {
    Yaml done = std::move(open_.back().node);
    open_.pop_back();
    leaf(std::move(done));
  }

  void leaf(Yaml made) {
    if (open_.empty()) {
      result = std::move(made);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Yaml::Kind::list) {
      parent.node.items.push_back(std::move(made));
    } else if (parent.key) {
      parent.node.entries.push_back({std::move(*parent.key), std::move(made)});
      parent.key.reset();
    } else {
      if (made.kind != Yaml::Kind::scalar) throw Refused{mark_, "a key must be plain text"};
      if (!parent.keys.insert(made.text).second) {
        throw Refused{mark_, "the key " + in_quotes(made.text) + " is there twice"};
      }
      parent.key = std::move(made);
    }
  }

  const Extract& extract_;
  std::vector<Open> open_;
  mutable YAML::Mark mark_;
};

}  // namespace

const Yaml* Yaml::find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (name.text == key) return &value;
  }
  return nullptr;
}

std::optional<Yaml> parse_yaml(const Extract& extract, Diagnostics& diagnostics) {
  const auto refuse = [&](const YAML::Mark& mark, std::string message) {
    const std::size_t offset =
        mark.is_null() ? extract.begin() : extract.offset(mark.line, mark.column);
    diagnostics.error(Rule::bad_yaml, *extract.source, offset, 1, std::move(message));
    return std::nullopt;
  };
  try {
    std::istringstream stream(extract.text);
    YAML::Parser parser(stream);
    Builder builder(extract);
    parser.HandleNextDocument(builder);
    Builder second(extract);
    if (parser.HandleNextDocument(second)) {
      diagnostics.error(Rule::bad_yaml, *extract.source, second.result.offset, 1,
                        "a second YAML document is not allowed");
      return std::nullopt;
    }
    return std::move(builder.result);
  } catch (const Refused& refused) {
    return refuse(refused.mark, refused.message);
  } catch (const YAML::Exception& exception) {
    return refuse(exception.mark, "this is not valid YAML: " + exception.msg);
  }
}

Record::Record(const Yaml& node, std::string what, const Source& source, Diagnostics& diagnostics)
    : node_(node), what_(std::move(what)), source_(source), diagnostics_(diagnostics) {
  if (node.kind != Yaml::Kind::map) {
    error(Rule::wrong_type, node, "the " + what_ + " must be a map of keys and values");
  }
}

void Record::error(Rule rule, const Yaml& node, std::string message, std::string suggestion) {
  diagnostics_.error(rule, source_, node.offset, node.length, std::move(message),
                     std::move(suggestion));
}

const Yaml& Record::at(std::string_view key) const {
  const Yaml* value = node_.find(key);
  return value ? *value : node_;
}

const Yaml* Record::any(std::string_view key) {
  known_.emplace_back(key);
  return node_.find(key);
}

const Yaml* Record::typed(std::string_view key, Yaml::Kind kind, std::string_view type) {
  const Yaml* value = any(key);
  if (!value || value->kind == kind) return value;
  error(Rule::wrong_type, *value, in_quotes(key) + " must be " + std::string(type));
  return nullptr;
}

std::optional<std::string> Record::text(std::string_view key) {
  const Yaml* value = typed(key, Yaml::Kind::scalar, "text");
  return value ? std::optional(value->text) : std::nullopt;
}

std::string Record::required_text(std::string_view key) {
  const Yaml* value = any(key);
  if (node_.kind != Yaml::Kind::map) return {};
  if (!value) {
    error(Rule::missing_key, node_, "the " + what_ + " needs the key " + in_quotes(key));
    return {};
  }
  if (value->kind != Yaml::Kind::scalar || trim(value->text).empty()) {
    error(Rule::wrong_type, *value, in_quotes(key) + " must be text");
    return {};
  }
  return value->text;
}

std::optional<bool> Record::flag(std::string_view key) {
  const Yaml* value = any(key);
  if (!value) return std::nullopt;
  if (value->kind == Yaml::Kind::scalar && value->text == "true") return true;
  if (value->kind == Yaml::Kind::scalar && value->text == "false") return false;
  error(Rule::wrong_type, *value, in_quotes(key) + " must be true or false");
  return std::nullopt;
}

std::optional<int> Record::integer(std::string_view key) {
  const Yaml* value = any(key);
  if (!value) return std::nullopt;
  int number = 0;
  const char* end = value->text.data() + value->text.size();
  const auto [stop, failure] = std::from_chars(value->text.data(), end, number);
  if (value->kind == Yaml::Kind::scalar && failure == std::errc() && stop == end) return number;
  error(Rule::wrong_type, *value, in_quotes(key) + " must be a whole number");
  return std::nullopt;
}

const Yaml* Record::list(std::string_view key) {
  return typed(key, Yaml::Kind::list, "a list");
}

const Yaml* Record::map(std::string_view key) {
  return typed(key, Yaml::Kind::map, "a map of keys and values");
}

std::vector<std::string> Record::texts(std::string_view key) {
  std::vector<std::string> all;
  const Yaml* value = list(key);
  if (!value) return all;
  for (const auto& item : value->items) {
    if (item.kind == Yaml::Kind::scalar) {
      all.push_back(item.text);
    } else {
      error(Rule::wrong_type, item, in_quotes(key) + " must be a list of texts");
    }
  }
  return all;
}

void Record::finish() {
  for (const auto& [key, value] : node_.entries) {
    if (std::find(known_.begin(), known_.end(), key.text) != known_.end()) continue;
    error(Rule::unknown_key, key, "the " + what_ + " has no key " + in_quotes(key.text),
          nearest(key.text, known_));
  }
}

}  // namespace primer
