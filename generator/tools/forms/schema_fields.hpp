// The fields that a form needs for an object, derived from its JSON Schema.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace primer {

struct SchemaField {
  // `elsewhere`: a form cannot edit it, because it has members itself or several types.
  enum class Kind { text, texts, flag, number, choice, elsewhere };
  std::string name, help;
  Kind kind = Kind::elsewhere;
  bool required = false;
  std::vector<std::string> options;  // for a choice
};

// Lines of a text, counted from 1: `first` up to but excluding `end`.
struct Lines {
  int first = 0, end = 0;
};

// A field as a form shows it.
struct FormField {
  SchemaField schema;
  Lines lines = {};                     // where it is in the text; none: it is not there
  std::vector<std::string> value = {};  // one item for a single text; empty: it is not there
};

// The members of an object's schema: required ones in its order, then the rest. For a schema with
// variants (oneOf), returns the members of all. A member is required if every variant requires it,
// and constants become choices.
std::vector<SchemaField> schema_fields(const nlohmann::json& schema);

}  // namespace primer
