// Pagefind, the program that makes a search index of sections. It comes with the packages of npm and is spoken to as its
// own library for Node does: in JSON, base64 and commas.
#pragma once

#include <filesystem>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/search/page_sections.hpp"
#include "generator/search/word_lists.hpp"

namespace primer {

// Below `home`, the program's own directory; empty when it is not there.
std::filesystem::path find_pagefind(const std::filesystem::path& home);

// What pages ask for: the rest of Pagefind's files are its own user interface. An error says what does not work.
figures::Result<std::vector<SearchFile>> pagefind_index(const std::filesystem::path& program,
                                                        const std::vector<PageSection>& sections);

}  // namespace primer
