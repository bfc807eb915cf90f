#include "generator/code/source_region.hpp"

#include <algorithm>
#include <optional>

#include "generator/base/text.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;

// Far above what a readable file has; they bound the work on a hostile one.
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
  std::size_t position;  // in the list of results
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
    if (open_.size() == 1) return at_line(line, "no region is open that could end here");
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

}  // namespace primer
