// What commands print, and the exit statuses that go with it.
#pragma once

#include <functional>
#include <string>

#include "figures/base/result.hpp"
#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// How a command reports.
struct Reporting {
  std::string book = ".";  // whose address links in messages begin with
  std::string base_url;    // in place of the book's; no_base_url: none
  std::string format = "text";

  Format as() const;
};

// Prints what is wrong; the exit status.
int report(const Diagnostics& diagnostics, const Reporting& reporting);

// "primer: note: …"
void note(const std::string& words);

// The exit status of what could not be done, which is printed.
int failed(const figures::Error& error);

// Bad input is reported where it is read. This is for what nobody foresaw, and for memory that runs out:
// a message in place of a crash. What `work` does not return it gives as 1.
int guarded(const std::function<int()>& work);

// Before anything is opened: a standard stream that is closed is one that cannot be written, so that no file
// that is opened later takes its number and gets what was meant for it.
void hold_standard_streams();

// The exit status when everything is done: `status`, but 1, after a message, where what was printed did not all
// arrive.
int heard(int status);

}  // namespace primer
