#include "generator/tools/import/links.hpp"

#include <algorithm>
#include <cctype>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

constexpr std::string_view image_endings[] = {".svg", ".png", ".jpg", ".jpeg", ".webp"};

bool has_scheme(std::string_view target) {
  const auto end = target.find_first_of(":/?#");
  return end != target.npos && end > 0 && target[end] == ':';
}

std::string decoded(std::string_view path) { return replace_all(std::string(path), "%20", " "); }

std::string lower(std::string_view text) {
  std::string all(text);
  for (char& c : all) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return all;
}

std::string written(const std::string& target) {
  return target.find(' ') == target.npos ? target : '<' + target + '>';
}

// Without what leads out of the book: it is a dead link, and that is what the new book's check says of it.
std::string inside(std::string_view path) {
  while (path.starts_with("../") || path.starts_with("./") || path.starts_with('/'))
    path.remove_prefix(path.find('/') + 1);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path.empty() || path == ".." || path == "." ? "no-page" : std::string(path);
}

}  // namespace

std::string as_id(std::string_view text) {
  std::string id;
  for (const char c : lower(text)) {
    if (std::isalnum(static_cast<unsigned char>(c))) id += c;
    else if (!id.empty() && id.back() != '-') id += '-';
  }
  while (id.ends_with('-')) id.pop_back();
  if (id.empty()) return "page";
  return std::isdigit(static_cast<unsigned char>(id.front())) ? "c-" + id : id;
}

Links::Links(const FileSystem& files, const NewPlaces& places, const ForeignBook& book,
             const ForeignChapter& chapter, std::map<std::string, std::string>& copies,
             Lowered& lowered)
    : files_(files),
      places_(places),
      book_(book),
      chapter_(chapter),
      copies_(copies),
      lowered_(lowered) {}

std::string Links::chapter_at(const std::string& path) const {
  const auto address = [&](const std::optional<std::string>& at) -> std::string {
    const auto found = at ? places_.addresses.find(*at) : places_.addresses.end();
    return found == places_.addresses.end() ? "" : found->second;
  };
  if (path.starts_with('/')) {
    const auto plain = normal_path(path.substr(1));
    return plain && places_.files.contains(*plain) ? *plain : address(plain);
  }
  const auto here = resolve_path(chapter_.file, path);
  std::string bare = here.value_or("");
  if (bare.ends_with(".html")) bare.resize(bare.size() - 5);
  for (const char* ending :
       {"", ".md", ".qmd", ".markdown", "/index.md", "/_index.md", "/README.md"}) {
    if (here && places_.files.contains(bare + ending)) return bare + ending;
  }
  // "../other" of a page whose address is a directory's; its own root is the book's.
  if (path == ".." || path == "../")
    return address(chapter_.address.substr(0, chapter_.address.rfind('/')));
  const std::string found = address(resolve_path(chapter_.address + "/index", path));
  return found.empty() ? address(here) : found;
}

std::string Links::file_at(const std::string& path) const {
  std::vector<std::optional<std::string>> places;
  if (path.starts_with('/')) {
    for (const char* root : {"", "static/", "assets/"})
      places.push_back(normal_path(root + path.substr(1)));
    places.push_back(normal_path(book_.content + path.substr(1)));
  } else {
    places.push_back(resolve_path(chapter_.file, path));
    places.push_back(resolve_path(book_.content + chapter_.address + "/index", path));
    places.push_back(resolve_path(book_.content + "index", path));
  }
  for (const auto& place : places) {
    if (place && files_.read(*place)) return *place;
  }
  return {};
}

std::string Links::link(std::string target, int line) {
  target = trim(target);
  if (target.starts_with("//")) return "https:" + target;
  if (target.starts_with("https:") || target.starts_with("http:") || target.starts_with("mailto:"))
    return written(target);
  if (has_scheme(target)) {
    lowered_.add("link with the scheme " + target.substr(0, target.find(':') + 1), "its text stays",
                 chapter_.file, line);
    return {};
  }
  const auto hash = target.find('#');
  std::string path = decoded(target.substr(0, std::min(hash, target.find('?'))));
  std::string fragment = hash == target.npos ? "" : target.substr(hash + 1);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const std::string file = path.empty() ? chapter_.file : chapter_at(path);
  if (file.empty()) {
    lowered_.add(file_at(path).empty() ? "link to no chapter" : "link to a file that is no chapter",
                 "left, without what leads out of the book", chapter_.file, line);
    return written(inside(path) + (fragment.empty() ? "" : '#' + fragment));
  }
  const auto ids = places_.ids.find(file);
  if (ids != places_.ids.end() && ids->second.contains(fragment))
    fragment = ids->second.at(fragment);
  if (path.empty()) return '#' + fragment;
  return places_.files.at(file) + (fragment.empty() ? "" : '#' + fragment);
}

std::string Links::image_with(const std::string& words, const std::string& target, int line) {
  const std::string file = image(target, line);
  if (!file.empty()) return "![" + words + "](" + file + ')';
  const std::string_view address = trim(target);
  const bool remote = address.starts_with("https://") || address.starts_with("http://") ||
                      address.starts_with("//");
  if (!remote) return words;
  const std::string there = (address.starts_with("//") ? "https:" : "") + std::string(address);
  return '[' + (words.empty() ? there : words) + "](<" + there + ">)";
}

std::string Links::image(std::string target, int line) {
  target = trim(target);
  if (has_scheme(target) || target.starts_with("//")) {
    lowered_.add("image of another site", "a link to it; copy the file into the book to show it",
                 chapter_.file, line);
    return {};
  }
  const std::string file = file_at(decoded(target.substr(0, target.find_first_of("?#"))));
  if (file.empty()) {
    lowered_.add("image that is not there", "left", chapter_.file, line);
    return written(inside(target));
  }
  std::string name = lower(file);
  const bool usable =
      std::ranges::any_of(image_endings, [&](auto ending) { return name.ends_with(ending); });
  if (!usable) {
    lowered_.add("image that is no SVG, PNG, JPEG or WebP file", "its text stays; convert it",
                 chapter_.file, line);
    return {};
  }
  for (char& c : name)
    c = std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '/' ? c : '-';
  copies_["chapters/images/" + name] = file;
  return "../images/" + name;
}

}  // namespace primer
