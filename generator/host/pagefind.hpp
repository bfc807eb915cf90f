// Runs Pagefind, which makes the search index. It is installed by npm. The protocol is that of its
// own Node library: JSON messages in base64, separated by commas.
#pragma once

#include <filesystem>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/tools/search/indexed_text.hpp"
#include "generator/tools/search/word_lists.hpp"

namespace primer {

// Finds the program in node_modules/ below `home`. Empty if it is not installed.
std::filesystem::path find_pagefind(const std::filesystem::path& home);

// Makes an index of `sections` and returns the files that pages use. Pagefind's own user interface
// is dropped. The error says what failed.
figures::Result<std::vector<SearchFile>> pagefind_index(const std::filesystem::path& program,
                                                        const std::vector<PageSection>& sections);

}  // namespace primer
