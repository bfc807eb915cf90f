// Forms: the fields of a schema, and the book's fenced blocks filled in field by field.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "generator/core/formats/yaml.hpp"

namespace primer {

// The fields that a form needs for an object, derived from its JSON Schema.

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

// Fills in one of the book's fenced blocks field by field.

struct BlockForm {
  std::string kind;  // "figure", "quiz", …
  Lines lines;       // including the fences
  std::vector<FormField> fields;
};

// Names of the blocks that have a form.
std::vector<std::string> block_form_names();

// The form of the block that contains the line. No value if there is none, or after diagnostics if
// its YAML is broken. Fields that a form cannot write without losing something, such as a comment,
// have the kind `elsewhere`.
std::optional<BlockForm> block_form(const Source& source, int line, Diagnostics& diagnostics);

// Lines that replace others.
struct LineEdit {
  Lines replaced;
  std::vector<std::string> lines;
};
// Sets a field of the block that contains the line. An empty value removes the field. No value if a
// form cannot write it.
std::optional<LineEdit> with_field(const Source& source, int line, const std::string& name,
                                   const std::vector<std::string>& value);

}  // namespace primer
