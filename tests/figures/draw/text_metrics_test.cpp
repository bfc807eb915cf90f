#include "figures/draw/text_metrics.hpp"
#include "catch.hpp"

using figures::missing_glyph;
using figures::text_width;
using figures::Weight;

TEST_CASE("a line is as wide as its advance widths together", "[text_metrics]") {
  CHECK(text_width("", 16, Weight::regular) == 0);
  CHECK_THAT(text_width("0123456789", 10, Weight::regular), WithinAbs(49.7, 1e-9));
  CHECK_THAT(text_width("0123456789", 10, Weight::semibold), WithinAbs(51.3, 1e-9));
  const auto width = [](const char* text) { return text_width(text, 12, Weight::regular); };
  CHECK_THAT(width("GFLOP/s"), WithinAbs(width("GF") + width("LOP/s"), 1e-9));
}

TEST_CASE("digits have one width, so columns of numbers line up", "[text_metrics]") {
  for (const char* digit : {"0", "1", "4", "7", "9"}) {
    CHECK(text_width(digit, 10, Weight::regular) == text_width("8", 10, Weight::regular));
  }
}

TEST_CASE("what the font lacks is found", "[text_metrics]") {
  CHECK_FALSE(missing_glyph("β ≈ 2⁻³ FLOP·s⁻¹ → ½ µs, 64–128 €"));
  CHECK(missing_glyph("a 中 b") == U'中');
  CHECK(missing_glyph("broken \xc3(") == char32_t(0xfffd));
  CHECK(missing_glyph("cut \xe2\x89") == char32_t(0xfffd));
  CHECK(text_width("中", 10, Weight::regular) == text_width("0", 10, Weight::regular));
}
