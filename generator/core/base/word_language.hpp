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

  void pack(Packer& packer) const {
    packer.add(name);
    for (const auto* all :
         {&keywords, &types, &constants, &comments, &strings, &attributes, &variables, &files})
      packer.add(*all);
    // a count, because pairs follow; the same for patterns
    packer.add(std::uint64_t{block_comments.size()});
    for (const auto& [open, close] : block_comments) packer.add(open), packer.add(close);
    for (const auto& [kind, pattern] : patterns) packer.add(kind), packer.add(pattern);
    packer.add(word_characters);
    packer.add(std::uint64_t{any_case});
  }
};

}  // namespace primer
