// YAML as the book allows it: one document of maps, lists and scalars, every node with its place in
// the file. Duplicate keys, anchors, aliases, tags and further documents are errors (yaml-cpp
// accepts them silently, and each is a way to make a block say two things).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/diagnostic/diagnostic.hpp"
#include "generator/diagnostic/extract.hpp"
#include "generator/diagnostic/source.hpp"

namespace primer {

struct Yaml {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  std::size_t offset = 0;  // in the file
  std::size_t length = 0;  // of a scalar's first line as written, at least 1
  std::string text;        // of a scalar
  bool plain = true;       // scalar without quotes
  // File offset of the comment that ends a plain scalar or takes the place of a missing value, where
  // the text would go on; 0: none. In a text it may be the author's own words (schema.cpp).
  std::size_t comment = 0;
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

// A map that conforms to its schema (schema.hpp reports what does not), to be read key by key.
class Record {
 public:
  Record(const Yaml& node, const Source& source, Diagnostics& diagnostics);

  std::optional<std::string> text(std::string_view key) const;  // a scalar; nothing when absent
  std::string required_text(std::string_view key) const;        // "" when absent
  std::optional<bool> flag(std::string_view key) const;
  std::optional<int> integer(std::string_view key) const;
  const Yaml* list(std::string_view key) const;                // null when absent
  const Yaml* map(std::string_view key) const;                 // null when absent
  std::vector<std::string> texts(std::string_view key) const;  // a list of scalars
  // A list of scalars, or a scalar as a list of one.
  std::vector<std::string> one_or_more(std::string_view key) const;
  const Yaml* any(std::string_view key) const;  // the node itself

  // Place of a key's value, for further checks; the record's own place when it is absent.
  const Yaml& at(std::string_view key) const;
  void error(Rule rule, const Yaml& node, std::string message, std::string suggestion = {});

 private:
  const Yaml* typed(std::string_view key, Yaml::Kind kind) const;

  const Yaml& node_;
  const Source& source_;
  Diagnostics& diagnostics_;
};

}  // namespace primer
