// A drawing as a small picture of itself, for lists: without its words and its grid, which nobody could read there, its lines
// thicker, cut to what is left.
#pragma once

#include <pugixml.hpp>

namespace primer {

// `svg` is a drawing by figures::render or a model, which it turns into its glyph.
void make_glyph(pugi::xml_node svg);

}  // namespace primer
