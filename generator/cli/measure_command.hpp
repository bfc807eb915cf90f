// `primer measure` and `primer profile use`: record a machine, and make it the book's reference.
//
//   primer measure --> scripts/measure.mjs --> primer build --unmeasured   the book's pages
//                              |           --> headless browser            a profile
//                              +-----------> primer profile use            figures/profiles/
//
// A browser cannot start inside the sandbox, so `primer measure` reads nothing of the book. It
// replaces itself by the script, which reads only text. Everything that parses the book is
// a sandboxed command.
#pragma once

#include <string>
#include <vector>

namespace primer {

struct MeasureCommand {
  std::string book;
  std::string browser = "chromium";  // or "firefox"
  std::string out;                   // a profile; default: the book's reference
  std::string name, note;            // of the machine; default: by the script
  std::string pace = "thorough";     // or "quick", "full"
  std::string modules;               // default: the program's build/wasm
  std::vector<std::string> only;     // kernels; default: those that the book mentions
  int repeat = 1;                    // runs, of which each measurement's median is stored
  bool cores = false, spread = false, trust = false, no_sandbox = false;
};

// Returns the exit status, unless another program replaces this one.
int run(const MeasureCommand& command);

struct UseProfileCommand {
  std::string book, profile;
  bool no_sandbox = false;
};

// Validates the profile, copies it into figures/profiles/ and names it in book.yaml, unless that
// names one already. Returns the exit status.
int run(const UseProfileCommand& command);

}  // namespace primer
