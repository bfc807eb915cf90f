// A grammar's highlighting query, compiled: which syntax nodes get which colour.
//
// tree-sitter has an engine for queries. Compiling one searches the grammar's tables for patterns
// that cannot match: 50 ms for three languages, as long as it takes to parse five hundred blocks of
// code. So what highlighting needs of queries (query_pattern.hpp) is matched here, and a test holds
// what is found against tree-sitter's engine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/code/grammar.hpp"
#include "generator/code/paint.hpp"
#include "generator/code/query_pattern.hpp"

namespace primer {

// Safe to use from several threads at once.
class HighlightQuery {
 public:
  HighlightQuery(HighlightQuery&&) = default;
  HighlightQuery& operator=(HighlightQuery&&) = default;
  // Fails like parse_query().
  static figures::Result<HighlightQuery> compile(const Grammar& grammar);

  // A node that a pattern has captured.
  struct Span {
    std::uint32_t begin = 0, end = 0;        // bytes of the code
    std::uint32_t pattern = 0, capture = 0;  // of the query
  };
  // In no order; a span that several matches have is there several times. Fails only when parsing
  // takes more than some seconds: the text is made to be slow.
  figures::Result<std::vector<Span>> spans(std::string_view code) const;
  // Fails like spans().
  figures::Result<Painting> paint(std::string_view code) const;

  const Query& query() const { return query_; }

 private:
  HighlightQuery() = default;
  // A pattern that begins with a node.
  struct Root {
    std::uint32_t pattern = 0;
    const QueryNode* node = nullptr;  // of query_
  };
  class Matcher;

  const TSLanguage* language_ = nullptr;
  Query query_;
  std::vector<Paint> paints_;             // of its captures
  std::vector<std::vector<Root>> roots_;  // for each symbol of the grammar
};

}  // namespace primer
