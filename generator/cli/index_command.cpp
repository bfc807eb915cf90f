#include "generator/cli/index_command.hpp"

#include <iostream>
#include <map>

#include "generator/base/characters.hpp"
#include "generator/base/text.hpp"
#include "generator/cli/console.hpp"
#include "generator/cli/install_prefix.hpp"
#include "generator/cli/protection.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/own_output.hpp"
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

constexpr OutputKind index_kind{"a search index by primer, 1\n", true};

// Why the index cannot be written, and what to do.
int refused(const figures::Status& status) {
  return failed({"the search index cannot be written: " + status.error().message +
                 "; choose another directory with --search"});
}

int make_index(const fs::path& program, const std::string& site, const fs::path& place) {
  const Directory directory{fs::path(site)};
  const auto sections = sections_of_site(*disk(site), directory);
  if (sections.empty()) return failed({"there are no pages in " + site + ": build the book first"});
  auto files = pagefind_index(program, sections);
  if (files) files = with_small_lists(std::move(*files));
  if (!files) return failed(files.error());
  use_minified(*files);
  std::map<std::string, std::string> index;
  for (auto& file : *files) index.emplace(std::move(file.path), std::move(file.content));
  if (const auto written = write_own_directory(place, index_kind, index); !written)
    return refused(written);
  std::cout << visible(place.string()) << ": " << sections.size() << " sections\n";
  return 0;
}

}  // namespace

int run(const IndexCommand& command) {
  const fs::path program = find_pagefind(program_home());
  if (program.empty()) {
    return failed({"Pagefind, which makes the search index, is not in " +
                   (program_home() / "node_modules/@pagefind").string()});
  }
  const fs::path place = place_of(command.search);
  if (const auto fit = check_place(place, command.book); !fit) return refused(fit);
  std::error_code ignored;  // it then cannot be written, which is reported
  fs::create_directories(place.parent_path(), ignored);
  auto sandbox = reading({command.site});
  sandbox.run = {program};
  sandbox.write = {place.parent_path()};
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  if (const auto free = is_free_or_own(place, index_kind); !free) return refused(free);
  return make_index(program, command.site, place);
}

}  // namespace primer
