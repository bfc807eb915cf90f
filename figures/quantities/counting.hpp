// What a number counts, beside its dimension: operations of one kind or another, tokens, chips. "5 tokens"
// and "5 GPUs" are both plain numbers, and FLOP and op have one dimension, but neither stands for the other.
//
// Products and quotients multiply counts as units do, and a number without a noun takes any: "12" layers. A
// share or a factor (%, ×, times) is a kind of its own until something is multiplied by it.
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

// What the expression's value counts, if its names count what `of` says. Error: it adds or compares
// different counts; with the span in the source.
Result<Counting> counting_of(const Expression& expression,
                             const std::function<Counting(const Name&)>& of);

// Why the text does not say a number that counts `exact`: "it counts op, not FLOP"; nothing when it may. A
// ratio of what is `computed` may be a share or a factor whatever is left of its nouns: not every name that
// it is computed from says what it counts.
std::optional<std::string> miscount(const Literal& text, const Counting& exact,
                                    bool computed = false);

}  // namespace figures
