// Files that the worker has, a directory by its name: "book", "site". Where there is no such worker, in the page, there are none.
#pragma once

#include "generator/base/file_system.hpp"

namespace primer {

class WorkerFiles final : public FileSystem {
 public:
  explicit WorkerFiles(std::string root) : root_(std::move(root)) {}

  std::string link_in(const std::string& path) const override;
  Unreadable why_unreadable(const std::string& path) const override;

 private:
  std::optional<std::string> load(const std::string& path) const override;
  std::vector<std::string> walk(const std::string& directory) const override;

  std::string root_;
};

// Gives the worker a file of the site.
void add_worker_file(const std::string& path, std::string_view bytes);

}  // namespace primer
