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
  Diagnostics diagnostics;
  auto site = make_site(options, *cache, diagnostics);
  // A file may have more wrong numbers than are kept: again, for as long as they become fewer.
  for (auto before = std::string::npos;
       command.fix && diagnostics.count(Severity::error) < before;) {
    before = diagnostics.count(Severity::error);
    const auto fixed = fixed_files(*disk(command.book), diagnostics.sorted());
    if (fixed.empty()) break;
    Diagnostics after;
    write_and_name(command.book, fixed, after);
    site = make_site(options, *cache, after);
    diagnostics = std::move(after);
  }
  if (!files.empty()) diagnostics.keep_only(files);
  if (command.counts) {
    std::cout << to_counts(diagnostics);
    return diagnostics.has_errors() ? 1 : 0;
  }
  if (!diagnostics.has_errors() && command.format == "text") {
    const auto pages = std::ranges::count_if(
        site, [](const auto& file) { return file.first.ends_with("index.html"); });
    std::cout << checked(static_cast<std::size_t>(pages), *disk(command.book), command.prose);
  }
  return report(diagnostics, command.reporting());
}

}  // namespace primer
