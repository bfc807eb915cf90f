// `primer manual` and `primer completion`: what the command line says of itself.
#pragma once

#include <string>
#include <vector>

#include "generator/cli/command_table.hpp"

namespace primer {

struct ManualCommand {
  std::vector<CommandRow> table;
  std::string version;
  bool no_sandbox = false;
};

struct CompletionCommand {
  std::vector<CommandRow> table;
  std::string shell;
  bool no_sandbox = false;
};

// The exit status.
int run(const ManualCommand& command);
int run(const CompletionCommand& command);

}  // namespace primer
