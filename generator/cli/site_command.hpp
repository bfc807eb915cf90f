// The commands that make or show a site: build, check, publish, serve and preview.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "generator/cli/console.hpp"
#include "generator/host/build/build.hpp"
#include "generator/host/sandbox.hpp"
#include "generator/host/user_directories.hpp"

namespace primer {

// Enters the sandbox. Must be called before anything of a book is read. False, after a message, if
// the process must stop. Prints a note about what is not restricted.
bool enter(Sandbox sandbox, bool no_sandbox);

// For commands that only read some files.
Sandbox reading(std::vector<std::filesystem::path> paths);
// For commands that change the book.
Sandbox changing(const std::string& book);

// Directories in a book where such commands write. Links are left out, because they lead elsewhere.
std::vector<std::filesystem::path> places_to_write(const std::filesystem::path& book);

// Options that these commands share.
struct SiteCommand {
  std::string book;
  std::string out;       // default: the book's build/site
  std::string assets;    // default: the book's site/ over the program's
  std::string modules;   // default: the program's build/wasm
  std::string fonts;     // default: the program's build/fonts
  std::string minified;  // default: the program's build/minified
  std::string search;    // default: none
  std::string workshop;  // default: none
  std::string base_url, repository, format = "text";
  int threads = usual_threads();
  bool unmeasured = false;
  bool strict = false;  // warnings fail the command
  bool drafts = false;
  bool trust = false;
  bool no_sandbox = false;

  static int usual_threads();  // one per processor
  Reporting reporting() const { return {book, base_url, format, strict}; }
};

// Without git history.
BuildOptions build_options(const SiteCommand& command);
// The sandbox of a command that builds or checks a site and writes below `writes`.
Sandbox site_sandbox(const BuildOptions& options, std::vector<std::filesystem::path> writes);
// With git history, which `primer check` does not need.
BuildOptions dated_build_options(const SiteCommand& command);

// Makes the user's cache directory if it is missing.
UserDirectories prepare(BuildOptions& options);

// A sandbox for making a site that may also write below `writes`.
Sandbox site_sandbox(const BuildOptions& options, std::vector<std::filesystem::path> writes);

// The directory that contains the site's trees, made if it is missing. "" if there can be no site,
// which the build reports.
std::filesystem::path place_of_site(const SiteCommand& command);

// Replaces this process by the script of this name that is installed with the program. The script
// finds the program in $PRIMER_INSTALLED. Returns the exit status only if that fails.
int run_script(const std::filesystem::path& interpreter, const char* name,
               std::vector<std::string> arguments);

// Prints what a build notices besides errors.
void print_notices(const BuildReport& report);

// `primer build`.

struct BuildCommand : SiteCommand {
  bool renditions = false;
  bool review = false;
  bool flat = false;
  bool explain = false;
  bool stats = false;
};

int run(const BuildCommand& command);  // returns the exit status

// `primer check`.

struct CheckCommand : SiteCommand {
  bool fix = false;
  bool prose = false;
  bool counts = false;
  std::vector<std::string> files;  // report only on these files of the book; empty: on all
};

int run(const CheckCommand& command);  // returns the exit status

// `primer publish`: builds a deployable site with search, offline reading and, on request, a PDF
// and images for shared links. It runs scripts/publish, which is installed with the program.

struct PublishCommand {
  std::string book;
  std::string address;    // public address; "-": a preview without one
  std::string directory;  // where to build the site
  std::string kept;       // previously published assets; default: the book's build/kept
  std::string repository;
  bool fetch = false;  // download these assets from `address`
  bool renditions = false, drafts = false, trust = false, no_sandbox = false;
};

// Returns the exit status, unless another program replaces this one.
int run(const PublishCommand& command);

// `primer serve` and `primer preview`.

struct ServeCommand : SiteCommand {
  int port = 8000;  // the first port to try
};

struct PreviewCommand {
  std::string directory;
  bool no_sandbox = false;
};

// These return the exit status when serving ends.
int run(const ServeCommand& command);
int run(const PreviewCommand& command);

}  // namespace primer
