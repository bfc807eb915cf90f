// Whether something that a build read has been saved since.
//
// Sizes and times of the files and directories that the build asked for, looked at a few times a
// second: that works on every file system (network and virtual ones tell nobody of changes) and
// costs a millisecond a look. What a save changed is for the build to find out.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generator/base/file_system.hpp"

namespace primer {

class Watch {
 public:
  explicit Watch(WatchedReads watched) : watched_(std::move(watched)), seen_(stamps()) {}

  // Returns once something is not as it was read, and has stayed as it is for a moment: an editor
  // writes a file in several steps.
  void wait() const;

 private:
  std::map<std::string, std::string> stamps() const;
  bool is_as_read() const;

  WatchedReads watched_;
  std::map<std::string, std::string> seen_;
};

}  // namespace primer
