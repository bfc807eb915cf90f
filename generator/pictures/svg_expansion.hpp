// How much a drawing comes to when it is drawn. A kilobyte of elements that use each other can stand for
// a thousand million, and a browser draws them all.
#pragma once

#include <cstdint>

#include "figures/base/result.hpp"
#include "generator/pictures/svg_tree.hpp"

namespace primer {

inline constexpr std::size_t most_svg_elements = 5000;
inline constexpr std::size_t most_svg_details = 100'000;

// How many numbers a value holds.
std::uint64_t count_svg_numbers(std::string_view value);

// An error when something refers to itself, or when the drawing has more elements, or more numbers and
// characters in them, where each <use>, marker, pattern, mask and clip path is counted as often as it is drawn.
figures::Status check_expansion(const SvgNode& root);

}  // namespace primer
