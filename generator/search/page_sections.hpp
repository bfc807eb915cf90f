// The sections of a published page, each a small page of its own for the search index, because chapters are long and
// readers look for a place in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace primer {

struct PageSection {
  std::string url;   // of the page, with "#id" where it has one
  std::string html;  // with the chapter's title as what the index keeps beside it
};

// `page` is one that this program made. What stands before its first section comes first.
std::vector<PageSection> sections_of(std::string_view url, std::string_view page);

// Whether search engines are asked to leave a page out, and so does the index.
bool is_unlisted(std::string_view page);

}  // namespace primer
