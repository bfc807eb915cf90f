// How long the outlines of a drawing's shapes are, at most.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "generator/pictures/svg_tree.hpp"

namespace primer {

// The numbers at the beginning of a list, up to what is none; spaces and commas stand between.
std::vector<double> svg_numbers(std::string_view list);

// A length in user units, such as "3", "2mm" or "50%" of `whole`; nothing when it cannot be told ("2em").
// A value that is not a length counts as 0, as browsers take it.
std::optional<double> svg_length(std::string_view value, double whole);

// The length of a path's data in user units, or more: a curve is no longer than the lines between its points.
// What comes after a mistake is not drawn, and not counted.
double svg_path_length(std::string_view data);

// The same of any shape; 0 of what is none. Percentages are taken of `whole`, which is the longest side that
// any part of the drawing has. Nothing when a length cannot be told.
std::optional<double> svg_outline(const SvgNode& shape, double whole);

}  // namespace primer
