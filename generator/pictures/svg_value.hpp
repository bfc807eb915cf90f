// What an attribute or a CSS property of a drawing may say.
//
// Both come from lists, and a value is written anew from parts that are known: numbers, words, colours,
// transforms, and "url(#id)" for a place in the same file. There is no way to write any other address.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "figures/base/result.hpp"

namespace primer {

using SvgProperties =
    std::map<std::string, std::string>;  // presentation attributes and their values

// Adds what an attribute without a prefix comes to: itself, several, or nothing when it draws nothing. An
// error when it cannot be published. Not for "id", "class", "style" and "href".
figures::Status take_svg_attribute(std::string_view name, std::string_view value,
                                   SvgProperties& to);

// The same of a declaration in a style sheet. A property that is not on the lists is an error.
figures::Status take_svg_property(std::string_view name, std::string_view value, SvgProperties& to);

// The beginning of what somebody wrote, for a message.
std::string svg_excerpt(std::string_view text);

// Whether an id can be referred to: letters, digits, and "_.:-".
bool is_svg_id(std::string_view id);

}  // namespace primer
