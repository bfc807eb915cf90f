#include "generator/cli/check_command.hpp"

#include <algorithm>
#include <iostream>

#include "generator/base/text.hpp"
#include "generator/check/checked.hpp"
#include "generator/check/fix.hpp"
#include "generator/cli/protection.hpp"
#include "generator/cli/written_files.hpp"
#include "generator/host/build_id.hpp"
#include "generator/host/disk.hpp"

namespace primer {
namespace {

// From the book's root. A path from where the user stands, or from that root.
std::set<std::string> files_of(const CheckCommand& command) {
  std::set<std::string> files;
  std::error_code error;
  for (const auto& path : command.files) {
    const bool here = std::filesystem::exists(path, error);
    const auto inside = std::filesystem::relative(path, command.book, error);
    files.insert((here && !error ? inside : std::filesystem::path(path).lexically_normal())
                     .generic_string());
  }
  return files;
}

// Whether the book has all of them.
bool are_there(const std::set<std::string>& files, const CheckCommand& command) {
  const auto book = disk(command.book);
  const auto missing =
      std::ranges::find_if(files, [&](const auto& file) { return !book->read(file); });
  if (missing == files.end()) return true;
  failed({"the book has no file " + in_quotes(*missing)});
  return false;
}

// One look at the book, and what is reported of it.
struct Check {
  Check(const BuildOptions& options, Cache& cache, const std::set<std::string>& files)
      : options_(options), cache_(cache), files_(files) {
    run();
  }

  void run() {
    diagnostics = {};
    unchecked.clear();
    BuildReport made;
    const auto site = make_site(options_, cache_, diagnostics, &made);
    pages = static_cast<std::size_t>(std::ranges::count_if(
        site, [](const auto& file) { return file.first.ends_with("index.html"); }));
    if (files_.empty()) return;
    Looked looked{{}, [&](const std::string& file) { return was_read(made, file); }};
    for (const auto& page : made.pages) looked.pages.insert(page.file);
    unchecked = narrow(files_, looked, diagnostics);
  }

  std::size_t errors() const { return diagnostics.count(Severity::error); }

  Diagnostics diagnostics;
  std::vector<std::string> unchecked;
  std::size_t pages = 0;

 private:
  // From the book, or from its own site/.
  bool was_read(const BuildReport& made, const std::string& file) const {
    const auto whole = (std::filesystem::path(options_.book) / file).lexically_normal();
    return std::ranges::any_of(made.reads, [&](const auto& read) {
      const auto inside =
          whole.lexically_relative(std::filesystem::path(read.first).lexically_normal());
      return read.second.contains(Dependency::file(inside.generic_string()));
    });
  }

  const BuildOptions& options_;
  Cache& cache_;
  const std::set<std::string>& files_;
};

int print(const CheckCommand& command, const Check& check) {
  int status = check.diagnostics.has_errors() ? 1 : 0;
  if (command.counts) {
    std::cout << to_counts(check.diagnostics);
  } else {
    if (status == 0 && check.unchecked.empty() && command.format == "text")
      std::cout << checked(check.pages, *disk(command.book), command.prose);
    report(check.diagnostics, command.reporting());
  }
  for (const auto& one : check.unchecked) status = failed({one});
  return status;
}

}  // namespace

int run(const CheckCommand& command) {
  auto options = build_options(command);
  options.site.prose = command.prose;
  const auto files = files_of(command);
  options.site.first = files;
  const auto writes =
      command.fix ? places_to_write(command.book) : std::vector<std::filesystem::path>();
  const auto kept = find_user_directories(command.book).cache_of(command.book);
  auto sandbox = site_sandbox(options, writes);
  sandbox.read.push_back(kept);
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  if (!are_there(files, command)) return 1;
  // What builds have kept is read; nothing is written, there neither.
  const auto cache = open_cache(kept, program_identity(), DiskCache::Use::read);
  Check check(options, *cache, files);
  // A file may have more wrong numbers than are kept: again, for as long as they become fewer.
  for (auto before = std::string::npos; command.fix && check.errors() < before;) {
    before = check.errors();
    const auto fixed = fixed_files(*disk(command.book), check.diagnostics.sorted());
    if (fixed.empty()) break;
    Diagnostics unwritten;
    write_and_name(command.book, fixed, unwritten);
    check.run();
    check.diagnostics.append(std::move(unwritten));
  }
  return print(command, check);
}

}  // namespace primer
