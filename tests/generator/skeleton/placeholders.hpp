// The diagnostics of a chapter that nobody has filled in yet.
#pragma once

#include <sstream>
#include <string>

// Whether the report has only warnings about placeholders.
inline bool has_only_placeholders(const std::string& report) {
  std::istringstream lines(report);
  bool is_found = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(": error: ") != line.npos) return false;
    if (line.find(": warning: ") == line.npos) continue;
    if (!line.ends_with("[placeholder]")) return false;
    is_found = true;
  }
  return is_found;
}
