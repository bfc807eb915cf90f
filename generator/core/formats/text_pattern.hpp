// A small regular expression engine for highlighting queries, schemas and the languages that a book
// describes. std::regex is slow, and it recurses once per character, so a long text overflows the
// stack.
//
//   pattern --> Parser --> Step[]: bytes | fork | begin | end | found   (Thompson's NFA)
//   text    --> all states that the pattern can be in, advanced byte by byte
//
// Time is proportional to pattern times text, and memory to the pattern, whatever the pattern. The
// engine supports ^ and $, characters, classes ([A-Z\d_], [^#], \d, \w, \s, .), groups,
// alternatives, and the quantifiers *, +, ?, {2} and {2,5}. Everything else is an error. A
// character beyond ASCII counts as one character, but a class can contain such characters only by
// negation.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"

namespace primer {

class TextPattern {
 public:
  // Fails at the position of anything unsupported, of groups nested deeper than 16, or if the
  // pattern needs more than 4,000 steps.
  static figures::Result<TextPattern> parse(std::string_view pattern);

  // Whether the pattern occurs anywhere in the text.
  bool found_in(std::string_view text) const;

  // The length of the longest match that starts at `from` and ends where `may_end` allows; 0 if
  // there is none or it is empty. `effort` is the remaining budget, one unit per state and byte. If
  // it runs out, the result is 0.
  std::size_t length_at(std::string_view text, std::size_t from,
                        const std::function<bool(std::size_t end)>& may_end,
                        std::size_t& effort) const;

  using Bytes = std::bitset<256>;
  struct Step {
    enum class Kind { bytes, fork, begin, end, found };
    Kind kind = Kind::found;
    Bytes bytes = {};         // the bytes that this step accepts
    std::uint32_t next = 0;   // index of the next step
    std::uint32_t other = 0;  // second branch of a fork
  };

 private:
  std::vector<Step> steps_;
  Bytes starts_;  // bytes that a non-empty match can start with
  // For a pattern anchored at the start: the bytes that a matching text can start with.
  std::optional<Bytes> first_;
};

}  // namespace primer
