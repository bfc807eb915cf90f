// A text of another tool, between its blocks of code, as the book's Markdown: HTML as marks, links to where they lead
// now, formulas as GitHub reads them, shortcodes and attributes left out. What it cannot say it reports.
#pragma once

#include <string>
#include <string_view>

#include "generator/tools/import/links.hpp"

namespace primer {

class Rewriter {
 public:
  Rewriter(Links& links, const std::string& file, Lowered& lowered)
      : links_(links), file_(file), lowered_(lowered) {}

  // `line` is that of the text's beginning.
  std::string rewrite(std::string_view text, int line);

 private:
  void step();
  bool code_span();
  bool comment();
  bool tag();
  bool element(const std::string& name, std::string_view inside, bool closes);
  bool whole_element(const std::string& name, std::string_view inside);
  bool shortcode();
  bool attributes();
  bool image();
  void show_image(const std::string& words, const std::string& target);
  bool link_target();
  bool definition();
  bool display_formula();
  bool formula();
  bool tex_brackets();
  void report(const std::string& what, const std::string& fate);
  std::string nested(std::string_view text);
  bool at_line_start() const;
  std::string_view rest() const { return text_.substr(at_); }

  Links& links_;
  const std::string file_;
  Lowered& lowered_;
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::string out_;
};

// The end of the tag that begins at 0, behind its ">"; npos where it is none. Quoted values may hold any sign.
std::size_t tag_end(std::string_view text);
// The value of an attribute of a tag, its entities read; "" where it has none.
std::string attribute_of(std::string_view tag, std::string_view name);

}  // namespace primer
