// `primer check`.
#pragma once

#include "generator/cli/site_command.hpp"

namespace primer {

struct CheckCommand : SiteCommand {
  bool fix = false;
  bool prose = false;
  bool counts = false;
  std::vector<std::string> files;  // of the book, about which alone it reports; none: all
};

int run(const CheckCommand& command);  // the exit status

}  // namespace primer
