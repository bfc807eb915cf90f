// Shows where a reader is: the sections of a chapter next to its text, and the chapters of the book
// as a strip.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generator/core/index/index.hpp"
#include "generator/core/load/messages.hpp"

namespace primer {

// With more chapters, the parts of the strip would be too small to read.
inline constexpr std::size_t longest_spine = 24;

// HTML list of the chapter's sections, with ○ at those that measure. Empty if there are fewer than
// two.
std::string section_list(const ChapterIndex& chapter, const Messages& text);

// HTML list of the chapters, each as wide as its reading time. `minutes` are those of the pages in
// `index`, `at` is the current page and `root` the prefix of links. Empty unless
// there are at least two chapters and at most longest_spine.
std::string spine(const Index& index, const std::vector<std::uint64_t>& minutes, std::size_t at,
                  const std::string& root, const Messages& words);

}  // namespace primer
