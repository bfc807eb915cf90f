// The finding of a figure: a sentence of the spec whose numbers are expressions over facts and the
// reference machine, "One row more than {n} takes {2 * 18 µs | µs}." It describes the figure to
// readers who cannot see it, and because the build evaluates its numbers, it cannot go stale.
#pragma once

#include <string>

#include "figures/quantities/notation.hpp"
#include "figures/spec/spec_reader.hpp"

namespace figures {

// The required member "finding" with its numbers filled in. If one of them is not measured, returns
// "Not measured yet." without an error.
std::string finding_of(Fields& fields, Scope& scope);
// The same for any member. Empty if the member is missing.
std::string sentence_of(Fields& fields, std::string_view member, Scope& scope);

}  // namespace figures
