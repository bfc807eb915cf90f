// How often a test repeats its random attempts (docs/reference/testing.md).
#pragma once
#include <cstdlib>
#include <string_view>

/// Whether scripts/test --full runs the tests. Only then do they demand what a maintainer adds to a
/// contribution: translations, and predicates of verdicts.
inline bool is_full() {
  const char* tests = std::getenv("TESTS");
  return tests && std::string_view(tests) == "full";
}

/// The number in the environment variable `name`; default: `full` if TESTS=full, as set by
/// scripts/test --full, otherwise `usual`.
inline int rounds(const char* name, int usual, int full) {
  if (const char* wanted = std::getenv(name)) return std::atoi(wanted);
  return is_full() ? full : usual;
}
