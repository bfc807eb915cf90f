// Fills in one of the book's fenced blocks field by field, and finds the lines that a field
// occupies.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "generator/core/formats/yaml.hpp"
#include "generator/tools/forms/schema_fields.hpp"

namespace primer {

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
