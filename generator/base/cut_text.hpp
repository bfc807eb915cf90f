// What a diagnostic keeps of a text that anybody may have made as long as he likes.
#pragma once

#include <string>
#include <string_view>

namespace primer {

struct CutLine {
  std::string text;  // at most `most` bytes; "…" stands where something is left out
  int column = 1;    // of the place in it, in characters, from 1
};

// The part of a line around one of its bytes, cut between characters.
CutLine cut_around(std::string_view line, std::size_t at, std::size_t most = 300);

// A sentence of at most `most` bytes: of a longer one the beginning and the end, cut between
// characters, with "…" for what is left out.
std::string shortened(std::string text, std::size_t most = 600);

}  // namespace primer
