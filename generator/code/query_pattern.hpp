// The part of tree-sitter's query language that highlighting uses: nodes by their names, `_`,
// strings, fields, children in their order, alternatives, captures, conditions.
// https://tree-sitter.github.io/tree-sitter/using-parsers/queries
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/code/grammar.hpp"
#include "generator/formats/text_pattern.hpp"

namespace primer {

// A node of a pattern.
struct QueryNode {
  enum class Wanted { symbol, named, any };  // a node of this name; "(_)"; "_"
  Wanted wanted = Wanted::symbol;
  std::uint16_t symbol = 0;             // of the grammar
  std::uint16_t field = 0;              // of its parent that it must be; 0: any or none
  std::vector<std::uint32_t> captures;  // of Query::captures
  std::vector<std::vector<QueryNode>>
      children;  // in this order, others between; each one of several
};

struct QueryCondition {
  std::uint32_t capture = 0;
  std::vector<TextPattern> patterns;  // one of these is found in the node's text …
  std::vector<std::string> values;    // … or it is one of these
};

struct QueryPattern {
  std::vector<QueryNode> alternatives;  // each of one symbol
  std::vector<QueryCondition> conditions;
  // It has a condition that is not understood (of `#match?`, `#eq?` and `#any-of?` only those that
  // compare with a constant are).
  bool ignored = false;
};

struct Query {
  std::vector<QueryPattern> patterns;
  std::vector<std::string> captures;  // their names
};

// Fails for what the grammar does not have, and for what is not understood (Error::offset: where).
figures::Result<Query> parse_query(const Grammar& grammar);

}  // namespace primer
