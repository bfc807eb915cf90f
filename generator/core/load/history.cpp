#include "generator/core/load/history.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <sstream>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/checksum.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
bool is_committed(std::string_view bytes, std::string_view object) {
  const auto name_of = [&](std::string_view text) {
    const std::string whole = "blob " + std::to_string(text.size()) + '\0' + std::string(text);
    return object.size() == 64 ? sha256(whole) : sha1(whole);
  };
  if (name_of(bytes) == object) return true;
  return bytes.find("\r\n") != bytes.npos &&
         name_of(replace_all(std::string(bytes), "\r\n", "\n")) == object;
}

namespace {
constexpr std::size_t longest_subject = 200;  // characters

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

// Parses "seconds\x02commit\x02subject". The result has no date if it cannot be read.
Change change_of(std::string_view head, std::int64_t now) {
  auto parts = split(head, '\x02');
  parts.resize(std::max<std::size_t>(parts.size(), 3));
  std::int64_t seconds = 0;
  const auto [end, error] =
      std::from_chars(parts[0].data(), parts[0].data() + parts[0].size(), seconds);
  if (error == std::errc::result_out_of_range) seconds = now;
  const bool readable =
      error != std::errc::invalid_argument && end == parts[0].data() + parts[0].size();
  return {readable ? date_of(std::clamp<std::int64_t>(seconds, 0, now)) : "", std::string(parts[1]),
          cleaned_subject(parts[2])};
}

}  // namespace

std::string cleaned_subject(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t count = 0; end < text.size() && count < longest_subject; ++count) {
    do ++end;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80);
  }
  return visible(text.substr(0, end)) + (end < text.size() ? "…" : "");
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

}  // namespace primer
