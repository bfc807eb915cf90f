// What a reader types as an answer or a guess: a number whose unit may be spelled as people spell
// it.
#pragma once

#include <string_view>

#include "figures/base/result.hpp"
#include "figures/quantities/quantity.hpp"

namespace figures {

// parse_literal() for readers. `unit` is the one that the question asks for, or empty. Accepted
// besides what an author may write: no unit at all (then it is `unit`), any mix of cases, "GFLOPS",
// "gflop/s", "GB/sec", "GBps", "bytes", "us", "x", "percent", "5e9", a prefix alone ("210M"), and a
// comma for the point.
// Error: as parse_literal(), or a dimension other than `unit`'s, both in words for the reader.
Result<Literal> parse_answer(std::string_view text, std::string_view unit);

// The other meaning of a number without a unit: `unit` without its prefix, as "2.1e8" where MFLOP
// are asked for. Error: `text` is not a number alone.
Result<Literal> parse_bare_answer(std::string_view text, std::string_view unit);

}  // namespace figures
