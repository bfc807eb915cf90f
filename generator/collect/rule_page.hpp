// The page /rules/: every rule with what it means, a text that breaks it, and the mend. Made from the
// table in rule.cpp and the examples in rule_example.cpp, which the tests run.
#pragma once

#include <string>

#include "generator/diagnostic/rule.hpp"

namespace primer {

inline constexpr const char* rules_url = "rules/";

// The body of the page.
std::string rules_page();

// "https://…/rules/#unknown-fact"; without a base URL from the site's root.
std::string rule_address(Rule rule, const std::string& base_url);

}  // namespace primer
