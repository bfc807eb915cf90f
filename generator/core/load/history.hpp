// When the files of a book changed, and which of them are committed. The host asks git
// (git_history.hpp) and passes the answers in; without git, both are unknown.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

// Committed files: path from the book's directory → name of the git object. Only these are
// published, because committing a file is the author's decision to publish it.
using TrackedFiles = std::map<std::string, std::string, std::less<>>;

// Whether `object` is git's name for these bytes, or for these bytes with LF line endings.
bool is_committed(std::string_view bytes, std::string_view object);

struct Change {
  std::string date;     // "2026-11-21T09:30:00Z"
  std::string commit;   // at least ten hexadecimal digits
  std::string subject;  // first line of its message, cleaned
};

struct FileHistory {
  std::string created, changed;      // dates
  std::vector<Change> changes = {};  // newest first
};

// By path from the book's root.
using History = std::map<std::string, FileHistory>;

// Parses the output of git log with "%x01%ct%x02%h%x02%s" and --name-only, newest first. Dates
// after `now` (seconds since 1970) become `now`. Skips commits whose date cannot be read.
History parse_history(const std::string& log, std::int64_t now);

// Makes a stranger's text safe for a page: makes hidden characters visible (visible()) and shortens
// the text to 200 characters.
std::string cleaned_subject(std::string_view text);

}  // namespace primer
