// Reads a strict subset of YAML with the position of every node: one document of maps, lists and
// scalars.
//
//   Extract --> yaml-cpp's events --> Builder --> Yaml tree --> schema.hpp --> Record
//                                        |
//                                        +--> Refused, YamlFailure --> explain_yaml() --> error
//
// Duplicate keys, anchors, aliases, tags and further documents are errors. yaml-cpp accepts them
// silently, and each makes it possible for a block to mean something other than it appears to say.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/diagnostic/source.hpp"

namespace primer {

// A syntax error in a writer's words, at its cause. yaml-cpp reports the token at which it gave up,
// which may be lines later or at the end of the text.

struct YamlError {
  int line = 0, column = 0;  // 0-based in the text
  std::string message;
  std::string hint;  // how to fix it, or empty
};

struct YamlFailure {
  std::string_view message;  // from yaml-cpp
  int line = 0, column = 0;  // where yaml-cpp gave up, 0-based
  int last_line = -1;        // line of the last value that it read; -1: none
  bool last_quoted = false;  // whether that value was quoted
  // The innermost open "[" or "{".
  struct Bracket {
    int line = 0, column = 0;
  };
  std::optional<Bracket> bracket;
};

YamlError explain_yaml(std::string_view text, const YamlFailure& failure);

// The number of bytes from the quotation mark at `at` through its closing mark; 0 if the line ends
// first.
std::size_t quoted_length(std::string_view text, std::size_t at);

struct Yaml {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  std::size_t offset = 0;  // in the file
  std::size_t length = 0;  // of a scalar's first line as written, at least 1
  std::string text;        // value of a scalar
  bool plain = true;       // whether a scalar is unquoted
  // File offset of a comment that ends a plain scalar or replaces a missing value, where the text
  // would continue; 0: none. If the value is prose, the author may have meant it as text
  // (schema.cpp).
  std::size_t comment = 0;
  std::vector<Yaml> items;
  struct Entry;
  std::vector<Entry> entries;  // of a map, in file order

  const Yaml* find(std::string_view key) const;
};

struct Yaml::Entry {
  Yaml key, value;
};

// Returns nothing, after a diagnostic, if the text is not YAML of this subset. Empty text is null.
std::optional<Yaml> parse_yaml(const Extract& extract, Diagnostics& diagnostics);
// Parses a whole file.
std::optional<Yaml> parse_yaml(const Source& source, Diagnostics& diagnostics);

// Typed access to a map that conforms to its schema; schema.hpp has reported everything else.
class Record {
 public:
  Record(const Yaml& node, const Source& source, Diagnostics& diagnostics);

  std::optional<std::string> text(std::string_view key) const;  // a scalar; nothing if absent
  std::string required_text(std::string_view key) const;        // "" if absent
  std::optional<bool> flag(std::string_view key) const;
  std::optional<int> integer(std::string_view key) const;
  const Yaml* list(std::string_view key) const;                // null if absent
  const Yaml* map(std::string_view key) const;                 // null if absent
  std::vector<std::string> texts(std::string_view key) const;  // a list of scalars
  // A list of scalars; a single scalar counts as a list of one.
  std::vector<std::string> one_or_more(std::string_view key) const;
  const Yaml* any(std::string_view key) const;  // the node itself

  // The node of a value, for errors about it; the record's own node if the key is absent.
  const Yaml& at(std::string_view key) const;
  void error(Rule rule, const Yaml& node, std::string message, std::string suggestion = {});

 private:
  const Yaml* typed(std::string_view key, Yaml::Kind kind) const;

  const Yaml& node_;
  const Source& source_;
  Diagnostics& diagnostics_;
};

}  // namespace primer
