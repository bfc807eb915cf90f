// Finds syntax of other tools that Markdown would print unchanged: includes, shortcodes,
// directives, attributes. A page that shows "{{#include x}}" to its readers is a mistake that
// nobody sees in the source.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace primer {

struct ForeignSyntax {
  std::size_t offset = 0, length = 0;  // in the text
  std::string whose;                   // "mdBook's"
  std::string form;                    // what to write here instead
};

// The surroundings of a text node.
struct TextPlace {
  bool begins_line = false;   // the text begins a line of its paragraph
  bool begins_block = false;  // the text begins its paragraph
  bool before_code = false;
  bool behind_mark = false;  // after an image, a link or code
  bool in_bracket = false;   // after a "[" that is not closed
};

// The first foreign syntax in a text that has no escapes.
std::optional<ForeignSyntax> foreign_syntax(std::string_view text, TextPlace place);

}  // namespace primer
