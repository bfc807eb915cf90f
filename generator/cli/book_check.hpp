// A check of a book with the fixes that it suggests, applied in memory. `primer check --fix`,
// `primer facts set` and `primer facts diff` use it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "generator/core/base/cache.hpp"
#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/host/build/build.hpp"

namespace primer {

class BookCheck {
 public:
  // Checks the book on disk with `changed` in place of its files. With `files`, reports only these
  // files and what they use. `cache` must outlive the check.
  BookCheck(BuildOptions options, Cache& cache, std::set<std::string> files = {},
            std::map<std::string, std::string> changed = {});

  // Makes the site and sets the members below.
  void run();
  // Applies fixes and runs again, as long as that reduces the errors. Marks blocks of translations
  // that change together with their originals as up to date.
  void fix();

  // The files that differ from those on disk.
  const std::map<std::string, std::string>& changed() const { return changed_; }
  std::size_t page_count() const;

  Diagnostics diagnostics;
  std::vector<std::string> unchecked;  // why a file was not checked, one sentence each
  SiteFiles site;

 private:
  std::size_t errors() const { return diagnostics.count(Severity::error); }
  // Whether the file was read, from the book or from its own site/.
  bool was_read(const BuildReport& made, const std::string& file) const;
  void use_changed();

  BuildOptions options_;
  Cache& cache_;
  std::set<std::string> files_;
  std::map<std::string, std::string> changed_;
  std::unique_ptr<FileSystem> disk_, edited_, book_;
};

}  // namespace primer
