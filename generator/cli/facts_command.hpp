// `primer facts list|search|show`: the numbers that a chapter can use, as text or JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figures/quantities/facts.hpp"
#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/load/references.hpp"

namespace primer {

struct FactsBook {
  figures::Facts facts;
  References library;
};

// Nothing after diagnostics: facts that are broken are not listed.
std::optional<FactsBook> load_facts_book(const FileSystem& files, Diagnostics& diagnostics);

// One line a fact, aligned: id, value, how sure, source. `words`: only facts whose id, thing, value,
// note or sources hold every one of them, whatever their case; none: all. Empty text when none does.
std::string list_facts(const FactsBook& book, const std::vector<std::string>& words, Format format);

// Everything about one fact, with the places of the chapters that use it. Nothing after a
// diagnostic when there is no such fact.
std::optional<std::string> show_fact(const FactsBook& book, const FileSystem& files,
                                     const std::string& id, Format format,
                                     Diagnostics& diagnostics);

// The ids nearest to a word that no fact holds, for "did you mean"; at most five.
std::vector<std::string> similar_facts(const FactsBook& book, const std::string& word);

struct FactsCommand {
  std::string book, format = "text";
  std::string fact;                // its id; empty: a list
  std::vector<std::string> words;  // that facts of the list hold
  bool no_sandbox = false;
};

int run(const FactsCommand& command);  // the exit status

}  // namespace primer
