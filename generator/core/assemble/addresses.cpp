#include "generator/core/assemble/addresses.hpp"

#include <vector>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

std::string folded(std::string_view path) {
  std::string out(path);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// The directories above "a/b/c": "a" and "a/b".
std::vector<std::string_view> directories_of(std::string_view path) {
  std::vector<std::string_view> all;
  for (auto slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    all.push_back(path.substr(0, slash));
  }
  return all;
}

// The path as an address: "/a/" for "a/index.html".
std::string shown(std::string_view path) {
  constexpr std::string_view index = "index.html";
  if (path.ends_with('/' + std::string(index))) path.remove_suffix(index.size());
  return '/' + std::string(path);
}

template <class Map>
const Addresses::Owner* found(const Map& map, std::string_view path) {
  const auto at = map.find(path);
  return at == map.end() ? nullptr : &at->second;
}

bool refuse(const std::string& path, const Addresses::Owner& owner, const Addresses::Owner& other,
            Diagnostics& diagnostics) {
  diagnostics.error(
      Rule::address_taken, owner.file.empty() ? other.file : owner.file,
      "address conflict at " + shown(path) + ": " + owner.name + " and " + other.name);
  diagnostics.hint("a page's address is its slug in chapters/book.yaml, an image's is its path");
  return false;
}

}  // namespace

const Addresses::Owner* Addresses::owner_of(const std::string& path) const {
  return other_than({}, folded(path));
}

const Addresses::Owner* Addresses::other_than(const Owner& owner, const std::string& key) const {
  const auto other = [&](const Owner* one) {
    return one && one->name != owner.name && one->name != owner.within ? one : nullptr;
  };
  if (const Owner* file = other(found(files_, key))) return file;
  if (const Owner* directory = other(found(directories_, key))) return directory;
  for (const auto parent : directories_of(key)) {
    if (const Owner* file = other(found(files_, parent))) return file;
    if (const Owner* directory = other(found(reserved_, parent))) return directory;
  }
  return nullptr;
}

bool Addresses::claim(const std::string& path, const Owner& owner, Diagnostics& diagnostics) {
  const std::string key = folded(path);
  if (const Owner* other = other_than(owner, key)) return refuse(path, owner, *other, diagnostics);
  for (const auto parent : directories_of(key)) directories_.emplace(parent, owner);
  files_.emplace(key, owner);
  return true;
}

bool Addresses::reserve(const std::string& directory, const Owner& owner,
                        Diagnostics& diagnostics) {
  const std::string key = folded(directory.substr(0, directory.find_last_not_of('/') + 1));
  if (const Owner* other = other_than(owner, key))
    return refuse(directory, owner, *other, diagnostics);
  for (const auto parent : directories_of(key)) directories_.emplace(parent, owner);
  reserved_.emplace(key, owner);
  directories_.emplace(key, owner);
  return true;
}

}  // namespace primer
