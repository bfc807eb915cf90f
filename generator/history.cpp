#include "generator/history.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "generator/maths_process.hpp"
#include "generator/text.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

using figures::Error;
using figures::Result;

constexpr auto patience = std::chrono::seconds(60);
constexpr std::size_t longest_subject = 200;  // characters
constexpr std::string_view replacement = "\xEF\xBF\xBD";

// A repository with nothing of its own, for as long as git runs.
class EmptyRepository {
 public:
  EmptyRepository(const fs::path& scratch, bool long_digests) {
    std::string name = (scratch / "history.XXXXXX").string();
    if (!mkdtemp(name.data())) return;
    path_ = name;
    std::error_code error;
    fs::create_directory(path_ / "objects", error);
    fs::create_directory(path_ / "refs", error);
    std::ofstream(path_ / "HEAD") << "ref: refs/heads/none\n";
    std::ofstream(path_ / "config") << (long_digests ? "[core]\n\trepositoryFormatVersion = 1\n"
                                                       "[extensions]\n\tobjectFormat = sha256\n"
                                                     : "[core]\n\trepositoryFormatVersion = 0\n");
  }
  ~EmptyRepository() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  EmptyRepository(const EmptyRepository&) = delete;
  EmptyRepository& operator=(const EmptyRepository&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::vector<std::string> git_environment(const fs::path& repository, const fs::path& objects) {
  return {"GIT_DIR=" + repository.string(), "GIT_OBJECT_DIRECTORY=" + objects.string(),
          "GIT_CONFIG_NOSYSTEM=1",  "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1",
          "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1",        "GIT_NO_REPLACE_OBJECTS=1",
          "GIT_OPTIONAL_LOCKS=0",   "GIT_TERMINAL_PROMPT=0",       "GIT_PAGER=cat"};
}

// What git prints; Error when it cannot be started or does not come to its end.
Result<std::string> ask_git(const Checkout& checkout, const Git& git) {
  if (git.program.empty()) return Error{"there is no git"};
  const EmptyRepository empty(git.scratch, checkout.commit.size() == 64);
  if (empty.path().empty()) return Error{in_quotes(git.scratch.string()) + " cannot be written"};
  const std::string prefix = checkout.below.empty() ? "" : checkout.below + '/';
  std::vector<std::string> words{
      git.program.string(), "--literal-pathspecs", "-c", "core.quotePath=off", "log",
      "--format=%x01%ct%x02%h%x02%s", "--abbrev=10", "--encoding=UTF-8", "--name-only",
      "--no-renames", "--no-ext-diff", "--no-textconv", "--no-mailmap", "--no-notes",
      "--no-decorate", "--no-color", "--no-show-signature", "--no-follow"};
  if (!prefix.empty()) words.push_back("--relative=" + prefix);
  words.insert(words.end(), {checkout.commit, "--", prefix + "chapters"});
  LineProcess process;
  std::string out, line;
  if (!process.start(words, git_environment(empty.path(), checkout.objects))) return Error{"git does not start"};
  auto event = LineProcess::Event::line;
  while ((event = process.next_line(line, patience)) == LineProcess::Event::line) out += line + '\n';
  if (event == LineProcess::Event::timeout) return Error{"git takes too long"};
  if (process.finish() != 0) return Error{"git cannot read the repository"};
  return out;
}

std::string date_of(std::int64_t seconds) {
  using namespace std::chrono;
  const sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

// "seconds\x02commit\x02subject"; without a date when there is none.
Change change_of(std::string_view head, std::int64_t now) {
  auto parts = split(head, '\x02');
  parts.resize(std::max<std::size_t>(parts.size(), 3));
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(parts[0].data(), parts[0].data() + parts[0].size(), seconds);
  if (error == std::errc::result_out_of_range) seconds = now;
  const bool readable = error != std::errc::invalid_argument && end == parts[0].data() + parts[0].size();
  return {readable ? date_of(std::clamp<std::int64_t>(seconds, 0, now)) : "", std::string(parts[1]),
          cleaned_subject(parts[2])};
}

// The code point that a text begins with, and its bytes; 0 bytes of what is no UTF-8.
std::pair<std::uint32_t, std::size_t> first_point(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length > text.size() || (length == 1 ? lead < 0x20 : !is_utf8(text.substr(0, length)))) return {0, 0};
  std::uint32_t point = length == 1 ? lead : lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) point = point << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
  return {point, length};
}

// Controls of either kind, of the direction and of line breaks, without width, and noncharacters. U+200C and
// U+200D join what many scripts write.
bool is_hidden(std::uint32_t point) {
  const auto between = [&](std::uint32_t first, std::uint32_t last) { return point >= first && point <= last; };
  return between(0x7F, 0x9F) || point == 0xAD || point == 0x061C || point == 0x180E || point == 0x200B ||
         between(0x200E, 0x200F) || between(0x2028, 0x202E) || between(0x2060, 0x206F) || point == 0xFEFF ||
         between(0xFFF9, 0xFFFB) || between(0xFDD0, 0xFDEF) || (point & 0xFFFE) == 0xFFFE ||
         between(0xE0000, 0xE0FFF);
}

}  // namespace

std::string cleaned_subject(std::string_view text) {
  std::string out;
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    if (count == longest_subject) return out + "…";
    const auto [point, length] = first_point(text.substr(at));
    out += length == 0 || is_hidden(point) ? replacement : text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

History parse_history(const std::string& log, std::int64_t now) {
  History history;
  std::istringstream lines(log);
  Change change;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('\x01')) {
      change = change_of(std::string_view(line).substr(1), now);
    } else if (!line.empty() && !change.date.empty()) {
      FileHistory& file = history.try_emplace(line, FileHistory{"", change.date}).first->second;
      file.created = change.date;
      file.changes.push_back(change);
    }
  }
  return history;
}

Result<History> read_history(const Checkout& checkout, const Git& git, Cache* cache) {
  const std::string key = "history of " + checkout.below + " at " + checkout.commit;
  auto log = cache ? cache->find(Cache::Kind::page, key) : std::nullopt;
  if (!log) {
    auto said = ask_git(checkout, git);
    if (!said) return said.error();
    log = std::move(*said);
    if (cache) cache->store(Cache::Kind::page, key, *log);
  }
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return parse_history(*log, std::chrono::duration_cast<std::chrono::seconds>(now).count());
}

}  // namespace primer
