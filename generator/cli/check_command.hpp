// `primer check`.
#pragma once

#include "generator/cli/site_command.hpp"

namespace primer {

struct CheckCommand : SiteCommand {
  bool fix = false;
  bool prose = false;
};

int run(const CheckCommand& command);  // the exit status

}  // namespace primer
