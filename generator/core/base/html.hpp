// Writes well-formed HTML that is also valid XML. Html closes elements in the right order and
// escapes text, so a caller cannot forget either.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace primer {

// Escapes & < > " for text content and attribute values. Drops control characters, because XML does
// not allow them and the pipeline uses them as marks.
std::string escape(std::string_view text);

struct Attribute {
  std::string_view name;
  std::string value;
  bool there = true;  // false: the attribute is omitted
};

class Html {
 public:
  using Attributes = std::initializer_list<Attribute>;

  Html& open(std::string_view tag, Attributes attributes = {});
  Html& close();  // closes the innermost open element
  Html& empty(std::string_view tag, Attributes attributes = {});  // <br/>, <img …/>
  Html& text(std::string_view text);                              // escapes the text
  Html& raw(std::string_view html);  // inserts trusted, well-formed HTML unchanged
  Html& element(std::string_view tag, Attributes attributes, std::string_view text);
  Html& line();  // a line break in the source, for readability

  std::size_t size() const { return out_.size(); }  // bytes written so far
  // Moves the document out. Every element must be closed.
  std::string take();

 private:
  void tag(std::string_view name, Attributes attributes, std::string_view end);

  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace primer
