// YAML as the book allows it: one document of maps, lists and scalars, every node with its place in
// the file. Duplicate keys, anchors, aliases, tags and further documents are errors (yaml-cpp
// accepts them silently, and each is a way to make a block say two things).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/diagnostic.hpp"
#include "generator/extract.hpp"
#include "generator/source.hpp"

namespace primer {

struct Yaml {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  std::size_t offset = 0;  // in the file
  std::size_t length = 0;  // of a scalar's first line as written, at least 1
  std::string text;        // of a scalar
  bool plain = true;       // scalar without quotes
  std::vector<Yaml> items;
  struct Entry;
  std::vector<Entry> entries;  // of a map, in the order written

  const Yaml* find(std::string_view key) const;
};

struct Yaml::Entry {
  Yaml key, value;
};

// Nothing after adding a diagnostic when the text is not allowed YAML. Empty text is null.
std::optional<Yaml> parse_yaml(const Extract& extract, Diagnostics& diagnostics);

// A map with known keys. Ask for each key (all of them: asking is what makes a key known), then
// call finish(), which reports the keys nobody asked for, with the nearest known one.
class Record {
 public:
  // `what` names the thing in messages: "figure block". A node that is no map is reported once.
  Record(const Yaml& node, std::string what, const Source& source, Diagnostics& diagnostics);

  std::optional<std::string> text(std::string_view key);      // a scalar; nothing when absent
  std::string required_text(std::string_view key);            // reported when absent or empty
  std::optional<bool> flag(std::string_view key);             // true or false
  std::optional<int> integer(std::string_view key);
  const Yaml* list(std::string_view key);                     // null when absent
  const Yaml* map(std::string_view key);                      // null when absent
  std::vector<std::string> texts(std::string_view key);       // a list of scalars
  const Yaml* any(std::string_view key);                      // the node itself
  void finish();

  // Place of a key's value, for further checks; the record's own place when it is absent.
  const Yaml& at(std::string_view key) const;
  void error(Rule rule, const Yaml& node, std::string message, std::string suggestion = {});

 private:
  const Yaml* typed(std::string_view key, Yaml::Kind kind, std::string_view type);

  const Yaml& node_;
  std::string what_;
  const Source& source_;
  Diagnostics& diagnostics_;
  std::vector<std::string> known_;
};

}  // namespace primer
