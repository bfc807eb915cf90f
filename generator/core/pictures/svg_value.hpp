// Allowlists for SVG: attributes, CSS properties and their values.
//
// A name that is on no list is dropped if it is an attribute, because browsers ignore it. It is an
// error if it is a CSS property or an event handler. A value must consist of known parts: numbers,
// words, colors, transforms, and "url(#id)" for a place in the same file. No list accepts any other
// URL, an escape or a comment, so there is no way to write one.
//
// Drawing programs also write style sheets. SvgStyles reads the simple kind and turns it into
// presentation attributes, so no style sheet is published.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "figures/base/result.hpp"

namespace primer {

// presentation attributes with their values
using SvgProperties = std::map<std::string, std::string>;

// Adds what an attribute without a prefix becomes: itself, several attributes, or nothing if it
// does not draw. Fails if it cannot be published. Not for "id", "class", "style" and "href".
figures::Status take_svg_attribute(std::string_view name, std::string_view value,
                                   SvgProperties& to);

// Does the same for a declaration of a style sheet. A property that is on no list is an error.
figures::Status take_svg_property(std::string_view name, std::string_view value, SvgProperties& to);

// Adds the declarations of a style attribute. An error's offset is in `css`.
figures::Status take_svg_declarations(std::string_view css, SvgProperties& to);

// Style sheets with the selectors "*", element name, ".class" and "#id", and lists of these. Any
// other rule is an error.
class SvgStyles {
 public:
  // Adds the rules of a style sheet. An error's offset is in `css`.
  figures::Status add(std::string_view css);
  // Applies the rules to an element. They override what `to` holds, more specific rules override
  // less specific ones, and later rules override earlier ones.
  void apply(std::string_view name, std::string_view id, std::string_view classes,
             SvgProperties& to) const;

 private:
  struct Declared {
    std::size_t order = 0;  // number of its rule
    std::string value;
  };
  using Declarations = std::map<std::string, Declared, std::less<>>;
  const Declarations* of(const std::string& selector) const;

  std::map<std::string, Declarations> rules_;  // by selector: "*", "g", ".a", "#b"
  std::size_t order_ = 0;
};

// The start of `text`, for a message.
std::string svg_excerpt(std::string_view text);

// Whether an id can be referred to: letters, digits, and "_.:-".
bool is_svg_id(std::string_view id);

}  // namespace primer
