#include "generator/cli/index_command.hpp"

#include <iostream>

#include "generator/base/text.hpp"
#include "generator/cli/console.hpp"
#include "generator/cli/install_prefix.hpp"
#include "generator/cli/protection.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/pagefind.hpp"
#include "generator/search/page_sections.hpp"
#include "generator/search/word_lists.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

// The sections of pages for readers: those that search engines may list, but not the rules of primer.
std::vector<PageSection> sections_of_site(const FileSystem& site, const Directory& directory) {
  constexpr std::string_view name = "index.html";
  std::vector<PageSection> all;
  for (const auto& path : directory.files()) {
    const bool is_page = path == name || path.ends_with("/index.html");
    if (!is_page || path.starts_with("_/") || path.starts_with("rules/")) continue;
    const auto page = site.read(path);
    if (!page || is_unlisted(*page)) continue;
    for (auto& section : sections_of(path.substr(0, path.size() - name.size()), *page))
      all.push_back(std::move(section));
  }
  return all;
}

// Pagefind's own script as scripts/minify.mjs made it small, if that was this very one.
void use_minified(std::vector<SearchFile>& files) {
  const auto minified = disk((program_home() / "build/minified").string());
  for (auto& file : files) {
    if (!file.path.ends_with(".js") || minified->read("source/" + file.path) != file.content)
      continue;
    file.content = minified->read(file.path).value_or(file.content);
  }
}

// Written aside, so that the index is the old one or the new one, whole.
std::error_code write_index(const fs::path& place, const std::vector<SearchFile>& files) {
  const Directory parent(place.parent_path());
  if (parent.get() < 0) return last_error();
  const std::string name = place.filename().string(), fresh = name + ".new", old = name + ".old";
  std::error_code error;
  for (const auto& one : {fresh, old}) {
    if (!error) error = parent.remove_all(one);
  }
  if (!error) error = parent.make(fresh);
  const Directory aside = parent.below(fresh);
  for (const auto& file : files) {
    const auto slash = file.path.rfind('/');
    if (!error && slash != file.path.npos) error = aside.make(file.path.substr(0, slash));
    if (!error) error = aside.write(file.path, file.content);
  }
  std::error_code ignored;
  if (!error && fs::exists(place, ignored)) error = parent.move(name, parent, old);
  if (!error) error = parent.move(fresh, parent, name);
  static_cast<void>(parent.remove_all(old));
  return error;
}

int make_index(const fs::path& program, const std::string& site, const fs::path& place) {
  const Directory directory{fs::path(site)};
  const auto sections = sections_of_site(*disk(site), directory);
  if (sections.empty()) return failed({"there are no pages in " + site + ": build the book first"});
  auto files = pagefind_index(program, sections);
  if (files) files = with_small_lists(std::move(*files));
  if (!files) return failed(files.error());
  use_minified(*files);
  if (const auto error = write_index(place, *files))
    return failed({"cannot write " + place.string() + ": " + error.message()});
  std::cout << place.string() << ": " << sections.size() << " sections\n";
  return 0;
}

}  // namespace

int run(const IndexCommand& command) {
  const fs::path program = find_pagefind(program_home());
  if (program.empty()) {
    return failed({"Pagefind, which makes the search index, is not in " +
                   (program_home() / "node_modules/@pagefind").string()});
  }
  const fs::path place = fs::absolute(command.search).lexically_normal();
  std::error_code ignored;  // it then cannot be written, which is reported
  fs::create_directories(place.parent_path(), ignored);
  auto sandbox = reading({command.site});
  sandbox.run = {program};
  sandbox.write = {place.parent_path()};
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  return make_index(program, command.site, place);
}

}  // namespace primer
