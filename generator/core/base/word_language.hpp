// A programming language that book.yaml describes: its keywords, and how its comments and strings
// start and end. code/highlight.hpp highlights it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "generator/core/base/pack.hpp"

namespace primer {

struct WordLanguage {
  std::string name;  // as written after the fence
  std::vector<std::string> keywords = {}, types = {}, constants = {};
  std::vector<std::string> comments = {};  // start of a comment that ends with the line
  std::vector<std::pair<std::string, std::string>> block_comments = {};  // start and end
  std::vector<std::string> strings = {};  // quotes: a string starts and ends with the same one
  std::vector<std::string> attributes = {}, variables = {};  // prefixes of such words: "@", "$"
  std::string word_characters = {};     // in addition to letters, digits and "_"
  std::vector<std::string> files = {};  // file name endings, for listings
  bool any_case = false;                // keywords are case-insensitive

  // Regular expressions that TextPattern understands. A match is highlighted as `kind` (keyword,
  // number, …). In the order of book.yaml.
  struct Pattern {
    std::string kind, pattern;
  };
  std::vector<Pattern> patterns = {};
};

auto packed_members(Is<WordLanguage::Pattern> auto& one) {
  auto& [kind, pattern] = one;
  return std::tie(kind, pattern);
}

auto packed_members(Is<WordLanguage> auto& one) {
  auto& [name, keywords, types, constants, comments, block_comments, strings, attributes, variables,
         word_characters, files, any_case, patterns] = one;
  return std::tie(name, keywords, types, constants, comments, block_comments, strings, attributes,
                  variables, word_characters, files, any_case, patterns);
}

}  // namespace primer
