// The addresses that no chapter can have.
#pragma once

#include <string>
#include <vector>

#include "generator/assemble/addresses.hpp"

namespace primer {

// Claims what every book has, or may have when it is published, measured or searched: an address that is free in
// one build and taken in another would be lost without a word. `roots`: of the book's languages, "" and "es/".
void claim_usual(const std::vector<std::string>& roots, Addresses& addresses,
                 Diagnostics& diagnostics);

}  // namespace primer
