// `primer new chapter` and `primer new book`.
#pragma once

#include <string>

namespace primer {

struct NewChapterCommand {
  std::string book, slug;
  bool no_sandbox = false;
};

struct NewBookCommand {
  std::string directory;
  std::string title = {}, language = "en";
  bool no_sandbox = false;
};

// The exit status.
int run(const NewChapterCommand& command);
int run(const NewBookCommand& command);

}  // namespace primer
