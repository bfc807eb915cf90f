// Colors code with a tree-sitter grammar and its highlighting query.
//
//   query text -> tree-sitter -> TSQuery, Condition[] per pattern, Paint per capture
//   code -> tree-sitter -> matches -> those whose conditions hold -> spans -> Painting
//
// tree-sitter matches the nodes of a query but leaves its predicates, such as
// (#eq? @name "self"), to the program. We support `#match?`, `#eq?` and `#any-of?` if they compare
// a capture with constants. A pattern with any other predicate is disabled.
//
// Compiling a query takes 39 ms of CPU for C++, 17 for TypeScript and 14 for Rust, so it happens
// once per language and process, for the first block that is not in the cache.
// https://tree-sitter.github.io/tree-sitter/using-parsers/queries
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/core/code/paint.hpp"
#include "generator/core/formats/text_pattern.hpp"

struct TSLanguage;
struct TSQuery;

namespace primer {

struct Grammar {
  std::string_view name;
  const TSLanguage* (*language)();
  std::string_view query;  // in tree-sitter's query language
};

// The compiled-in grammars with their highlighting queries. grammars.cmake generates the
// definition.
std::span<const Grammar> grammars();

// Immutable after compile(), so any number of threads may use it.
class HighlightQuery {
 public:
  // If tree-sitter cannot compile the query, the error has the offset where it stopped.
  static figures::Result<HighlightQuery> compile(const Grammar& grammar);

  // Fails only if parsing takes several seconds, which only code written to be slow can cause.
  figures::Result<Painting> paint(std::string_view code) const;

  // How many patterns are disabled, because a condition is not supported.
  std::size_t disabled() const { return disabled_; }

 private:
  struct Condition {
    std::uint32_t capture = 0;
    std::vector<TextPattern> patterns;  // the node's text must match one of these …
    std::vector<std::string> values;    // … or equal one of these

    bool holds(std::string_view text) const;
  };

  HighlightQuery() = default;
  // Sets `conditions`. False: one of them is not supported.
  bool read_conditions(std::uint32_t pattern, std::vector<Condition>& conditions) const;

  const TSLanguage* language_ = nullptr;
  std::shared_ptr<TSQuery> query_;
  std::vector<std::vector<Condition>> conditions_;  // per pattern
  std::vector<Paint> paints_;                       // per capture
  std::size_t disabled_ = 0;
};

}  // namespace primer
