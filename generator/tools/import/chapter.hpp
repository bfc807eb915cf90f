// One chapter of another tool as a chapter of the book's Markdown.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/tools/import/links.hpp"

namespace primer {

struct NewChapter {
  std::string title;
  std::string text;                  // without front matter
  std::vector<std::string> aliases;  // former addresses that it names, as it writes them
};

// `copies` gets the images that it shows: new path, old one.
NewChapter new_chapter_of(const FileSystem& files, const NewPlaces& places, const ForeignBook& book,
                          const ForeignChapter& chapter, std::map<std::string, std::string>& copies,
                          Lowered& lowered);

// The ids that a text gives to its headings by hand, and those that they have by their words.
std::map<std::string, std::string> given_ids(std::string_view text);

}  // namespace primer
