// `primer serve` and `primer preview`.
#pragma once

#include "generator/cli/site_command.hpp"

namespace primer {

struct ServeCommand : SiteCommand {
  int port = 8000;  // the first that is tried
};

struct PreviewCommand {
  std::string directory;
  bool no_sandbox = false;
};

// The exit status, when serving ends.
int run(const ServeCommand& command);
int run(const PreviewCommand& command);

}  // namespace primer
