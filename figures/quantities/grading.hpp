// Parses a reader's answers and guesses: numbers whose units may be spelled in many ways.
#pragma once

#include <string_view>

#include "figures/base/result.hpp"
#include "figures/quantities/quantity.hpp"

namespace figures {

// Like parse_literal(), but for readers. `unit` is the unit of the question, or empty. Also accepts
// a number without a unit (it is in `unit`), any mix of cases, "GFLOPS", "gflop/s", "GB/sec",
// "GBps", "bytes", "us", "x", "percent", "5e9", a prefix alone ("210M"), and a decimal comma.
// Error: as parse_literal(), or a dimension other than that of `unit`; messages are for readers.
Result<Literal> parse_answer(std::string_view text, std::string_view unit);

// The second meaning of a number without a unit: it is in `unit` without its prefix, for example
// "2.1e8" for a question in MFLOP. Error: `text` is not a plain number.
Result<Literal> parse_bare_answer(std::string_view text, std::string_view unit);

}  // namespace figures
