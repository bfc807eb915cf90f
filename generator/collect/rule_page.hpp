// The page /rules/: every rule with what it means, a text that breaks it, and the mend. Made from the
// table in rule.cpp and the examples in rule_example.cpp, which the tests run.
#pragma once

#include <string>

#include "generator/diagnostic/rule.hpp"

namespace primer {

// The body of the page.
std::string rules_page();

}  // namespace primer
