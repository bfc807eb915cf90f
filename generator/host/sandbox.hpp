// Restricts this process and every program it starts to reading, writing and running files in named
// places. A command enters the sandbox before it reads the first byte of a book. A book that
// exploits a bug in primer can then change the site, but none of the user's other files.
//
//   files      Landlock version 2 or newer (Linux 5.19). Version 3 (6.2) also forbids truncating
//              other files, version 4 (6.7) TCP, version 6 (6.12) signals to other processes.
//   privileges no_new_privs: setuid programs gain none.
//   resources  rlimits for processor time, file size and core dumps.
//
// On other systems, only resources are limited. Protection::missing says when files are not.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "figures/base/result.hpp"

namespace primer {

struct Sandbox {
  // Files and directories to read. Missing paths and "" are skipped; links are followed.
  std::vector<std::filesystem::path> read = {};
  // Directories to read and write, with everything below them.
  std::vector<std::filesystem::path> write = {};
  // ELF programs to run. Their loader and libraries may be read.
  std::vector<std::filesystem::path> run = {};
  bool ends = true;            // limit the processor time
  int newest_landlock = 1000;  // for tests: highest Landlock version to use
};

struct Protection {
  std::string missing;  // what is not limited, in a few words; empty: nothing
};

// Must be called before the process starts a second thread. Error: the system supports the sandbox
// but setting it up failed, so the process must stop.
figures::Result<Protection> restrict_process(const Sandbox& sandbox);

}  // namespace primer
