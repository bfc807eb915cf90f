// FileSystem for directories that the worker provides by name ("book", "site"). A worker in a page
// provides none, so they are empty.
#pragma once

#include "generator/core/base/file_system.hpp"

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

// Passes a file of the site to the worker.
void add_worker_file(const std::string& path, std::string_view bytes);

}  // namespace primer
