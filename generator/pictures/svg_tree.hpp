// An SVG drawing as primer publishes it: elements of its list, attributes that were checked.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

struct SvgNode {
  std::string name;  // of an SVG element, without a prefix; empty: a text
  std::string text;  // of a text
  std::map<std::string, std::string>
      attributes;  // "href" is always "#id"; "xml:space" has its prefix
  std::vector<SvgNode> children;
  std::size_t offset = 0;  // where it stands in the file that it was read from
};

// The id that a checked value refers to: of "#a", and of "url(#a)" with or without a colour after it;
// empty when it refers to nothing.
inline std::string_view svg_reference(std::string_view attribute, std::string_view value) {
  if (attribute == "href") return value.substr(1);
  if (!value.starts_with("url(#")) return {};
  return value.substr(5, value.find(')') - 5);
}

}  // namespace primer
