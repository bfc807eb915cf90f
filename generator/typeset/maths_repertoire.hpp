// Which code points the maths font has glyphs for: site/fonts/repertoire.txt, lines of "U+0041" or
// "U+0041-005A" with anything after a space.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace primer {

class MathsRepertoire {
 public:
  // Lines of another shape are comments; ranges may not overlap.
  static MathsRepertoire parse(std::string_view text);

  bool has(char32_t code) const;
  bool empty() const { return ranges_.empty(); }

 private:
  std::vector<std::pair<char32_t, char32_t>> ranges_;
};

// The mathematical italic that browsers draw for a name of one letter (<mi>x</mi>), or the letter
// itself when it has none.
char32_t maths_italic(char32_t letter);

}  // namespace primer
