// What all commands print, and their exit statuses.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

// How a command reports diagnostics.
struct Reporting {
  std::string book = ".";       // its address is the base of links in messages
  std::string base_url;         // overrides the book's address; no_base_url: none
  std::string format = "text";  // "text", "json" or "github"

  bool strict = false;  // whether warnings fail the command

  Format as() const;
  int status_of(const Diagnostics& diagnostics) const;  // exit status
};

// Prints the diagnostics and returns the exit status.
int report(const Diagnostics& diagnostics, const Reporting& reporting);

// Rows of cells as text, with columns as wide as their widest cell. With `numbers`, the columns
// between the first and the last are aligned right.
using TableRows = std::vector<std::vector<std::string>>;
std::string in_columns(const TableRows& rows, bool numbers = false);

// Prints "primer: note: …".
void note(const std::string& words);

// Prints the error and returns the exit status.
int failed(const figures::Error& error);

// Catches unexpected exceptions, including out of memory, and prints a message instead of crashing.
// Returns 1 then, otherwise the result of `work`. Bad input is reported where it is read.
int guarded(const std::function<int()>& work);

// Must be called before any file is opened. Opens closed standard streams as unwritable, so that a
// file opened later does not get their number and receive output.
void hold_standard_streams();

// Flushes the output. Returns `status`, or prints a message and returns 1 if output could not be
// written.
int heard(int status);

}  // namespace primer
