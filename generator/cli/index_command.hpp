// `primer index`: the search index of a built site, which `primer build --search` then takes in.
#pragma once

#include <string>

namespace primer {

struct IndexCommand {
  std::string book;
  std::string site;    // default: the book's build/site
  std::string search;  // default: the book's build/search
  bool no_sandbox = false;
};

int run(const IndexCommand& command);  // the exit status

}  // namespace primer
