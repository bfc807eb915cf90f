// The regular expressions of highlighting queries, of schemas and of languages that a book describes. Not std::regex, which is
// slow, goes one call deeper for each character and so overflows the stack on a long text.
//
// Understood: ^ and $, characters, classes ([A-Z\d_], [^#], \d, \w, \s, .), groups, alternatives, and after any
// of these *, +, ?, {2} or {2,5}. Everything else is refused. A text is looked at once, byte by byte,
// with all states that the pattern can be in: time is proportional to pattern times text, memory to the
// pattern. Letters beyond ASCII are whole characters, but a class names them only by what they are not.
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
  // An error at its place when the pattern uses what is not understood, nests deeper than 16 groups or comes to more
  // than 4,000 steps.
  static figures::Result<TextPattern> parse(std::string_view pattern);

  // Whether the pattern occurs in text.
  bool found_in(std::string_view text) const;

  // The longest match that begins at `from`, of those whose end `may_end` allows; 0: none, or an empty one. `effort` is what
  // may still be spent, a unit for each state at each byte: below that the answer is 0.
  std::size_t length_at(std::string_view text, std::size_t from,
                        const std::function<bool(std::size_t end)>& may_end,
                        std::size_t& effort) const;

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
  Bytes starts_;  // what a match that is not empty may begin with
  // Of a pattern that holds at a text's beginning only: the bytes with one of which such a text begins.
  std::optional<Bytes> first_;
};

}  // namespace primer
