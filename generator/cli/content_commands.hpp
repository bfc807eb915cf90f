// The commands about content: `primer facts`, `primer references import`, `primer translate`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figures/quantities/facts.hpp"
#include "generator/cli/site_command.hpp"
#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/load/references.hpp"

namespace primer {

// What `primer facts list|search|show` reads.
struct FactsBook {
  figures::Facts facts;
  References library;
};

// No value after diagnostics, because broken facts are not listed.
std::optional<FactsBook> load_facts_book(const FileSystem& files, Diagnostics& diagnostics);

// One aligned line per fact: id, value, confidence, source. If `words` is not empty, lists only
// facts that contain all of them (ignoring case) in id, thing, value, note or sources. Empty if
// there are none.
std::string list_facts(const FactsBook& book, const std::vector<std::string>& words, Format format);

// Everything about one fact, with the places that use it. No value after a diagnostic if there is
// no such fact.
std::optional<std::string> show_fact(const FactsBook& book, const FileSystem& files,
                                     const std::string& id, bool with_uses, Format format,
                                     Diagnostics& diagnostics);

// Up to five ids that are similar to a word that no fact contains.
std::vector<std::string> similar_facts(const FactsBook& book, const std::string& word);

struct FactsCommand {
  std::string book, format = "text";
  std::string fact;                // its id; empty: a list
  std::vector<std::string> words;  // that facts of the list hold
  bool uses = false;               // list the uses of `fact`
  bool no_sandbox = false;
};

int run(const FactsCommand& command);  // returns the exit status

// `primer facts set`: changes a fact and every number in the chapters that follows from it.

struct SetFactCommand : SiteCommand {
  std::string id, value;
  std::vector<std::string> sources;  // ids of works; empty: unchanged
  std::string note, read;            // likewise
};

// `primer facts diff`: what readers see differently because the facts have changed since a commit.

struct DiffFactsCommand : SiteCommand {
  std::string revision;  // "HEAD", "main", "3f906988~2"
};

// `primer facts import`: adds the results of Google Benchmark as facts, or changes them
// (benchmark_import.hpp).

struct ImportFactsCommand {
  std::string book, file;
  std::string machine;  // id of the machine; empty: from the host name in the file
  std::string url;      // where the results can be read
  bool no_sandbox = false;
};

// These return the exit status.
int run(const SetFactCommand& command);
int run(const DiffFactsCommand& command);
int run(const ImportFactsCommand& command);

// `primer references import`: adds the works in a BibTeX or CSL-JSON file to
// chapters/facts/references.json.

struct ImportReferencesCommand {
  std::string book, file;
  bool checked = false;  // the author has compared title, authors and address with each work
  bool no_sandbox = false;
};

int run(const ImportReferencesCommand& command);  // returns the exit status

// `primer translate`: `begin` makes the list of strings for a language, `status` shows which parts
// of a translation are out of date, `stamp` marks blocks as current (translation.hpp).

// One table per language with the number of current, stale and missing blocks per chapter. Empty
// after a diagnostic.
std::string translation_status(const FileSystem& files, Diagnostics& diagnostics);

struct BeginTranslationCommand {
  std::string book, language;
  bool no_sandbox = false;
};

struct TranslationStatusCommand {
  std::string book;
  bool no_sandbox = false;
};

struct StampCommand {
  std::string book, file;
  int line = 0;  // of a block; 0: all blocks
  bool no_sandbox = false;
};

// These return the exit status.
int run(const BeginTranslationCommand& command);
int run(const TranslationStatusCommand& command);
int run(const StampCommand& command);

}  // namespace primer
