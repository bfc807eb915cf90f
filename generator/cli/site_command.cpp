#include "generator/cli/site_command.hpp"

#include <algorithm>
#include <iostream>
#include <thread>
#include <utility>

#include "generator/base/characters.hpp"
#include "generator/cli/install_prefix.hpp"
#include "generator/host/program.hpp"
#include "generator/host/repository.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

// The directory of something that was built, or "" when it is not wanted.
std::string built(const std::string& option, const char* usual) {
  if (option == "none") return {};
  return option.empty() ? (program_home() / usual).string() : option;
}

// Whether what a book holds of code, its own site/ and its .git, is taken: when its user says so, and when the
// program itself comes from there.
bool is_trusted(const SiteCommand& command) {
  std::error_code error;
  return command.trust || fs::equivalent(command.book, program_home(), error);
}

// Where templates, styles and scripts are from: those of the book's own site/ replace the program's, name by name,
// and a site/ that has all kinds of them stands for itself.
void set_assets(const SiteCommand& command, BuildOptions& options) {
  const fs::path usual = program_home() / "site";
  options.assets = command.assets.empty() ? usual.string() : command.assets;
  const fs::path own = fs::path(command.book) / "site";
  std::error_code error;
  if (!command.assets.empty() || !fs::is_directory(own, error) || fs::equivalent(own, usual, error))
    return;
  if (!is_trusted(command))
    return note("the book's own site/ is code, and is not used without --trust");
  const bool whole = fs::exists(own / "templates/page.mustache", error) &&
                     fs::exists(own / "styles/order.txt", error) &&
                     fs::exists(own / "runtime/main.js", error);
  (whole ? options.assets : options.own_site) = own.string();
}

}  // namespace

int SiteCommand::usual_threads() {
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

BuildOptions build_options(const SiteCommand& command) {
  BuildOptions all;
  all.book = command.book;
  all.out = command.out;
  set_assets(command, all);
  all.modules = built(command.modules, "build/wasm");
  all.fonts = built(command.fonts, "build/fonts");
  all.minified = built(command.minified, "build/minified");
  all.search = command.search;
  all.workshop = command.workshop;
  all.home = program_home();
  all.node = find_program("node", command.book);
  all.site.base_url = command.base_url;
  all.site.repository = command.repository;
  all.site.unmeasured = command.unmeasured;
  if (command.drafts) all.site.drafts = Drafts::shown;
  all.threads = command.threads;
  return all;
}

BuildOptions dated_build_options(const SiteCommand& command) {
  auto all = build_options(command);
  all.trusted = is_trusted(command);
  if (all.trusted) all.git = find_program("git", command.book);
  return all;
}

UserDirectories prepare(BuildOptions& options) {
  auto user = make_user_directories(options.book);
  if (!user.missing.empty()) note("nothing is kept for the next build: " + user.missing);
  options.own = user.cache;
  options.note = note;
  return user;
}

Sandbox site_sandbox(const BuildOptions& options, std::vector<fs::path> writes) {
  Sandbox sandbox;
  sandbox.read = {options.book,     options.assets, options.modules, options.fonts,
                  options.minified, options.search, options.workshop};
  std::error_code error;
  const fs::path modules = program_home() / "node_modules";  // a link, perhaps
  if (fs::is_symlink(modules, error)) sandbox.read.push_back(modules);
  sandbox.run = {options.node, options.git};
  if (options.trusted) {
    if (const auto repository = find_repository(options.book)) {
      for (auto& directory : directories_of(*repository))
        sandbox.read.push_back(std::move(directory));
    }
  }
  sandbox.write = std::move(writes);
  return sandbox;
}

fs::path place_of_site(const SiteCommand& command) {
  if (!check_output(command.out, command.book)) return {};
  fs::path place = fs::absolute(command.out).lexically_normal().parent_path();
  std::error_code ignored;  // it then cannot be written, which the build reports
  fs::create_directories(place, ignored);
  return place;
}

void print_notices(const BuildReport& report, const std::optional<Written>& written) {
  for (const auto& notice : report.notices) note(notice);
  if (!written || written->left_over.empty()) return;
  note(
      "these look like older sites, but no build of yours is known to have made them; they are unchanged:");
  for (const auto& path : written->left_over) std::cerr << "  " << visible(path) << '\n';
}

}  // namespace primer
