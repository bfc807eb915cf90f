// What GitHub would not render as the site does.
//
// GitHub reads Markdown before it reads a formula between dollars, so backslash escapes, emphasis
// and tags inside are taken away from it. Formulas between "$`" and "`$" and in ```math
// blocks reach it whole. In tables a "|" ends the cell, whatever stands around it.
#pragma once

#include <optional>
#include <string_view>

#include "figures/base/result.hpp"

namespace primer {

enum class MathsForm { dollars, double_dollars, backticks, block };

// Whether the formula stands on lines of its own.
constexpr bool is_display(MathsForm form) {
  return form == MathsForm::double_dollars || form == MathsForm::block;
}

// What would go wrong with this formula (pointing into `tex`), with what to write instead.
std::optional<figures::Error> unlike_github(std::string_view tex, MathsForm form, bool in_table);

// Plain text, after its formulas have been taken out, in which a formula was meant: "$…$" beside a
// letter or digit, or "$x" that nothing closes. Neither GitHub nor the site reads that as a formula.
std::optional<figures::Error> unread_formula(std::string_view text);

}  // namespace primer
