// What the module asks of the worker that runs it: converted formulas, highlighted code
// (paint_by_grammar() in code/paint.hpp) and, in Node, files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/core/base/file_system.hpp"
#include "generator/core/typeset/typesetting.hpp"

namespace primer {

// Thrown if the worker has not loaded a grammar yet, so that nothing is made without colors. The
// worker loads it and repeats the request (primer_module.cpp).
struct GrammarNeeded {
  std::string name;
};

// Converts TeX to MathML. Implements Typesetting::Convert.
std::vector<figures::Result<std::string>> convert_in_page(
    const std::vector<const Formula*>& formulas);

// Directories that the worker provides by name ("book", "site"). A worker in a page provides none,
// so they are empty.
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
