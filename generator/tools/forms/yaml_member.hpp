// Writes a member of a YAML map in the book's style.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/core/formats/yaml.hpp"

namespace primer {

// The lines of `name: text`: plain if YAML reads that as the text, folded if it is long, otherwise
// quoted.
std::vector<std::string> yaml_member(const std::string& name, const std::string& text);
// The lines of a list.
std::vector<std::string> yaml_member(const std::string& name,
                                     const std::vector<std::string>& texts);

// Whether there is a comment between the start of a value and `end`. Writing the value again would
// lose it.
bool has_comment(const Yaml& value, const Source& source, std::size_t end);

}  // namespace primer
