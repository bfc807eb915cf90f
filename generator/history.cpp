#include "generator/history.hpp"

#include <chrono>
#include <sstream>

#include "generator/maths_process.hpp"

namespace primer {
namespace {

constexpr auto patience = std::chrono::seconds(60);

// What a program prints; empty when it cannot be started.
std::string output_of(const std::vector<std::string>& arguments) {
  LineProcess process;
  std::string out, line;
  if (!process.start(arguments)) return out;
  while (process.next_line(line, patience) == LineProcess::Event::line) out += line + '\n';
  return out;
}

}  // namespace

History parse_history(const std::string& log) {
  History history;
  std::istringstream lines(log);
  std::string date;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('\x01')) {
      date = line.substr(1);
      // "+00:00" of --date=iso-strict-local in the zone UTC.
      if (const auto zone = date.find("+00:00"); zone != date.npos) date.replace(zone, 6, "Z");
    } else if (!line.empty() && !date.empty()) {
      const auto [at, is_new] = history.try_emplace(line, FileHistory{date, date});
      if (!is_new) at->second.created = date;
    }
  }
  return history;
}

History read_history(const std::string& book) {
  return parse_history(output_of({"env", "TZ=UTC", "git", "-C", book, "-c", "core.quotePath=off",
                                  "log", "--format=%x01%cd", "--date=iso-strict-local",
                                  "--name-only", "--relative", "--no-renames", "--", "chapters"}));
}

std::string head_commit(const std::string& book) {
  std::string commit = output_of({"git", "-C", book, "rev-parse", "HEAD"});
  while (!commit.empty() && commit.back() == '\n') commit.pop_back();
  return commit;
}

}  // namespace primer
