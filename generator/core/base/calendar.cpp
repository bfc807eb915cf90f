#include "generator/core/base/calendar.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>

namespace primer {
namespace {

namespace chrono = std::chrono;

std::string text_of(chrono::sys_days day) {
  const chrono::year_month_day date(day);
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

chrono::sys_days today() { return chrono::floor<chrono::days>(chrono::system_clock::now()); }

// Accepts digits only; -1 otherwise.
int number(std::string_view text) {
  int value = -1;
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  if (digits) std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool exists(std::string_view date) {
  const bool whole = date.size() == 10 && date[7] == '-';
  if (!(date.size() == 7 || whole) || date[4] != '-') return false;
  const int year = number(date.substr(0, 4)), month = number(date.substr(5, 2));
  const int day = whole ? number(date.substr(8)) : 1;
  if (year < 0 || month < 0 || day < 0) return false;
  return (chrono::year(year) / month / day).ok();
}

}  // namespace

std::string latest_day(std::string_view as_of) {
  const std::string tomorrow = text_of(today() + chrono::days(1));
  return exists(as_of) ? std::max(tomorrow, std::string(as_of) + "-31") : tomorrow;
}

std::string this_month() { return text_of(today()).substr(0, 7); }

std::optional<std::string> date_fault(std::string_view date, std::string_view latest) {
  if (!exists(date)) return "no such date: " + std::string(date.substr(0, 20));
  const std::size_t common = std::min(date.size(), latest.size());  // a month holds its days
  if (date.substr(0, common) <= latest.substr(0, common)) return std::nullopt;
  return "found " + std::string(date) + ", expected " + std::string(latest) + " or earlier";
}

}  // namespace primer
