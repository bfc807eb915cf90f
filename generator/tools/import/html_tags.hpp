// Splits raw HTML into tags, texts and comments.
#pragma once

#include <string>
#include <string_view>

namespace primer {

// The length of the tag at the start of the text, with its ">"; npos if there is none. Quoted
// values may hold any character.
std::size_t tag_length(std::string_view text);

struct HtmlTag {
  std::string whole;
  std::string name;  // lower case: "d-footnote"
  bool closes = false;
  bool closes_itself = false;  // "<x/>", and void elements such as <img>

  // The value of an attribute with its entities decoded; "" if it has none.
  std::string attribute(std::string_view key) const;
};
HtmlTag html_tag(std::string_view whole);

// Replaces "&lt;", "&#39;", "&nbsp;" and the like by their characters.
std::string with_entities_decoded(std::string_view text);

// Without tags, with entities decoded.
std::string text_of_html(std::string_view html);

// Whether this is the name of an HTML element. Other names, such as that of <T>, are text of a
// programming language unless they have attributes or a hyphen.
bool is_html_element(std::string_view name);

}  // namespace primer
