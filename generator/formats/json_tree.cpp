#include "generator/formats/json_tree.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "generator/formats/yaml_error.hpp"

namespace primer {
namespace {

// Reads what a JSON parser has already accepted, so it looks for nothing that could be wrong.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Yaml value() {
    skip();
    Yaml node;
    node.offset = at_;
    node.length = 1;
    switch (at_ < text_.size() ? text_[at_] : '\0') {
      case '{': map(node); break;
      case '[': list(node); break;
      case '"': string(node); break;
      default: word(node);
    }
    return node;
  }

 private:
  // White space and the marks between values.
  void skip() { at_ = std::min(text_.find_first_not_of(" \t\r\n,:", at_), text_.size()); }

  bool closed(char bracket) {
    skip();
    if (at_ < text_.size() && text_[at_] != bracket) return false;
    ++at_;
    return true;
  }

  void map(Yaml& node) {
    node.kind = Yaml::Kind::map;
    for (++at_; !closed('}');) {
      Yaml key = value();
      Yaml entry = value();
      node.entries.push_back({std::move(key), std::move(entry)});
    }
  }

  void list(Yaml& node) {
    node.kind = Yaml::Kind::list;
    for (++at_; !closed(']');) node.items.push_back(value());
  }

  void string(Yaml& node) {
    node.kind = Yaml::Kind::scalar;
    node.plain = false;
    node.length = std::max<std::size_t>(2, quoted_length(text_, at_));
    const std::string_view raw = text_.substr(at_, node.length);
    node.text = raw.find('\\') == raw.npos ? std::string(raw.substr(1, raw.size() - 2))
                                           : nlohmann::json::parse(raw).get<std::string>();
    at_ += node.length;
  }

  void word(Yaml& node) {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:]}", at_), text_.size());
    node.text = text_.substr(at_, end - at_);
    node.kind = node.text == "null" ? Yaml::Kind::null : Yaml::Kind::scalar;
    node.length = end - at_;
    at_ = end;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Yaml json_tree(const Source& source) { return Reader(source.text()).value(); }

const Yaml* repeated_key(const Yaml& tree) {
  std::set<std::string_view> keys;
  for (const auto& [key, value] : tree.entries) {
    if (!keys.insert(key.text).second) return &key;
    if (const Yaml* inside = repeated_key(value)) return inside;
  }
  for (const auto& item : tree.items) {
    if (const Yaml* inside = repeated_key(item)) return inside;
  }
  return nullptr;
}

}  // namespace primer
