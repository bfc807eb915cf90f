// The counted nouns of a number, in addition to its dimension: FLOP or op, tokens, chips. "5
// tokens" and "5 GPUs" are both plain numbers, and FLOP and op have the same dimension, but neither
// can replace the other.
//
// Products and quotients multiply counts like units. A number without a noun matches any count:
// "12" layers. A share or a factor (%, ×, times) has its own kind until it is multiplied by
// something.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "figures/quantities/expression.hpp"

namespace figures {

using Counting = std::map<std::string, int, std::less<>>;  // noun → exponent, never 0

// "tok/s" counts tokens, "Top/s" op, "GB/s" nothing. Words that are not units count nothing.
Counting counting_of_unit(std::string_view unit);

// The count of the expression's value. `of` returns the count of a name. Error: the expression adds
// or compares different counts; the span is in the source.
Result<Counting> counting_of(const Expression& expression,
                             const std::function<Counting(const Name&)>& of);

// Why the text must not stand for a number that counts `exact` ("it counts op, not FLOP"), or
// nothing if it may. If `computed`, a ratio may be a share or a factor regardless of its nouns,
// because not every name in its expression declares what it counts.
std::optional<std::string> miscount(const Literal& text, const Counting& exact,
                                    bool computed = false);

}  // namespace figures
