#include "generator/cli/pack_command.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "generator/base/characters.hpp"
#include "generator/cli/protection.hpp"
#include "generator/host/build_id.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/own_output.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

using Texts = std::map<std::string, std::string>;  // files next to the pack, by their names

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

// The texts that the pack in the place names. Nothing where another pack in the folder may name them too.
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

// The name of a text is its digest, so one that is there already is the same or somebody else's.
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
  return figures::Error{path + " is not a text that primer wrote"};
}

// Texts before the pack that names them, and those of the pack before only after it.
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
  std::error_code ignored;  // it then cannot be written, which is reported
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
              << bytes.size() << " bytes, " << texts.size() << " texts beside it\n";
  }
  return report(made.diagnostics, command.reporting());
}

}  // namespace primer
