// Ids of a page: what the frame and the generator write must not be a heading's too, or links to one lead
// to the other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/diagnostic/diagnostic.hpp"
#include "generator/index/index.hpp"

namespace primer {

// Ids that every page has around its text (site/templates/page.mustache); of the home page also those
// of its lists.
std::vector<std::string> frame_ids(bool home);

// Ids that elements of well-formed HTML have more than once, or that are among `taken`; each once, sorted.
std::vector<std::string> repeated_ids(std::string_view html, const std::vector<std::string>& taken);

// Reports the ids that a page would have twice, at the heading or block of that id.
void check_ids(const ChapterIndex& chapter, const Source& source, std::string_view html,
               Diagnostics& diagnostics);

}  // namespace primer
