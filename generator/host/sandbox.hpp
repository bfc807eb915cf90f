// What this process and every program that it starts may do from now on: read, write and run files in named
// places only. A command enters the sandbox before it reads the first byte of a book, so a book that exploits a
// bug in primer's C++ can change the site and none of the user's other files.
//
//   files      Landlock, version 2 or newer (Linux 5.19). Truncating a file elsewhere is refused from version 3
//              (6.2), TCP from version 4 (6.7), signals to other processes from version 6 (6.12).
//   privileges no_new_privs: a setuid program gains none.
//   resources  rlimits of processor time, file size and core dumps.
//
// Other systems limit resources only. `missing` says when files are not limited.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "figures/base/result.hpp"

namespace primer {

struct Sandbox {
  // Files and directories; one that is not there, or "", is passed over. Links are followed.
  std::vector<std::filesystem::path> read = {};
  // Directories to write in and read from, with everything below them.
  std::vector<std::filesystem::path> write = {};
  // ELF programs to run; their loader and libraries may be read.
  std::vector<std::filesystem::path> run = {};
  bool ends = true;            // limits processor time
  int newest_landlock = 1000;  // for tests: the newest Landlock version to use
};

struct Protection {
  std::string missing;  // what is not limited, in a few words; empty: nothing is missing
};

// Call it before the process has a second thread. Error: the system has what is needed, and it does not work; the
// process must then stop.
figures::Result<Protection> restrict_process(const Sandbox& sandbox);

}  // namespace primer
