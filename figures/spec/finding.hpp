// A figure's finding: the sentence of a spec whose numbers are expressions over facts and the
// reference machine, "One row more than {n} takes {2 * 18 µs | µs}." It describes the picture to who
// cannot see it, and cannot go stale.
#pragma once

#include <string>

#include "figures/quantities/notation.hpp"
#include "figures/spec/spec_reader.hpp"

namespace figures {

// The required member "finding", filled in. When a number in it is not measured: the sentence
// "Not measured yet." and no error.
std::string finding_of(Fields& fields, Scope& scope);
// The same for any member; one that is not there is empty.
std::string sentence_of(Fields& fields, std::string_view member, Scope& scope);

}  // namespace figures
