// Texts that show nothing.
#pragma once

#include <string_view>

namespace primer {

// Whether a text shows nothing: spaces of every width, the empty Braille cell, soft hyphens, joiners and the like.
bool is_blank(std::string_view text);

}  // namespace primer
