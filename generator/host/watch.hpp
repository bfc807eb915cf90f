// Whether something that a build read has been saved since.
//
// The system tells of it (change_notices.hpp). Where it does not, the sizes and times of what the
// build asked for are looked at twice a second: that works on every file system, and costs
// milliseconds a look. What a save changed is for the build to find out.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "generator/base/file_system.hpp"
#include "generator/host/change_notices.hpp"

namespace primer {

class Watch {
 public:
  enum class Way { notices, looks };

  // `way`: looks also where there could be notices, for tests.
  explicit Watch(WatchedDependencies watched, Way way = Way::notices);

  // Returns once something is not as it was read, and has stayed as it is for a moment: an editor
  // writes a file in several steps. What does not come to rest is waited for no longer than two seconds.
  void wait();

  // Why there are no notices, as words that follow "because"; empty when there are.
  const std::string& why_looking() const { return why_looking_; }

 private:
  using Stamps =
      std::map<std::pair<std::string, Dependency>, std::string>;  // of what is below a directory
  Stamps stamps() const;
  bool is_as_read() const;
  bool has_changed(std::chrono::milliseconds patience);

  WatchedDependencies watched_;
  std::unique_ptr<ChangeNotices> notices_;  // null: it looks
  std::string why_looking_;
  Stamps seen_;  // at the last look
};

}  // namespace primer
