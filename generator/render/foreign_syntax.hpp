// What other tools read and Markdown prints as it is: includes, shortcodes, directives, attributes. A page that shows
// "{{#include x}}" to its readers is a mistake that nobody sees in the source.
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

// Where a text between marks stands.
struct TextPlace {
  bool begins_line = false;   // of a paragraph
  bool begins_block = false;  // the paragraph's first
  bool before_code = false;
  bool behind_mark = false;  // an image, a link or code
  bool in_bracket = false;   // after a "[" that nothing has closed
};

// The first in a text that was written without escapes.
std::optional<ForeignSyntax> foreign_syntax(std::string_view text, TextPlace place);

}  // namespace primer
