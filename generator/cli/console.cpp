#include "generator/cli/console.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/pipeline/site.hpp"
#include "generator/host/disk.hpp"

namespace primer {
namespace {

// Address of the published site, if it is known.
std::string base_url_of(const Reporting& reporting) {
  Diagnostics ignored;
  if (reporting.base_url == no_base_url) return {};
  const auto book = load_book(*disk(reporting.book), ignored);
  const std::string url =
      !reporting.base_url.empty() || !book ? reporting.base_url : book->base_url;
  return url.empty() || url.ends_with('/') ? url : url + '/';
}

// In a GitHub workflow, a line of output that begins with "::" is a command, and messages may quote
// lines of the book. This disables commands until a random token.
std::string without_commands(const std::string& text) {
  const char* workflow = std::getenv("GITHUB_ACTIONS");
  if (!workflow || std::string_view(workflow) != "true") return text;
  std::random_device random;
  std::string word = "primer";
  for (int i = 0; i < 4; ++i) word += '-' + std::to_string(random());
  return "::stop-commands::" + word + '\n' + text + "::" + word + "::\n";
}

}  // namespace

Format Reporting::as() const {
  if (format == "json") return Format::json;
  return format == "github" ? Format::github : Format::text;
}

int report(const Diagnostics& diagnostics, const Reporting& reporting) {
  const Format format = reporting.as();
  if (diagnostics.empty() && format != Format::json) return 0;
  // Text output needs no address, so it does not read the book again.
  const std::string url = format == Format::text ? std::string() : base_url_of(reporting);
  const std::string text = to_text(diagnostics, format, url);
  if (format == Format::text) {
    std::cerr << without_commands(text);
  } else {
    std::cout << text;
  }
  return reporting.status_of(diagnostics);
}

int Reporting::status_of(const Diagnostics& diagnostics) const {
  return diagnostics.has_errors() || (strict && diagnostics.count(Severity::warning) > 0) ? 1 : 0;
}

std::string in_columns(const TableRows& rows, bool numbers) {
  std::vector<int> widths;
  for (const auto& cells : rows) {
    widths.resize(std::max(widths.size(), cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i)
      widths[i] = std::max(widths[i], character_count(cells[i]));
  }
  std::string out;
  for (const auto& cells : rows) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string space(static_cast<std::size_t>(widths[i] - character_count(cells[i])), ' ');
      const bool is_number = numbers && i > 0 && i + 1 < cells.size();
      line += (i == 0 ? "" : "  ") + (is_number ? space + cells[i] : cells[i] + space);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

void note(const std::string& words) { std::cerr << "primer: note: " << visible(words) << '\n'; }

int failed(const figures::Error& error) {
  std::cerr << "primer: error: " << visible(error.message) << '\n';
  return 1;
}

int guarded(const std::function<int()>& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    std::fputs("primer: error: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::string what = error.what();  // may contain the content of a file
    what.resize(std::min<std::size_t>(what.size(), 200));
    std::replace_if(what.begin(), what.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    std::fprintf(stderr, "primer: error: unexpected error: %s\n", what.c_str());
  }
  return 1;
}

void hold_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // open() returns the lowest free descriptor, which is this one.
    static_cast<void>(open("/dev/null", O_RDONLY));
  }
}

int heard(int status) {
  errno = 0;
  std::cout.flush();
  const int reason = errno;
  if (std::cout && std::cerr) return status;
  const std::string stream = std::cout ? "standard error" : "standard output";
  const std::string why = reason ? std::string(": ") + std::strerror(reason) : "";
  static_cast<void>(failed({stream + " was not written" + why}));
  return status == 0 ? 1 : status;
}

}  // namespace primer
