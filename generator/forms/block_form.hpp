// The fields of a fenced block of the book's own, to be filled in one by one, and the lines of the text that a field is.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "generator/formats/yaml.hpp"
#include "generator/forms/schema_fields.hpp"

namespace primer {

struct BlockForm {
  std::string kind;  // "figure", "quiz", …
  Lines lines;       // with its fences
  std::vector<FormField> fields;
};

// The names of the blocks that have one.
std::vector<std::string> block_form_names();

// Of the block that the line is in. Nothing where there is none, or, after diagnostics, where its YAML is broken. Fields that a form
// cannot write without loss, those with comments among them, are `elsewhere`.
std::optional<BlockForm> block_form(const Source& source, int line, Diagnostics& diagnostics);

// Lines that take the place of others.
struct LineEdit {
  Lines replaced;
  std::vector<std::string> lines;
};
// A field of the block that the line is in with another value; without one it is left out. Nothing where a form cannot write it.
std::optional<LineEdit> with_field(const Source& source, int line, const std::string& name,
                                   const std::vector<std::string>& value);

}  // namespace primer
