// Cleans SVG files: parses them, checks everything against allowlists, and serializes the result.
//
//   file -> pugixml -> Reader: allowlists of elements, attributes and values (svg_value.hpp)
//        -> drop unused ids -> Drawing: limits -> write() -> bytes
//
// The attacker is a stranger who sends an image for somebody's book. A page shows it as an <img>,
// which runs no scripts, but anybody can open its URL, and then it is a document of our site. A
// script in it could do what the site's scripts can, an external URL would report each reader to a
// third party, and invisible characters could hide what the file says. So no byte of the file is
// copied. The output has only listed elements and attributes, no style sheet, no link, and no URL
// but "#id".
//
// A drawing that is slow to draw slows only the tab that shows it, so the limits are simple. They
// bound the time and memory of a build and stop the usual ways to make a small file draw millions
// of elements, but they do not count dashes or pixels.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "figures/base/result.hpp"
#include "generator/core/pictures/image.hpp"

namespace primer {

inline constexpr std::size_t most_svg_bytes = 1'000'000;    // of a file
inline constexpr std::size_t most_svg_attribute = 200'000;  // bytes of one, such as a path's data
// drawn elements, counted once per reference
inline constexpr std::size_t most_svg_elements = 5000;
inline constexpr int most_svg_references = 20;  // nesting of references

struct SvgImage {
  std::string bytes;
  std::optional<ImageSize> size;  // nothing: the drawing has no size
};

// Deterministic. Drops comments, metadata, a DOCTYPE without declarations, processing instructions
// and elements of other namespaces. Converts simple style sheets to attributes. Anything else that
// is not allowed is an error, whose offset is in `file`.
figures::Result<SvgImage> clean_svg(std::string_view file);

}  // namespace primer
