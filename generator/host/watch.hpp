// Waits until something that a build read has been saved again.
//
// inotify reports changes in the directories of the files that the build read, and digests of these
// files show whether a change matters. Without inotify, Watch compares their sizes and times twice
// per second. That works on every file system and takes milliseconds per check.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "generator/core/base/file_system.hpp"

namespace primer {

class Watch {
 public:
  enum class Way { notices, looks };

  // Way::looks polls even if there could be notices, for tests.
  explicit Watch(WatchedDependencies watched, Way way = Way::notices);

  // Returns after something has changed and then stayed the same for a moment, because editors save
  // a file in several steps. Waits at most two seconds for that.
  void wait();

  // Why it polls, completing a sentence after "because". Empty if it does not.
  const std::string& why_looking() const { return why_looking_; }

 private:
  // Sizes and times by root and dependency, of whole trees for directories.
  using Stamps = std::map<std::pair<std::string, Dependency>, std::string>;
  Stamps stamps() const;
  bool is_as_read() const;
  void begin();
  bool has_changed(std::chrono::milliseconds patience);
  void settle();

  class Notices;

  WatchedDependencies watched_;
  Way way_;
  std::shared_ptr<Notices> notices_;  // null: it polls
  std::string why_looking_;
  Stamps seen_;  // at the last check
};

}  // namespace primer
