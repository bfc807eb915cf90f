// `primer check --prose` of a translation: does it call a thing by the one word that its language has for it?
//
// The rules for sentences (prose.hpp) are of the original's language. Words are looked for wherever a reader
// reads text: paragraphs, tables, the texts of front matter and of blocks. Code, formulas, addresses and marks hold none.
#pragma once

#include <vector>

#include "generator/diagnostic/diagnostic.hpp"
#include "generator/load/term_table.hpp"

namespace primer {

// Warns of each use of an avoided word, as it is written or with a capital, whole, also across lines.
void check_wording(const Source& source, const std::vector<AvoidedWord>& words,
                   Diagnostics& diagnostics);

}  // namespace primer
