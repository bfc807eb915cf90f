// The width of text in figures, computed without a browser.
//
// All text in figures uses one self-hosted font (site/fonts: Roofline Figure, 400 and 600) without
// kerning or ligatures, so the width of a line is the sum of its advance widths. scripts/fonts
// writes these widths into text_metrics_table.hpp, and both builds of the renderer compile it in.
#pragma once

#include <optional>
#include <string_view>

#include "figures/draw/text_metrics_table.hpp"

namespace figures {

enum class Weight { regular, semibold };

// Width of one line of UTF-8 text, in the unit of `size` (the font size, usually px). A code point
// missing from the font counts as wide as a digit; missing_glyph() finds it.
double text_width(std::string_view utf8, double size, Weight weight);

// The first code point that is missing from the figure font (U+FFFD for a byte that is not UTF-8).
std::optional<char32_t> missing_glyph(std::string_view utf8);

// Vertical metrics as fractions of the font size; `descent` is positive.
inline constexpr double x_height = double(table::x_height) / table::units_per_em;
inline constexpr double cap_height = double(table::cap_height) / table::units_per_em;
inline constexpr double ascent = double(table::ascent) / table::units_per_em;
inline constexpr double descent = double(table::descent) / table::units_per_em;

}  // namespace figures
