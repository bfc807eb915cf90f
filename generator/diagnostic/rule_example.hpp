// For every rule of the table: a text that breaks it, and its mend. The page /rules/ shows them and
// the tests run them, so neither can be out of date.
#pragma once

#include <string>
#include <vector>

#include "generator/diagnostic/rule.hpp"

namespace primer {

struct RuleExample {
  Rule rule;
  // The file of which `wrong` and `right` are the text; empty: a chapter, below its front matter.
  // "primer": a command line.
  std::string file;
  std::string wrong, right;
};

// In the order of the table.
std::vector<RuleExample> rule_examples();

}  // namespace primer
