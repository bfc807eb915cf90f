// All commands and their options as values, read off the command line itself, so that the manual page and the
// completions of shells say what the program takes.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace primer {

// One thing that a command takes.
struct ArgumentRow {
  std::string name;                       // "--book"; of what has no dashes, "slug"
  std::string about;                      // a sentence without its full stop
  std::string value;                      // what an option takes: "DIR"; of a flag ""
  std::vector<std::string> choices = {};  // the only values, where they are few
  bool required = false;
  bool many = false;
};

struct CommandRow {
  std::string words;  // "new book"; of the program itself ""
  std::string about;
  std::vector<ArgumentRow> operands = {}, options = {};
  std::vector<std::string> below = {};  // "book", "chapter": those that follow its words
};

// The program itself first, then each command before those below it.
std::vector<CommandRow> command_table(const CLI::App& app);

}  // namespace primer
