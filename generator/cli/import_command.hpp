// `primer import`: a book of another tool as a new one of ours.
#pragma once

#include <string>

namespace primer {

struct ImportCommand {
  std::string from, directory;
  bool no_sandbox = false;
};

int run(const ImportCommand& command);  // the exit status

}  // namespace primer
