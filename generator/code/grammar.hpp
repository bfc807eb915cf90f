// The grammars that are compiled in, with their highlighting queries (see grammars.cmake).
#pragma once

#include <span>
#include <string_view>

struct TSLanguage;

namespace primer {

struct Grammar {
  std::string_view name;
  const TSLanguage* (*language)();
  std::string_view query;  // tree-sitter's query language
};

std::span<const Grammar> grammars();

}  // namespace primer
