// `primer build`.
#pragma once

#include "generator/cli/site_command.hpp"

namespace primer {

struct BuildCommand : SiteCommand {
  bool renditions = false;
  bool review = false;
  bool explain = false;
  bool stats = false;
};

int run(const BuildCommand& command);  // the exit status

}  // namespace primer
