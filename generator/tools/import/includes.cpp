#include "generator/tools/import/includes.hpp"

#include <algorithm>
#include <cstdlib>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

constexpr int deepest = 10;
constexpr std::string_view open = "{{#", close = "}}";

bool is_anchor(std::string_view line) {
  return line.find("ANCHOR: ") != line.npos || line.find("ANCHOR_END: ") != line.npos;
}

// The name behind "ANCHOR: " on this line, up to the next space.
bool names(std::string_view line, std::string_view mark, std::string_view anchor) {
  const auto at = line.find(mark);
  if (at == line.npos) return false;
  const std::string_view rest = trim(line.substr(at + mark.size()));
  return rest.substr(0, rest.find(' ')) == anchor;
}

// The lines that "anchor", "2", "2:7", "2:" or ":7" names; all for "".
std::vector<std::string> part_of(std::string_view text, std::string_view part) {
  const auto lines = split_lines(text);
  std::size_t first = 1, last = lines.size();
  const bool numbers = !part.empty() && std::ranges::all_of(part, [](char c) {
    return (c >= '0' && c <= '9') || c == ':';
  });
  bool inside = part.empty() || numbers;
  if (numbers) {
    const auto ends = split(part, ':');
    const auto number = [](std::string_view digits, std::size_t otherwise) {
      return digits.empty() ? otherwise
                            : static_cast<std::size_t>(std::atol(std::string(digits).c_str()));
    };
    first = number(ends.front(), 1);
    last = number(ends.back(), last);
  }
  std::vector<std::string> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!numbers && names(lines[i], "ANCHOR: ", part)) inside = true;
    if (!numbers && names(lines[i], "ANCHOR_END: ", part)) inside = false;
    if (inside && i + 1 >= first && i + 1 <= last && !is_anchor(lines[i]))
      found.emplace_back(lines[i]);
  }
  return found;
}

class Includer {
 public:
  Includer(const FileSystem& files, Lowered& lowered) : files_(files), lowered_(lowered) {}

  void expand(const std::string& file, const OldLine& line, int depth, std::vector<OldLine>& into) {
    const auto at = line.text.find(open);
    const auto end = at == line.text.npos ? at : line.text.find(close, at);
    const bool escaped = at > 0 && at != line.text.npos && line.text[at - 1] == '\\';
    if (end == line.text.npos || escaped || depth > deepest) return into.push_back(line);
    const auto words = split(std::string_view(line.text).substr(at + 3, end - at - 3), ' ');
    const std::string command(words.front());
    const std::string target(words.size() > 1 ? words[1] : std::string_view());
    if (command == "title") return;
    const auto colon = target.find(':');
    const auto path = resolve_path(file, target.substr(0, colon));
    const auto text = path ? files_.read(*path) : std::nullopt;
    if (!text || !is_one_of(command, {"include", "rustdoc_include", "playground", "playpen"})) {
      lowered_.add("{{#" + command + "}} that cannot be read", "left as it was", file, line.number);
      return into.push_back(line);
    }
    lowered_.add("{{#" + command + "}}", "pasted", file, line.number);
    const std::string part = colon == target.npos ? "" : target.substr(colon + 1);
    const std::string before = line.text.substr(0, at),
                      after = line.text.substr(end + close.size());
    const auto lines = part_of(*text, part);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      // The indentation of an include is that of all its lines; a text before it is the first's alone.
      const bool indents = trim(before).empty();
      OldLine one{
          (i == 0 || indents ? before : "") + lines[i] + (i + 1 == lines.size() ? after : ""),
          line.number};
      expand(*path, one, depth + 1, into);
    }
  }

 private:
  const FileSystem& files_;
  Lowered& lowered_;
};

}  // namespace

std::vector<OldLine> with_includes(const FileSystem& files, const std::string& file,
                                   const std::vector<OldLine>& lines, Lowered& lowered) {
  std::vector<OldLine> all;
  Includer includer(files, lowered);
  for (const auto& line : lines) includer.expand(file, line, 0, all);
  return all;
}

}  // namespace primer
