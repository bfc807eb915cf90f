// Which code points the two maths fonts have glyphs for: site/fonts/repertoire.txt.
//
// Lines of "U+0041" or "U+0041-005A", with anything after a space, are in both fonts. Lines of
// "+U+2135-2138" are in the complete font only. A page loads the complete font for formulas that
// need it, so the small font limits nobody.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace primer {

class MathsRepertoire {
 public:
  // Lines of another shape are comments; ranges may not overlap.
  static MathsRepertoire parse(std::string_view text);

  bool has(char32_t code) const { return in_subset(code) || holds(complete_, code); }
  bool in_subset(char32_t code) const { return holds(subset_, code); }
  bool empty() const { return subset_.empty(); }

 private:
  using Ranges = std::vector<std::pair<char32_t, char32_t>>;  // sorted: first and last

  static bool holds(const Ranges& ranges, char32_t code);

  Ranges subset_, complete_;  // complete_: without those of the subset
};

// The mathematical italic that browsers draw for a name of one letter (<mi>x</mi>), or the letter
// itself when it has none.
char32_t maths_italic(char32_t letter);

// The letter or digit that a styled one stands for, and the classes of its style: "𝐚" is "a" in
// "m-tb". Temml writes styled letters for \textbf, \texttt and their like.
struct StyledLetter {
  char plain;
  std::string_view classes;
};
std::optional<StyledLetter> styled_letter(char32_t code);

}  // namespace primer
