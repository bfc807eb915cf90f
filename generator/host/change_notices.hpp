// What the system tells of changes to the files and directories that a build has read (inotify), so
// that nobody has to look for them.
#pragma once

#include <chrono>
#include <memory>

#include "figures/base/result.hpp"
#include "generator/base/file_system.hpp"

namespace primer {

class ChangeNotices {
 public:
  virtual ~ChangeNotices() = default;
  // Waits for a notice about what was read: at most `patience`, without end if that is negative. False: there was
  // none. A notice may come of what leaves every byte as it was; none is missing.
  virtual bool wait(std::chrono::milliseconds patience) = 0;
};

// Notices of every change from now on that would make one of the reads another, also of what was not there when it
// was read. Error, as words that follow "because": one of the places tells nobody of changes, as network file systems
// do, the system has no notices, or no more of them.
figures::Result<std::unique_ptr<ChangeNotices>> notices_of(const WatchedDependencies& watched);

}  // namespace primer
