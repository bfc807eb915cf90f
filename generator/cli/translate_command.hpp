// `primer translate`: the list of strings of a language (`begin`), which parts of a translation are of an earlier text
// (`status`), and the writing of the marks that know it (`stamp`, translation.hpp).
#pragma once

#include <string>

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// A table for each language: the blocks of every chapter, how many are current, stale, missing.
// Empty after a diagnostic.
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
  int line = 0;  // of a block; 0: all of them
  bool no_sandbox = false;
};

// The exit status.
int run(const BeginTranslationCommand& command);
int run(const TranslationStatusCommand& command);
int run(const StampCommand& command);

}  // namespace primer
