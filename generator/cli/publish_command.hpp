// `primer publish`: a site as a web server is to have it, with search, what readers keep without a network, and, if asked
// for, PDF and pictures for shared links. The work is done by scripts/publish, which lies beside the program.
#pragma once

#include <string>

namespace primer {

struct PublishCommand {
  std::string book;
  std::string address;    // public; "-": a preview, which has none
  std::string directory;  // to be made
  std::string kept;       // default: the book's build/kept
  std::string repository;
  bool fetch = false;  // what was kept comes from the address itself
  bool renditions = false, drafts = false, trust = false, no_sandbox = false;
};

int run(const PublishCommand&
            command);  // the exit status, unless another program takes this one's place

}  // namespace primer
