#include "generator/load/gallery.hpp"

#include "generator/base/pack.hpp"
#include "generator/base/text.hpp"
#include "generator/diagnostic/unreadable.hpp"
#include "generator/formats/json_file.hpp"
#include "generator/load/profile_validation.hpp"

namespace primer {
namespace {

constexpr std::string_view profiles_folder = "figures/profiles/", profiles_ending = ".json";

// Whether a profile's text is one.
bool is_valid(const std::string& path, const std::string& text, const Values& values,
              Diagnostics& diagnostics, Cache* cache) {
  const std::string key = valid_profile_key(text);
  if (cache && cache->find(Cache::Kind::checked, key)) return true;
  const auto file = parse_json(path, text, diagnostics);
  if (!file || !validate_profile(*file, values.catalogue, diagnostics)) return false;
  if (cache) cache->store(Cache::Kind::checked, key, "");
  return true;
}

}  // namespace

std::string valid_profile_key(std::string_view text) {
  Packer key;
  key.add(std::string_view("a valid profile"));
  key.add(digest(text));
  return std::move(key.bytes);
}

Gallery load_gallery(const FileSystem& files, const std::string& reference, const Values& values,
                     Diagnostics& diagnostics, Cache* cache) {
  Gallery gallery;
  for (const auto& path : files.list("figures/profiles")) {
    if (!path.ends_with(profiles_ending)) continue;
    const std::string name = path.substr(
        profiles_folder.size(), path.size() - profiles_folder.size() - profiles_ending.size());
    if (!is_identifier(name)) {
      diagnostics.error(
          Rule::bad_id, path,
          "a profile's file is named by lower-case letters, digits and hyphens, beginning with a "
          "letter: its name is an address");
      continue;
    }
    const auto text = files.read(path);
    Diagnostics own;
    if (!text) {
      report_unreadable(files, path, own);
    } else if (is_valid(path, *text, values, own, cache)) {
      gallery.emplace(name, *text);
    }
    if (name != reference) diagnostics.append(std::move(own));
  }
  return gallery;
}

}  // namespace primer
