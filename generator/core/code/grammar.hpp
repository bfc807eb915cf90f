// The compiled-in tree-sitter grammars with their highlighting queries. grammars.cmake generates
// the definition.
#pragma once

#include <span>
#include <string_view>

struct TSLanguage;

namespace primer {

struct Grammar {
  std::string_view name;
  const TSLanguage* (*language)();
  std::string_view query;  // in tree-sitter's query language
};

std::span<const Grammar> grammars();

}  // namespace primer
