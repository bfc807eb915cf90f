#include "generator/tracked_files.hpp"

#include <chrono>

#include "generator/maths_process.hpp"
#include "generator/text.hpp"

namespace primer {

std::optional<TrackedFiles> parse_tracked(std::string_view list) {
  TrackedFiles files;
  for (const auto line : split_lines(list)) {
    if (!line.empty() && line.front() != '"') files.emplace(line);
  }
  if (files.empty()) return std::nullopt;
  return files;
}

std::optional<TrackedFiles> tracked_files(const std::string& book) {
  // Nothing that the repository's own configuration names is started.
  LineProcess git;
  if (!git.start({"git", "-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false", "-c",
                  "core.quotePath=off", "-C", book, "ls-files"})) {
    return std::nullopt;
  }
  std::string list, line;
  auto event = LineProcess::Event::line;
  while ((event = git.next_line(line, std::chrono::seconds(60))) == LineProcess::Event::line) list += line + '\n';
  if (event == LineProcess::Event::timeout) return std::nullopt;
  return parse_tracked(list);
}

}  // namespace primer
