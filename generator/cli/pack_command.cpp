#include "generator/cli/pack_command.hpp"

#include <iostream>

#include "generator/cli/protection.hpp"
#include "generator/host/build_id.hpp"
#include "generator/host/directory.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

// The old file or the new one, whole.
std::error_code write_pack(const fs::path& file, const std::string& bytes) {
  const Directory parent(file.parent_path());
  if (parent.get() < 0) return last_error();
  const std::string name = file.filename().string(), fresh = name + ".new";
  auto error = parent.remove_all(fresh);
  if (!error) error = parent.write(fresh, bytes);
  if (!error) error = parent.move(fresh, parent, name);
  return error;
}

}  // namespace

int run(const PackCommand& command) {
  auto options = build_options(command);
  const auto user = prepare(options);
  const fs::path file = fs::absolute(command.file).lexically_normal();
  std::error_code ignored;  // it then cannot be written, which is reported
  fs::create_directories(file.parent_path(), ignored);
  if (!enter(site_sandbox(options, {file.parent_path(), user.cache}), command.no_sandbox)) return 1;
  const auto cache =
      open_cache(user.cache_of(command.book), program_identity(), DiskCache::Use::write);
  const auto made = pack_book(options, *cache);
  if (made.value) {
    const std::string bytes = to_bytes(*made.value);
    if (const auto error = write_pack(file, bytes))
      return failed({"cannot write " + file.string() + ": " + error.message()});
    std::cout << command.file << ": " << made.value->pages.size() << " pages, " << bytes.size()
              << " bytes\n";
  }
  return report(made.diagnostics, command.reporting());
}

}  // namespace primer
