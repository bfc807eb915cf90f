// What the commands that make a site share: build, check and serve.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "generator/build/build.hpp"
#include "generator/cli/console.hpp"
#include "generator/host/sandbox.hpp"
#include "generator/host/user_directories.hpp"

namespace primer {

struct SiteCommand {
  std::string book;
  std::string out;       // default: the book's build/site
  std::string assets;    // default: the book's site/, else the program's
  std::string modules;   // default: the program's build/wasm
  std::string fonts;     // default: the program's build/fonts
  std::string minified;  // default: the program's build/minified
  std::string search;    // default: none
  std::string workshop;  // default: none
  std::string base_url, repository, format = "text";
  int threads = usual_threads();
  bool unmeasured = false;
  bool drafts = false;
  bool trust = false;
  bool no_sandbox = false;

  static int usual_threads();  // as many as the machine has
  Reporting reporting() const { return {book, base_url, format}; }
};

// Without dates.
BuildOptions build_options(const SiteCommand& command);
// With dates, which `primer check` does without.
BuildOptions dated_build_options(const SiteCommand& command);

// The user's cache, made if it is missing.
UserDirectories prepare(BuildOptions& options);

// What it needs that makes a site, and may write below `writes`.
Sandbox site_sandbox(const BuildOptions& options, std::vector<std::filesystem::path> writes);

// The directory that the site's trees lie in, made if it is missing; "" where no site can be, which the build reports.
std::filesystem::path place_of_site(const SiteCommand& command);

// What a build has to say beside its errors. What was there before and is not ours is named once, when a
// new site takes its place.
void print_notices(const BuildReport& report, const std::optional<Written>& written);

}  // namespace primer
