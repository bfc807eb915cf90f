// How `--help` looks, and the errors for words that no command knows.
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

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

// Whether every command and option in `given` exists. Otherwise prints the first unknown one with
// the nearest known name. CLI11 would report a missing command or operand instead.
bool knows_words(const CLI::App& app, const std::vector<std::string>& given);

}  // namespace primer
