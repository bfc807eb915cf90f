#include "generator/code/listing.hpp"

#include <algorithm>
#include <array>

#include "generator/base/characters.hpp"
#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/code/source_region.hpp"
#include "generator/diagnostic/source.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;

struct FileType {
  std::string_view ending;
  std::string_view language;
};

constexpr std::array<FileType, 23> file_types{{
    {".cpp", "cpp"},
    {".hpp", "cpp"},
    {".cc", "cpp"},
    {".h", "cpp"},
    {".cu", "cuda"},
    {".cuh", "cuda"},
    {".c", "c"},
    {".py", "python"},
    {".sh", "bash"},
    {".js", "javascript"},
    {".mjs", "javascript"},
    {".ts", "typescript"},
    {".mts", "typescript"},
    {".rs", "rust"},
    {".go", "go"},
    {".java", "java"},
    {".toml", "toml"},
    {".json", "json"},
    {".wgsl", "wgsl"},
    {".yaml", "yaml"},
    {".yml", "yaml"},
    {".html", "text"},
    {".md", "text"},
}};

// "path#region" and where its two parts stand.
struct Written {
  std::string_view path;
  std::string_view region;  // empty: the whole file
  std::size_t region_offset;
};

Written parse_source(std::string_view source) {
  const std::size_t hash = source.find('#');
  if (hash == source.npos) return {source, {}, source.size()};
  return {source.substr(0, hash), source.substr(hash + 1), hash + 1};
}

Error about_path(const Written& source, std::string message, std::string suggestion = {}) {
  return {std::move(message), 0, source.path.size(), std::move(suggestion)};
}

Error about_region(const Written& source, std::string message, std::string suggestion = {}) {
  return {std::move(message), source.region_offset, source.region.size(), std::move(suggestion)};
}

std::string nearest_file(const FileSystem& files, const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "" : nearest(path, files.list(path.substr(0, slash)));
}

Result<Listing> pick(const Written& source, const std::string& path, std::vector<Region> regions) {
  const auto named = [&](const Region& region) { return region.name == source.region; };
  const auto found = std::find_if(regions.begin(), regions.end(), named);
  if (found == regions.end()) {
    std::vector<std::string> names;
    for (const Region& region : regions) names.push_back(region.name);
    return about_region(source, path + " has no region " + in_quotes(source.region),
                        nearest(source.region, names));
  }
  if (found->code.empty()) return about_region(source, "there is nothing in it to show");
  return Listing{path, found->first_line, std::string(language_of_file(path)),
                 std::move(found->code)};
}

}  // namespace

std::string_view language_of_file(std::string_view path) {
  const auto fits = [&](const FileType& type) { return path.ends_with(type.ending); };
  const auto found = std::find_if(file_types.begin(), file_types.end(), fits);
  return found == file_types.end() ? "text" : found->language;
}

Result<Listing> read_listing(const FileSystem& files, std::string_view text) {
  const Written source = parse_source(text);
  const auto path = normal_path(source.path);
  if (!path || first_hidden_character(source.path, TextKind::code)) {
    return about_path(source, in_quotes(source.path) + " is not a path inside the book");
  }
  if (text.ends_with('#')) {
    return Error{"a region's name is missing after '#'", source.region_offset - 1, 1, {}};
  }
  const auto content = files.read(*path);
  if (const Unreadable why = files.why_unreadable(*path); !content && !why.message.empty()) {
    return about_path(source, in_quotes(*path) + ": " + why.message);
  }
  if (!content) {
    return about_path(source, "there is no file " + in_quotes(*path) + " in the book",
                      nearest_file(files, *path));
  }
  if (content->size() > largest_listed_file) {
    return about_path(
        source, *path + " is larger than " + std::to_string(largest_listed_file / 1024) + " KiB");
  }
  if (!is_utf8(*content)) return about_path(source, *path + " is not UTF-8 text");
  if (const auto hidden = first_hidden_character(*content, TextKind::code)) {
    const Position at = Source(*path, *content).position(hidden->offset);
    return about_path(source, *path + ':' + std::to_string(at.line) + ':' +
                                  std::to_string(at.column) + " holds " + hidden->name +
                                  ", which readers do not see");
  }
  auto regions = source_regions(*content);
  if (!regions) return about_path(source, *path + ", " + regions.error().message);
  return pick(source, *path, std::move(regions.value()));
}

}  // namespace primer
