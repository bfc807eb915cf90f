// Cleans the MathML that Temml writes for a formula, so that our pages can show it.
//
// The pages' Content-Security-Policy forbids style attributes. Each value that Temml writes into
// one therefore has a class in a finite table, and site/styles/maths.css says what the class looks
// like. A value without a class is an error, and so is an element, attribute or character that the
// pages cannot show. Ids, links and namespaces are dropped.
//
// Few formulas need more than the default styles. Their <math> has the class "m-more", and the page
// loads site/sheets/maths-more.css. If it also has the class "m-all", the page uses the complete
// font.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "figures/base/result.hpp"

namespace primer {

// The code points for which the two math fonts have glyphs: site/fonts/repertoire.txt. A line
// "U+0041" or "U+0041-005A" names code points in both fonts, a line "+U+2135-2138" code points in
// the complete font only. Text after a space is ignored. Pages load the complete font only for
// formulas that need it.

class MathsRepertoire {
 public:
  // Other lines are comments. Ranges must not overlap.
  static MathsRepertoire parse(std::string_view text);

  bool has(char32_t code) const { return in_subset(code) || holds(complete_, code); }
  bool in_subset(char32_t code) const { return holds(subset_, code); }
  bool empty() const { return subset_.empty(); }

 private:
  using Ranges = std::vector<std::pair<char32_t, char32_t>>;  // sorted pairs of first and last

  static bool holds(const Ranges& ranges, char32_t code);

  Ranges subset_, complete_;  // complete_ lacks the ranges of the subset
};

// The mathematical italic that browsers draw for a name of one letter (<mi>x</mi>), or the letter
// itself if there is none.
char32_t maths_italic(char32_t letter);

// A styled letter or digit as a plain one and the classes of its style: "𝐚" is "a" with "m-tb".
// Temml writes such letters for \textbf, \texttt and similar commands.
struct StyledLetter {
  char plain;
  std::string_view classes;
};
std::optional<StyledLetter> styled_letter(char32_t code);

// The result is well-formed XHTML. Errors are about the whole formula (offset and length 0).
figures::Result<std::string> clean_mathml(std::string_view mathml,
                                          const MathsRepertoire& repertoire);

}  // namespace primer
