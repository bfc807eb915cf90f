// `primer check --prose`: two checks of a chapter's language.
//
// check_prose() is for originals, which are in English. Errors: a number with a unit in plain text,
// because nobody can check it (it must be a fact, computed, live or a claim); a paragraph of more
// than 120 words; a section of more than 700 words that shows, asks and measures nothing. Warnings:
// a sentence of more than 35 words or with more than two linked numbers; a statement that begins
// with "What"; a section that begins with "It"; "from … on"; a trap that begins with a number.
//
// check_wording() warns about words that the language's list of terms avoids. It looks at all text
// for readers: paragraphs, tables, front matter and blocks, but not at code, formulas and
// addresses.
#pragma once

#include <vector>

#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/load/references.hpp"
#include "generator/core/markdown/markdown.hpp"

namespace primer {

// Warns about each use of an avoided word. It must be a whole word, may be capitalized, and may
// continue on the next line.
void check_wording(const Source& source, const std::vector<AvoidedWord>& words,
                   Diagnostics& diagnostics);

struct ProseLimits {
  int sentence = 35;    // words
  int paragraph = 120;  // words
  int section = 700;    // words of a section without a figure, a question or a measurement
  int numbers = 2;      // linked numbers of a sentence
};

void check_prose(const Node& document, const Source& source, Diagnostics& diagnostics,
                 const ProseLimits& limits = {});

// The numbers with a unit in a sentence, as they are written: "3.35 TB/s", "64 MiB", "36×".
std::vector<std::string> written_numbers(std::string_view text);

// Warns about each TODO outside code, which is how the template of a new chapter marks text to write.
void check_placeholders(const Source& source, Diagnostics& diagnostics);

}  // namespace primer
