#include "generator/cli/book_check.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "generator/core/check/fix.hpp"
#include "generator/host/disk.hpp"
#include "generator/tools/translate/stamp.hpp"

namespace primer {

BookCheck::BookCheck(BuildOptions options, Cache& cache, std::set<std::string> files,
                     std::map<std::string, std::string> changed)
    : options_(std::move(options)),
      cache_(cache),
      files_(std::move(files)),
      changed_(std::move(changed)),
      disk_(disk(options_.book)) {
  use_changed();
}

void BookCheck::use_changed() {
  edited_ = in_memory(changed_);
  book_ = layered(*edited_, *disk_);
  options_.unsaved = changed_.empty() ? nullptr : book_.get();
}

bool BookCheck::was_read(const BuildReport& made, const std::string& file) const {
  const auto whole = (std::filesystem::path(options_.book) / file).lexically_normal();
  return std::ranges::any_of(made.reads, [&](const auto& read) {
    const auto inside =
        whole.lexically_relative(std::filesystem::path(read.first).lexically_normal());
    return read.second.contains(Dependency::file(inside.generic_string()));
  });
}

void BookCheck::run() {
  diagnostics = {};
  unchecked.clear();
  BuildReport made;
  site = make_site(options_, cache_, diagnostics, &made);
  if (files_.empty()) return;
  Looked looked{{}, [&](const std::string& file) { return was_read(made, file); }};
  for (const auto& page : made.pages) looked.pages.insert(page.file);
  unchecked = narrow(files_, looked, diagnostics);
}

void BookCheck::fix() {
  const auto original = disk(options_.book);
  std::set<std::string> names;
  for (const auto& [file, text] : changed_) names.insert(file);
  // Only a limited number of errors is stored per file, so repeat while fixes reduce them.
  for (auto before = std::string::npos; errors() < before;) {
    before = errors();
    auto fixed = fixed_alike(*original, *book_, diagnostics.sorted(), names);
    if (fixed.empty()) break;
    for (auto& [file, text] : fixed) changed_[file] = std::move(text);
    use_changed();
    run();
  }
}

std::size_t BookCheck::page_count() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      site, [](const auto& file) { return file.first.ends_with("index.html"); }));
}

}  // namespace primer
