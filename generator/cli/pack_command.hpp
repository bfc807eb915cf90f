// `primer pack`: a book in one file, for the page /write/ (workshop/book_pack.hpp).
#pragma once

#include <string>

#include "generator/cli/site_command.hpp"

namespace primer {

struct PackCommand : SiteCommand {
  std::string file;
};

int run(const PackCommand& command);  // the exit status

}  // namespace primer
