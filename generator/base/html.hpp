// Well-formed HTML (valid as XML too): elements are closed by construction, text is escaped by it.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace primer {

// Text content or attribute value: & < > " escaped, control characters (which XML cannot hold, and
// which the pipeline uses as marks) dropped.
std::string escape(std::string_view text);

struct Attribute {
  std::string_view name;
  std::string value;
  bool there = true;  // false: left out
};

class Html {
 public:
  using Attributes = std::initializer_list<Attribute>;

  Html& open(std::string_view tag, Attributes attributes = {});
  Html& close();                                                  // the innermost open element
  Html& empty(std::string_view tag, Attributes attributes = {});  // <br/>, <img …/>
  Html& text(std::string_view text);                              // escaped
  Html& raw(std::string_view html);                               // trusted, well-formed
  Html& element(std::string_view tag, Attributes attributes, std::string_view text);
  Html& line();  // a line break, for readable output

  std::size_t size() const { return out_.size(); }  // so far, in bytes
  // The whole text; every element must be closed.
  std::string take();

 private:
  void tag(std::string_view name, Attributes attributes, std::string_view end);

  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace primer
