// What this process and every program that it starts may do from now on: read, write and run in named places,
// no network, an end to processor time and file size. Taken up before the first byte of a book is read, so that
// whatever a book makes the program do, it cannot do it elsewhere.
//
// On Linux files are limited by Landlock (from its second version, Linux 5.19), system calls by seccomp. Elsewhere
// nothing is limited, and `missing` says so.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "figures/base/result.hpp"

namespace primer {

struct Sandbox {
  // Files and directories; what is not there, or "", is passed over. Links are followed.
  std::vector<std::filesystem::path> read = {};
  std::vector<std::filesystem::path> write =
      {};  // and read; directories and all that is below them
  std::vector<std::filesystem::path> run =
      {};                      // ELF programs, and read what such a one needs beside itself
  bool listens = false;        // goes on accepting connections on sockets that it has
  bool ends = true;            // has a limit of processor time
  int newest_landlock = 1000;  // for tests: as on a kernel that has no later version
};

struct Protection {
  // What is not limited, each as a few words for a message; empty: everything is.
  std::vector<std::string> missing;
};

// To be called before there is a second thread. Error: the system has what is needed, and it does not work; the
// process then must not go on.
figures::Result<Protection> restrict_process(const Sandbox& sandbox);

}  // namespace primer
