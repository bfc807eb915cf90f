// Where a reader is: the sections of a chapter beside its text, and the chapters of a book as a strip.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generator/index/index.hpp"
#include "generator/load/messages.hpp"

namespace primer {

// A strip with more parts would show nothing.
inline constexpr std::size_t longest_spine = 24;

// The chapter's sections as a list, HTML, ○ at those that measure; empty where there are fewer than two.
std::string section_list(const ChapterIndex& chapter, const Messages& text);

// Whether the book has the strip below: not where there is one chapter or too many.
bool has_spine(const Index& index);

// The chapters as a list, HTML, each as wide as its reading time: `minutes` are those of the index's
// pages, `at` is the current one. Links begin with `root`. Empty without has_spine().
std::string spine(const Index& index, const std::vector<std::uint64_t>& minutes, std::size_t at,
                  const std::string& root, const Messages& words);

}  // namespace primer
