#include "generator/history.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>

#include "generator/characters.hpp"
#include "generator/maths_process.hpp"
#include "generator/text.hpp"

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

// "date\x02commit\x02subject".
Change change_of(std::string_view head) {
  auto parts = split(head, '\x02');
  parts.resize(std::max<std::size_t>(parts.size(), 3));
  Change change{std::string(parts[0]), std::string(parts[1]), std::string(parts[2])};
  // "+00:00" of --date=iso-strict-local in the zone UTC.
  const auto zone = change.date.find("+00:00");
  if (zone != change.date.npos) change.date.replace(zone, 6, "Z");
  if (!is_utf8(change.subject)) change.subject.clear();
  change.subject = visible(change.subject);  // nobody can write it anew
  return change;
}

}  // namespace

History parse_history(const std::string& log) {
  History history;
  std::istringstream lines(log);
  Change change;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('\x01')) {
      change = change_of(std::string_view(line).substr(1));
    } else if (!line.empty() && !change.date.empty()) {
      FileHistory& file = history.try_emplace(line, FileHistory{"", change.date}).first->second;
      file.created = change.date;
      file.changes.push_back(change);
    }
  }
  return history;
}

History read_history(const std::string& book, const std::string& head, Cache* cache) {
  const auto ask = [&] {
    return output_of({"env", "TZ=UTC", "git", "--no-replace-objects", "-C", book, "-c", "core.quotePath=off",
                      "log", "--format=%x01%cd%x02%h%x02%s", "--abbrev=10", "--date=iso-strict-local",
                      "--name-only", "--relative", "--no-renames", "--", "chapters"});
  };
  // More of a shallow clone may be fetched.
  const bool is_whole = head.ends_with("\nfalse\n");
  const std::string key = "history of " + std::filesystem::absolute(book).string() + " at " + head;
  return parse_history(is_whole ? kept_or_made(cache, Cache::Kind::page, key, ask) : ask());
}

std::string head_of(const std::string& book) {
  return output_of({"git", "-C", book, "rev-parse", "HEAD", "--is-shallow-repository"});
}

}  // namespace primer
