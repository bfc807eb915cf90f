// Documentation of the command line: `primer manual`, `primer completion` and the layout of
// `--help`. All of it is generated from the options themselves, so it cannot be out of date.
//
//   Usage: primer publish [options] address directory
//
//   Build a deployable site.
//
//   Arguments:
//     address URL  Set the public address; - builds a preview without one
//
//   Book and output:
//     --book DIR   Read this book (nearest chapters/book.yaml)
//
// Options are listed per group (CLI::Option::group) in a fixed order. `--no-sandbox` and `--help`
// come last.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

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

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

// Whether every command and option in `given` exists. Otherwise prints the first unknown one with
// the nearest known name. CLI11 would report a missing command or operand instead.
bool knows_words(const CLI::App& app, const std::vector<std::string>& given);

}  // namespace primer
