#include "generator/cli/tool_commands.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iostream>
#include <map>
#include <set>

#include "generator/cli/console.hpp"
#include "generator/cli/install_prefix.hpp"
#include "generator/cli/site_command.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/disk_cache.hpp"
#include "generator/host/own_output.hpp"
#include "generator/host/pagefind.hpp"
#include "generator/tools/language/language_server.hpp"
#include "generator/tools/search/indexed_text.hpp"
#include "generator/tools/search/word_lists.hpp"

namespace primer {
namespace fs = std::filesystem;

namespace {
// Sections of the pages for readers: those that search engines may list, without the page of rules.
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

// Replaces Pagefind's script by the version that scripts/minify.mjs made from exactly this one.
void use_minified(std::vector<SearchFile>& files) {
  const auto minified = disk((program_home() / "build/minified").string());
  for (auto& file : files) {
    if (!file.path.ends_with(".js") || minified->read("source/" + file.path) != file.content)
      continue;
    file.content = minified->read(file.path).value_or(file.content);
  }
}

constexpr OutputKind index_kind{"a search index by primer, 1\n", true};

// Reports why the index cannot be written and what to do.
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
    return failed({"Pagefind, which builds the search index, is not in " +
                   (program_home() / "node_modules/@pagefind").string()});
  }
  const fs::path place = place_of(command.search);
  if (const auto fit = check_place(place, command.book); !fit) return refused(fit);
  std::error_code ignored;  // if this fails, writing reports it
  fs::create_directories(place.parent_path(), ignored);
  auto sandbox = reading({command.site});
  sandbox.run = {program};
  sandbox.write = {place.parent_path()};
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  if (const auto free = is_free_or_own(place, index_kind); !free) return refused(free);
  return make_index(program, command.site, place);
}

// primer pack

namespace {
using Texts = std::map<std::string, std::string>;  // files next to the pack, by name

constexpr OutputKind pack_kind{pack_mark};
constexpr std::size_t largest_pack = std::size_t{1} << 30;

int refused(const std::string& why) {
  return failed({"the pack cannot be written: " + why + "; choose another file"});
}

bool is_pack(const Directory& folder, const std::string& name) {
  const int file = folder.open(name, O_RDONLY | O_NONBLOCK);
  std::string start(pack_mark.size(), '\0');
  const auto size = file < 0 ? -1 : pread(file, start.data(), start.size(), 0);
  if (file >= 0) close(file);
  return size == static_cast<ssize_t>(start.size()) && start == pack_mark;
}

// The texts that the pack at this place names. Empty if another pack in the folder may also use
// them.
std::set<std::string> named_by(const Directory& folder, const std::string& name) {
  std::set<std::string> texts;
  const auto bytes = folder.read(name, largest_pack);
  const auto pack = bytes ? book_pack_of(*bytes) : figures::Error{"there is none"};
  if (!pack) return texts;
  for (const auto& other : folder.names())
    if (other != name && is_pack(folder, other)) return texts;
  for (const auto& [path, text] : pack->apart) texts.insert(text_file(text));
  return texts;
}

// A text is named by its digest, so an existing file is either the same or not ours.
figures::Status write_text(const fs::path& folder_path, const Directory& folder,
                           const std::string& name, const std::string& text) {
  const std::string aside = aside_name(name);
  auto error = folder.write(aside, text);
  if (!error) error = folder.move_new(aside, folder, name);
  if (!error) return figures::ok();
  static_cast<void>(folder.remove(aside));
  const std::string path = (folder_path / name).string();
  if (error != std::errc::file_exists)
    return figures::Error{path + " cannot be written: " + error.message()};
  if (folder.read(name, text.size()) == text) return figures::ok();
  return figures::Error{path + " was not written by primer"};
}

// Writes texts before the pack that names them, and removes those of the previous pack afterwards.
figures::Status write_pack(const fs::path& place, const std::string& bytes, const Texts& texts) {
  const fs::path folder_path = place.parent_path();
  const Directory folder(folder_path);
  const auto before = named_by(folder, place.filename().string());
  for (const auto& [name, text] : texts) {
    if (auto written = write_text(folder_path, folder, name, text); !written) return written;
  }
  if (auto written = write_own_file(place, pack_kind, bytes); !written) return written;
  for (const auto& name : before) {
    if (texts.contains(name)) continue;
    const auto text = folder.read(name, largest_pack);
    if (text && text_file(digest(*text)) == name) static_cast<void>(folder.remove(name));
  }
  return figures::ok();
}

}  // namespace

int run(const PackCommand& command) {
  auto options = build_options(command);
  const auto user = prepare(options);
  const fs::path place = place_of(command.file);
  if (const auto fit = check_place(place, command.book); !fit) return refused(fit.error().message);
  std::error_code ignored;  // if this fails, writing reports it
  fs::create_directories(place.parent_path(), ignored);
  if (!enter(site_sandbox(options, {place.parent_path(), user.cache}), command.no_sandbox))
    return 1;
  if (const auto free = is_free_or_own(place, pack_kind); !free)
    return refused(free.error().message);
  const auto cache =
      open_cache(user.cache_of(command.book), program_identity(), DiskCache::Use::write);
  auto made = pack_book(options, *cache);
  if (made.value) {
    const auto texts = take_apart(*made.value);
    const std::string bytes = to_bytes(*made.value);
    if (const auto written = write_pack(place, bytes, texts); !written)
      return refused(written.error().message);
    std::cout << visible(command.file) << ": " << made.value->pages.size() << " pages, "
              << bytes.size() << " bytes, " << texts.size() << " separate texts\n";
  }
  return report(made.diagnostics, command.reporting());
}

// primer lsp

namespace {
// Diagnostics are sent when the author pauses typing.
constexpr int rest_ms = 150;

// Reads input into the stream. False at its end.
bool read_some(MessageStream& stream) {
  std::array<char, 65536> bytes;
  const auto count = read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count < 0) return errno == EINTR;
  stream.add({bytes.data(), static_cast<std::size_t>(count)});
  return count > 0;
}

}  // namespace

int run(const LspCommand& command) {
  auto options = build_options(command);
  options.site.unbuilt = Unbuilt::do_without;
  const auto user = prepare(options);
  auto sandbox = site_sandbox(options, {user.cache});
  sandbox.ends = false;
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  const auto cache =
      open_cache(user.cache_of(command.book), program_identity(), DiskCache::Use::write);
  LanguageServer server(std::move(options), *cache, [](const nlohmann::json& message) {
    std::cout << framed(message) << std::flush;
  });
  MessageStream stream;
  while (!server.has_ended() && !stream.is_broken()) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const int ready = poll(&input, 1, server.is_stale() ? rest_ms : -1);
    if (ready == 0) {
      server.check();
      cache->flush();
    } else if (ready > 0 && !read_some(stream)) {
      break;
    }
    while (const auto message = stream.next()) server.receive(*message);
  }
  return server.exit_status();
}

}  // namespace primer
