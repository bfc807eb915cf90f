// A language of code that a book itself describes: which words it has, and between which signs its comments and texts stand.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "generator/base/pack.hpp"

namespace primer {

struct WordLanguage {
  std::string name;                                                    // as fences write it
  std::vector<std::string> keywords = {}, types = {}, constants = {};  // words
  std::vector<std::string> comments = {};  // what begins one, up to the line's end
  std::vector<std::pair<std::string, std::string>> block_comments = {};  // their two ends
  std::vector<std::string> strings = {};  // what a text stands between
  std::vector<std::string> attributes = {},
                           variables = {};  // what a word of these begins with: "@", "$"
  std::string word_characters = {};         // besides letters, digits and "_"
  std::vector<std::string> files = {};      // how names of its files end, for listings
  bool any_case = false;                    // words mean the same in capitals

  // What is coloured as a keyword, a number, … by the patterns of its kind, in the order of the book: each is one that
  // TextPattern understands.
  struct Pattern {
    std::string kind, pattern;
  };
  std::vector<Pattern> patterns = {};

  void pack(Packer& packer) const {
    packer.add(name);
    for (const auto* all :
         {&keywords, &types, &constants, &comments, &strings, &attributes, &variables, &files})
      packer.add(*all);
    packer.add(std::uint64_t{block_comments.size()});  // pairs, as patterns are
    for (const auto& [open, close] : block_comments) packer.add(open), packer.add(close);
    for (const auto& [kind, pattern] : patterns) packer.add(kind), packer.add(pattern);
    packer.add(word_characters);
    packer.add(std::uint64_t{any_case});
  }
};

}  // namespace primer
