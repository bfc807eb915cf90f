// `primer check --prose`: is a chapter easy to read, and does every number have a source?
//
// Bounds: half of a chapter's sentences have at most 18 words, a paragraph has at most 120, and a
// section of more than 700 words shows, asks or measures something. A number with a unit that stands
// in plain text is a number that nobody can check: it must be a fact, computed, live or a claim.
#pragma once

#include "generator/diagnostic/diagnostic.hpp"
#include "generator/markdown/markdown.hpp"

namespace primer {

struct ProseLimits {
  int median_sentence = 18;  // words
  int paragraph = 120;
  int section = 700;  // without a figure, a question or a measurement
};

void check_prose(const Node& document, const Source& source, Diagnostics& diagnostics,
                 const ProseLimits& limits = {});

}  // namespace primer
