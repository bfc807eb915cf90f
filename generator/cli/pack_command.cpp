#include "generator/cli/pack_command.hpp"

#include <iostream>

#include "generator/cli/protection.hpp"
#include "generator/host/build_id.hpp"
#include "generator/host/directory.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

// The old file or the new one, whole.
std::error_code write_whole(const Directory& folder, const std::string& name,
                            const std::string& bytes) {
  const std::string fresh = name + ".new";
  auto error = folder.remove_all(fresh);
  if (!error) error = folder.write(fresh, bytes);
  if (!error) error = folder.move(fresh, folder, name);
  return error;
}

// Texts before the pack that names them, and those of the pack before only after it.
std::error_code write_pack(const fs::path& file, const std::string& bytes,
                           const std::map<std::string, std::string>& texts) {
  const Directory folder(file.parent_path());
  if (folder.get() < 0) return last_error();
  std::error_code error;
  for (const auto& [name, text] : texts)
    if (!error) error = write_whole(folder, name, text);
  if (!error) error = write_whole(folder, file.filename().string(), bytes);
  for (const auto& name : folder.names())
    if (!error && is_text_file(name) && !texts.contains(name)) error = folder.remove(name);
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
  auto made = pack_book(options, *cache);
  if (made.value) {
    const auto texts = take_apart(*made.value);
    const std::string bytes = to_bytes(*made.value);
    if (const auto error = write_pack(file, bytes, texts))
      return failed({"cannot write " + file.string() + ": " + error.message()});
    std::cout << command.file << ": " << made.value->pages.size() << " pages, " << bytes.size()
              << " bytes, " << texts.size() << " texts beside it\n";
  }
  return report(made.diagnostics, command.reporting());
}

}  // namespace primer
