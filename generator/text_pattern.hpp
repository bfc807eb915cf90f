// The regular expressions of highlighting queries, without std::regex (slow, recursive, and it
// overflows the stack on long lines).
//
// Understood: ^ and $ at the ends, letters, classes ([A-Z\d_], \d, \w, .), groups of alternatives
// made of letters only ((a|b)), and *, + or ? after any of these. Everything else is refused.
// Matching takes time proportional to pattern times text.
#pragma once

#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

class TextPattern {
 public:
  // Nothing when the pattern uses what is not understood.
  static std::optional<TextPattern> parse(std::string_view pattern);

  // Whether the pattern occurs in text.
  bool found_in(std::string_view text) const;

 private:
  using Bytes = std::bitset<256>;

  struct Item {
    Bytes bytes;                            // one byte of these …
    std::vector<std::string> alternatives;  // … or, when there are any, one of these
    bool optional = false;
    bool repeats = false;
  };

  static std::optional<Item> parse_item(std::string_view& rest);
  static std::optional<Bytes> parse_class(std::string_view& rest);
  std::vector<bool> step(const Item& item, std::string_view text, std::vector<bool> from) const;

  std::vector<Item> items_;
  bool from_start_ = false;
  bool to_end_ = false;
};

}  // namespace primer
