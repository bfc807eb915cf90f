#include "generator/diagnostic/unreadable.hpp"

namespace primer {

bool report_unreadable(const FileSystem& files, const std::string& path, Diagnostics& diagnostics,
                       const std::string& root) {
  const Unreadable reason = files.why_unreadable(path);
  if (reason.message.empty()) return false;
  diagnostics.error(reason.too_large ? Rule::file_too_large : Rule::file_unreadable, root + path,
                    reason.message);
  return true;
}

}  // namespace primer
