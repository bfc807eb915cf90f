#include "generator/core/code/listing.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/source.hpp"

namespace primer {
namespace {
using figures::Error;
using figures::Result;

// Far above any readable file; they bound the work on a hostile one.
constexpr std::size_t deepest_nesting = 8;
constexpr std::size_t most_regions = 200;

struct Marker {
  bool begins;
  std::string_view name;
};

struct Line {
  int number;
  std::string_view text;
};

struct OpenRegion {
  std::string_view name;
  int marker_line;
  std::vector<Line> lines;
  std::size_t position;  // index in the results
};

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::optional<Marker> parse_marker(std::string_view line) {
  line = trim(line);
  if (!take(line, "//") && !take(line, "#")) return std::nullopt;
  line = trim(line);
  if (take(line, "region:")) return Marker{true, trim(line)};
  if (take(line, "end region:")) return Marker{false, trim(line)};
  return std::nullopt;
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

bool blank(const Line& line) { return trim(line.text).empty(); }

Region finished(std::string name, std::vector<Line> lines) {
  const auto shown = std::find_if_not(lines.begin(), lines.end(), blank);
  lines.erase(lines.begin(), shown);
  while (!lines.empty() && blank(lines.back())) lines.pop_back();

  Region region{std::move(name), lines.empty() ? 1 : lines.front().number, {}};
  std::size_t common = std::string_view::npos;
  for (const Line& line : lines) {
    if (!blank(line)) common = std::min(common, indentation(line.text));
  }
  for (const Line& line : lines) {
    if (!blank(line)) region.code += line.text.substr(common);
    region.code += '\n';
  }
  return region;
}

Error at_line(int line, std::string message) {
  return Error{"line " + std::to_string(line) + ": " + std::move(message), 0, 0, {}};
}

// Reads a file line by line with a stack of open regions. The whole file is the bottom of the
// stack, and a line of code belongs to every open region.
class Reader {
 public:
  Result<std::vector<Region>> read(std::string_view text) {
    open_.push_back({"", 0, {}, 0});
    regions_.emplace_back();
    int number = 0;
    for (std::string_view line : split_lines(text)) {
      ++number;
      if (line.ends_with('\r')) line.remove_suffix(1);
      const auto marker = parse_marker(line);
      if (!marker) {
        for (OpenRegion& region : open_) region.lines.push_back({number, line});
      } else if (auto done =
                     marker->begins ? begin(marker->name, number) : end(marker->name, number);
                 !done) {
        return done.error();
      }
    }
    if (open_.size() > 1) {
      return at_line(open_.back().marker_line,
                     "region " + in_quotes(open_.back().name) + " is never closed");
    }
    close();
    return std::move(regions_);
  }

 private:
  figures::Status begin(std::string_view name, int line) {
    if (!is_identifier(name)) {
      return at_line(line, "a region's name is lower-case letters, digits and hyphens, not " +
                               in_quotes(name));
    }
    for (const Region& region : regions_) {
      if (region.name == name) return at_line(line, "region " + in_quotes(name) + " begins twice");
    }
    if (open_.size() > deepest_nesting) return at_line(line, "regions are nested too deeply");
    if (regions_.size() > most_regions) return at_line(line, "there are too many regions");
    open_.push_back({name, line, {}, regions_.size()});
    regions_.push_back({std::string(name), 0, {}});
    return figures::ok();
  }

  figures::Status end(std::string_view name, int line) {
    if (open_.size() == 1) return at_line(line, "no region is open here");
    if (open_.back().name != name) {
      return at_line(line, "the innermost open region is " + in_quotes(open_.back().name) +
                               ", not " + in_quotes(name));
    }
    close();
    return figures::ok();
  }

  void close() {
    OpenRegion& last = open_.back();
    regions_[last.position] = finished(std::string(last.name), std::move(last.lines));
    open_.pop_back();
  }

  std::vector<OpenRegion> open_;
  std::vector<Region> regions_;
};

}  // namespace

Result<std::vector<Region>> source_regions(std::string_view text) { return Reader().read(text); }

namespace {

struct FileType {
  std::string_view ending;
  std::string_view language;
};

constexpr std::array<FileType, 27> file_types{{
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
    {".jl", "julia"},
    {".mk", "make"},
    {".R", "r"},
    {".zig", "zig"},
    {".yaml", "yaml"},
    {".yml", "yaml"},
    {".html", "text"},
    {".md", "text"},
}};

// The two parts of "path#region" and the offset of the second.
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
  if (found->code.empty()) return about_region(source, "it contains no code to show");
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
    return Error{"missing region name after '#'", source.region_offset - 1, 1, {}};
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
                                  std::to_string(at.column) + " contains " + hidden->name +
                                  ", which readers do not see");
  }
  auto regions = source_regions(*content);
  if (!regions) return about_path(source, *path + ", " + regions.error().message);
  return pick(source, *path, std::move(regions.value()));
}

}  // namespace primer
