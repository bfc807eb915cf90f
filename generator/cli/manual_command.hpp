// `primer manual` and `primer completion`. Both are generated from the command line itself, so they
// cannot be out of date.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace primer {

// An option or operand of a command.
struct ArgumentRow {
  std::string name;                       // "--book", or "slug" for an operand
  std::string about;                      // a sentence without full stop
  std::string value;                      // placeholder of the option's value: "DIR"; "" for a flag
  std::string short_names = {};           // before the name in the help: "-h, "
  std::string group = {};                 // in the help: "Addresses"
  std::vector<std::string> choices = {};  // the allowed values, if there are only a few
  bool required = false;
  bool many = false;  // may be repeated
};

struct CommandRow {
  std::string words;  // "new book"; "" for the program itself
  std::string about;
  std::vector<ArgumentRow> operands = {}, options = {};
  std::vector<std::string> below = {};  // words of the commands below: "book", "chapter"
};

CommandRow command_row(const CLI::App& app, const std::string& words);

// The program itself first, then each command followed by those below it.
std::vector<CommandRow> command_table(const CLI::App& app);

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

// These return the exit status.
int run(const ManualCommand& command);
int run(const CompletionCommand& command);

}  // namespace primer
