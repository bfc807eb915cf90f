// The style sheets that drawing programs write into SVG files, as presentation attributes: rules for
// "*", an element's name, ".class" and "#id", and lists of these. Any other rule is an error.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "generator/pictures/svg_value.hpp"

namespace primer {

class SvgStyles {
 public:
  // Adds the rules of a style sheet; an error's place is one in `css`.
  figures::Status add(std::string_view css);
  // Sets what the rules say about an element: over what `to` holds, the more special rule over the less
  // special one, a later one over an earlier.
  void apply(std::string_view name, std::string_view id, std::string_view classes,
             SvgProperties& to) const;

 private:
  struct Declared {
    std::size_t order = 0;
    std::string value;
  };
  using Declarations = std::map<std::string, Declared, std::less<>>;
  const Declarations* of(const std::string& selector) const;

  std::map<std::string, Declarations> rules_;  // by selectors: "*", "g", ".a", "#b"
  std::size_t order_ = 0;
};

// Adds the declarations of a style attribute, or of a rule; an error's place is one in `css`.
figures::Status take_declarations(std::string_view css, SvgProperties& to);

}  // namespace primer
