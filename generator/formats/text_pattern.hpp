// The regular expressions of highlighting queries and of schemas. Not std::regex, which is slow, goes
// one call deeper for each character and so overflows the stack on a long text.
//
// Understood: ^ and $, bytes, classes ([A-Z\d_], [^#], \d, \w, .), groups, alternatives, and after any
// of these *, +, ?, {2} or {2,5}. Everything else is refused. A text is looked at once, byte by byte,
// with all states that the pattern can be in: time is proportional to pattern times text, memory to the
// pattern.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace primer {

class TextPattern {
 public:
  // Nothing when the pattern uses what is not understood, nests deeper than 16 groups or comes to more
  // than 4,000 steps.
  static std::optional<TextPattern> parse(std::string_view pattern);

  // Whether the pattern occurs in text.
  bool found_in(std::string_view text) const;

  using Bytes = std::bitset<256>;
  struct Step {
    enum class Kind { bytes, fork, begin, end, found };
    Kind kind = Kind::found;
    Bytes bytes = {};         // one of which must stand there
    std::uint32_t next = 0;   // step
    std::uint32_t other = 0;  // of a fork
  };

 private:
  std::vector<Step> steps_;
  // Of a pattern that holds at a text's beginning only: the bytes with one of which such a text begins.
  std::optional<Bytes> first_;
};

}  // namespace primer
