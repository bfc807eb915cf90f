// What an SVG file must not hold to be published. In a page it is an <img>, which runs nothing; but
// its address can be opened by itself, and then it is a document of the site.
#pragma once

#include <string>
#include <string_view>

namespace primer {

// Why the file is refused, "it holds a <script>"; empty when it may be published. Only drawing
// passes: no scripts, handlers, styles that load, foreign content, processing instructions, document
// types, and no address that is not a place in the same file.
std::string svg_fault(std::string_view bytes);

}  // namespace primer
