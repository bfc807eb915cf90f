// SVG files as they are published: written anew by primer, so that no byte of the contributor's file
// reaches a browser.
//
// In a page a drawing is an <img>, which runs nothing; but its address can be opened by itself, and then
// it is a document of the site. What is written holds only elements and attributes of a list, no style
// sheet, no link, and no address but places in the same file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "figures/base/result.hpp"
#include "generator/pictures/image_size.hpp"

namespace primer {

inline constexpr std::size_t most_svg_bytes = 1'000'000;

struct SvgImage {
  std::string bytes;
  std::optional<ImageSize> size;  // nothing where the drawing has none of its own
};

// The same file gives the same bytes. Comments, metadata, a DOCTYPE without declarations, processing
// instructions and elements of other namespaces are left out; simple style sheets become attributes;
// everything else that is not on the lists is an error, whose place is one in `file`.
figures::Result<SvgImage> clean_svg(std::string_view file);

}  // namespace primer
