// When the files of a book changed, as far as that is known.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

struct Change {
  std::string date;     // "2026-11-21T09:30:00Z"
  std::string commit;   // ten hexadecimal digits or more
  std::string subject;  // the first line of its message, cleaned
};

struct FileHistory {
  std::string created, changed;      // dates
  std::vector<Change> changes = {};  // newest first
};

// Path from the book's root → its first and its last change.
using History = std::map<std::string, FileHistory>;

// What git printed for "%x01%ct%x02%h%x02%s" and --name-only, newest first. A date after `now` (seconds since
// 1970) is `now`; a commit without a date that can be read is passed over.
History parse_history(const std::string& log, std::int64_t now);

// A text of somebody else's for a page: what is not to be seen is shown (visible()), and what is longer than 200
// characters is cut.
std::string cleaned_subject(std::string_view text);

}  // namespace primer
