// An SVG file's elements as primer keeps them: read, checked against the lists, without styles.
#pragma once

#include <string_view>

#include "figures/base/result.hpp"
#include "generator/pictures/svg_tree.hpp"

namespace primer {

// The root element, which is <svg>. Errors are those of clean_svg(), but for what the drawing comes to.
figures::Result<SvgNode> read_svg(std::string_view file);

}  // namespace primer
