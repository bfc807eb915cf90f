// A member of a YAML map, written as the book writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/formats/yaml.hpp"

namespace primer {

// The lines of `name: text`: plain where that reads as this text, folded where it is long, else in quotes.
std::vector<std::string> yaml_member(const std::string& name, const std::string& text);
// The lines of a list.
std::vector<std::string> yaml_member(const std::string& name,
                                     const std::vector<std::string>& texts);

// Whether a comment stands beside a value, in what is written from its beginning up to `end`: it is lost when the value is written anew.
bool has_comment(const Yaml& value, const Source& source, std::size_t end);

}  // namespace primer
