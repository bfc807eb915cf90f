// Ids and slugs from the names of another tool's files and anchors.
#pragma once

#include <string>
#include <string_view>

namespace primer {

// "My Chapter_01" gives "my-chapter-01". Latin letters lose their accents, and other letters become
// their code points, so that names in any script stay different: "内存" gives "u5185-u5b58". An id
// begins with a letter, so "2024" gives "c-2024".
std::string as_id(std::string_view text);

// The slug of a file without its ending. Numbers that only order files are removed:
// "02_execution" gives "execution".
std::string slug_of_name(std::string_view name);

// "%E5%86%85" → "内", as browsers and other tools write paths.
std::string percent_decoded(std::string_view path);

}  // namespace primer
