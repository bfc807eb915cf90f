#include "generator/host/browser/page_maths.hpp"

#include <nlohmann/json.hpp>

#include "generator/host/browser/page_calls.hpp"

namespace primer {

std::vector<figures::Result<std::string>> convert_in_page(
    const std::vector<const Formula*>& formulas) {
  std::vector<figures::Result<std::string>> converted;
  if (formulas.empty()) return converted;
  std::string request = "[";
  for (std::size_t i = 0; i < formulas.size(); ++i)
    request += (i > 0 ? "," : "") + formula_request(*formulas[i], i);
  const auto answers = nlohmann::json::parse(page_typeset(request + ']'), nullptr, false);
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    const bool answered = answers.is_array() && i < answers.size();
    auto one = answered ? converted_formula(answers[i].dump(), i) : std::nullopt;
    converted.push_back(
        one ? std::move(*one)
            : about_formula(*formulas[i], "the formula converter fails on this formula"));
  }
  return converted;
}

}  // namespace primer
