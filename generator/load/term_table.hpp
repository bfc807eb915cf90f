// The table of a language's terms for its translators, site/locales/<language>.terms.json: one term has one word
// (docs/authoring.md, "Other languages").
#pragma once

#include <string>
#include <vector>

#include "generator/base/digest.hpp"
#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// A word that pages of the language do not use for a term.
struct AvoidedWord {
  std::string word, english, instead, why;
};

// All of the table; none where a language has no table. Reports a file that is none.
std::vector<AvoidedWord> avoided_words(const FileSystem& site, const std::string& language,
                                       Diagnostics& diagnostics);

Digest version_of(const std::vector<AvoidedWord>& words);

}  // namespace primer
