#include "generator/cli/site_command.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <thread>
#include <utility>
#include <vector>

#include "generator/cli/book_check.hpp"
#include "generator/cli/console.hpp"
#include "generator/cli/install_prefix.hpp"
#include "generator/cli/new_command.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/check/fix.hpp"
#include "generator/core/check/plain_markdown.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/values.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/disk_cache.hpp"
#include "generator/host/git_history.hpp"
#include "generator/host/process.hpp"
#include "generator/host/serve/preview.hpp"
#include "generator/host/serve/server.hpp"
#include "generator/host/watch.hpp"

namespace primer {
namespace fs = std::filesystem;

bool enter(Sandbox sandbox, bool no_sandbox) {
  if (no_sandbox) {
    note("the sandbox is disabled (--no-sandbox)");
    return true;
  }
  sandbox.read.push_back(program_home());
  sandbox.read.push_back(this_program().parent_path() / "../lib/under-the-roofline");
  const auto protection = restrict_process(sandbox);
  if (!protection) {
    std::cerr << "primer: error: cannot enter the sandbox: " << visible(protection.error().message)
              << "\n  to continue without it, pass --no-sandbox\n";
    return false;
  }
  if (!protection->missing.empty()) note("the sandbox does not restrict " + protection->missing);
  return true;
}

Sandbox reading(std::vector<fs::path> paths) {
  Sandbox sandbox;
  sandbox.read = std::move(paths);
  return sandbox;
}

Sandbox changing(const std::string& book) {
  auto sandbox = reading({book});
  sandbox.write = places_to_write(book);
  return sandbox;
}

std::vector<fs::path> places_to_write(const fs::path& book) {
  std::vector<fs::path> places;
  std::error_code error;
  for (const char* name : {"chapters", "figures"}) {
    const fs::path place = book / name;
    const auto type = fs::symlink_status(place, error).type();
    if (type == fs::file_type::not_found) return {book};
    if (type == fs::file_type::directory) places.push_back(place);
  }
  return places;
}

namespace {
// The directory of something built, or "" if it is not wanted.
std::string built(const std::string& option, const char* usual) {
  if (option == "none") return {};
  return option.empty() ? (program_home() / usual).string() : option;
}

// Whether to use code that comes with the book, in its site/ and its .git: if the user passes
// --trust, or if the program itself is from that tree.
bool is_trusted(const SiteCommand& command) {
  std::error_code error;
  return command.trust || fs::equivalent(command.book, program_home(), error);
}

// Sets where templates, styles and scripts come from. Files in the book's site/ replace those of
// the program by name. A complete site/ replaces them all.
void set_assets(const SiteCommand& command, BuildOptions& options) {
  const fs::path usual = program_home() / "site";
  options.assets = command.assets.empty() ? usual.string() : command.assets;
  const fs::path own = fs::path(command.book) / "site";
  std::error_code error;
  if (!command.assets.empty() || !fs::is_directory(own, error) || fs::equivalent(own, usual, error))
    return;
  if (!is_trusted(command))
    return note("ignoring the book's own site/, which is code; pass --trust to use it");
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
  if (!user.missing.empty()) note("caching is off for this build: " + user.missing);
  options.own = user.cache;
  options.note = note;
  return user;
}

Sandbox site_sandbox(const BuildOptions& options, std::vector<fs::path> writes) {
  Sandbox sandbox;
  sandbox.read = {options.book,     options.assets, options.modules, options.fonts,
                  options.minified, options.search, options.workshop};
  std::error_code error;
  const fs::path modules = program_home() / "node_modules";  // may be a link
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
  std::error_code ignored;  // if this fails, the build reports it
  fs::create_directories(place, ignored);
  return place;
}

void print_notices(const BuildReport& report) {
  for (const auto& notice : report.notices) note(notice);
}

// primer build

namespace {
// Peak memory of this process, as a line for --stats.
std::string peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  char line[64];
  std::snprintf(line, sizeof line, "%9.1f MiB peak memory\n",
                static_cast<double>(usage.ru_maxrss) / 1024);
  return line;
}

}  // namespace

int run(const BuildCommand& command) {
  auto options = dated_build_options(command);
  options.site.review = command.review;
  options.site.renditions = command.renditions;
  options.site.flat = command.flat;
  options.strict = command.strict;
  const auto user = prepare(options);
  if (!enter(site_sandbox(options, {place_of_site(command), user.cache}), command.no_sandbox))
    return 1;
  const auto cache =
      open_cache(user.cache_of(command.book), program_identity(), DiskCache::Use::write);
  Diagnostics diagnostics;
  BuildReport stages;
  const auto written = build_site(options, *cache, diagnostics, stages);
  print_notices(stages);
  if (command.explain) std::cout << explanation(stages);
  if (command.stats) std::cout << statistics(stages) << peak_memory();
  if (written && command.format == "text") {
    std::cout << visible(command.out) << ": " << written->files << " files, " << written->changed
              << " changed\n";
  }
  return report(diagnostics, command.reporting());
}

// primer check

namespace {
// Paths relative to the book. They may be given relative to the working directory or to the book.
std::set<std::string> files_of(const CheckCommand& command) {
  std::set<std::string> files;
  std::error_code error;
  for (const auto& path : command.files) {
    const bool here = std::filesystem::exists(path, error);
    const auto inside = std::filesystem::relative(path, command.book, error);
    files.insert((here && !error ? inside : std::filesystem::path(path).lexically_normal())
                     .generic_string());
  }
  return files;
}

// Checks the numbers of Markdown files that are no pages.
int check_plain(const std::set<std::string>& files, const CheckCommand& command) {
  const auto book = disk(command.book);
  Diagnostics diagnostics;
  figures::Facts facts;
  load_facts(*book, facts, diagnostics);
  std::size_t count = 0;
  for (const auto& file : files) {
    const Source source(file, book->read(file).value_or(""));
    if (check_text(source, TextKind::prose, diagnostics))
      count += check_plain_markdown(source, facts, diagnostics);
  }
  if (!diagnostics.has_errors() && command.format == "text") {
    std::cout << "checked " << counted(count, "number") << " against "
              << counted(facts.all().size(), "fact") << ": no errors\n";
  }
  return report(diagnostics, command.reporting());
}

// Whether the book has all of these files. Reports missing ones.
bool are_there(const std::set<std::string>& files, const CheckCommand& command) {
  const auto book = disk(command.book);
  const auto missing =
      std::ranges::find_if(files, [&](const auto& file) { return !book->read(file); });
  if (missing == files.end()) return true;
  failed({"the book has no file " + in_quotes(*missing)});
  return false;
}

int print(const CheckCommand& command, const BookCheck& check) {
  int status = command.reporting().status_of(check.diagnostics);
  if (command.counts) {
    std::cout << to_counts(check.diagnostics);
  } else {
    if (status == 0 && check.unchecked.empty() && command.format == "text")
      std::cout << checked(check.page_count(), *disk(command.book), command.prose);
    report(check.diagnostics, command.reporting());
  }
  for (const auto& one : check.unchecked) status = failed({one});
  return status;
}

}  // namespace

int run(const CheckCommand& command) {
  auto options = build_options(command);
  options.site.prose = command.prose;
  auto files = files_of(command);
  std::set<std::string> plain;
  std::ranges::copy_if(files, std::inserter(plain, plain.end()), is_plain_markdown);
  for (const auto& file : plain) files.erase(file);
  options.site.first = files;
  const auto writes =
      command.fix ? places_to_write(command.book) : std::vector<std::filesystem::path>();
  const auto kept = find_user_directories(command.book).cache_of(command.book);
  auto sandbox = site_sandbox(options, writes);
  sandbox.read.push_back(kept);
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  if (!are_there(files_of(command), command)) return 1;
  if (!plain.empty()) {
    const int status = check_plain(plain, command);
    if (status != 0 || files.empty()) return status;
  }
  // Uses the cache of builds but writes nothing, not even there.
  const auto cache = open_cache(kept, program_identity(), DiskCache::Use::read);
  BookCheck check(options, *cache, files);
  check.run();
  if (command.fix) {
    check.fix();
    write_and_name(command.book, check.changed(), check.diagnostics);
  }
  return print(command, check);
}

int run_script(const fs::path& interpreter, const char* name, std::vector<std::string> arguments) {
  const fs::path script = program_home() / "scripts" / name;
  std::error_code error;
  if (!fs::exists(script, error))
    return failed({script.string() + " is missing: install primer again"});
  const std::string program = this_program().string();
  setenv("PRIMER_INSTALLED", program.c_str(), 1);
  arguments.insert(arguments.begin(), {interpreter.string(), script.string()});
  std::vector<char*> pointers;
  for (auto& one : arguments) pointers.push_back(one.data());
  pointers.push_back(nullptr);
  execv(interpreter.c_str(), pointers.data());
  return failed({interpreter.string() + " does not start: " + last_error().message()});
}

// primer publish

namespace {
std::vector<std::string> arguments(const PublishCommand& command) {
  std::vector<std::string> all{command.address, command.kept, command.directory, "--book",
                               command.book};
  if (!command.repository.empty()) {
    all.emplace_back("--repository");
    all.push_back(command.repository);
  }
  const std::pair<bool, const char*> flags[] = {{command.fetch, "--fetch"},
                                                {command.renditions, "--renditions"},
                                                {command.drafts, "--drafts"},
                                                {command.trust, "--trust"},
                                                {command.no_sandbox, "--no-sandbox"}};
  for (const auto& [given, name] : flags)
    if (given) all.emplace_back(name);
  return all;
}

}  // namespace

int run(const PublishCommand& command) {
  const fs::path shell = find_program("bash", command.book);
  if (shell.empty()) return failed({"publishing needs bash, which is not on the PATH"});
  if (command.address != "-" && find_program("node", command.book).empty()) {
    return failed(
        {"publishing with an address needs Node 18.19 or later; without Node, use primer publish "
         "- DIR for a preview, or primer build --base-url URL for the same pages"});
  }
  return run_script(shell, "publish", arguments(command));
}

// primer serve and primer preview

namespace {
// Updates the preview after a build.
void tell(const BuildOptions& options, bool changed, Preview& preview) {
  const auto scripts = scripts_of(options.out);
  const bool was_unbuilt = preview.state().unbuilt,
             unbuilt = !options.modules.empty() && !scripts.has_modules;
  preview.built(changed, scripts.version, unbuilt);
  if (unbuilt && !was_unbuilt) {
    note(
        "some WebAssembly modules are missing, so pages cannot measure; run scripts/build to "
        "build them");
  }
  if (was_unbuilt && !unbuilt)
    std::cout << "the WebAssembly modules are built: pages can measure" << std::endl;
}

// Builds after every save, as long as the process runs.
[[noreturn]] void keep_built(const BuildOptions& options, DiskCache& cache, BuildReport report,
                             Preview& preview) {
  std::string why_looking;
  for (;;) {
    Watch watch(std::move(report.reads));
    if (watch.why_looking() != why_looking) {
      why_looking = watch.why_looking();
      if (!why_looking.empty()) note("looking for changes every half second: " + why_looking);
    }
    watch.wait();
    Diagnostics diagnostics;
    report = {};
    const auto written = build_site(options, cache, diagnostics, report);
    const std::string errors = to_text(diagnostics, Format::text);
    if (!written) {
      preview.failed(errors);
      std::cerr << errors;
    } else {
      tell(options, written->changed > 0, preview);
      std::cout << "built: " << written->changed << " files changed" << std::endl;
    }
  }
}

// Whether saving a file could fix the errors. The pages show them until then.
bool can_be_mended(const ServeCommand& command, const Diagnostics& diagnostics) {
  const auto all = diagnostics.sorted();
  return fs::exists(fs::path(command.book) / book_file) &&
         std::ranges::none_of(all, [](const auto& one) { return one.rule == Rule::output_error; });
}

}  // namespace

int run(const ServeCommand& command) {
  // Sockets cannot be made inside the sandbox.
  constexpr int ports = 10;
  const auto listener = listen_on_this_machine(command.port, ports);
  if (!listener) return failed(listener.error());
  auto options = dated_build_options(command);
  // Pages of a published site register a service worker and accept scripts only from their public
  // address.
  if (command.base_url.empty()) options.site.base_url = no_base_url;
  options.site.unbuilt = Unbuilt::do_without;
  const auto user = prepare(options);
  auto sandbox = site_sandbox(options, {place_of_site(command), user.cache});
  sandbox.read.push_back(program_home() / "build");  // modules may be built there later
  sandbox.ends = false;
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  const auto cache =
      open_cache(user.cache_of(command.book), program_identity(), DiskCache::Use::write);
  Diagnostics diagnostics;
  BuildReport first;
  Preview preview;
  const auto written = build_site(options, *cache, diagnostics, first);
  print_notices(first);
  const int errors = report(diagnostics, command.reporting());
  if (errors && !can_be_mended(command, diagnostics)) return errors;
  if (fs::exists(command.out)) tell(options, false, preview);
  if (!written) preview.failed(to_text(diagnostics, Format::text));
  const ServeOptions served{command.out, (program_home() / "site/preview").string()};
  const auto started = start_server(*listener, own_site(listener->port, served, preview));
  if (!started) return failed(started.error());
  std::cout << listener->address() << std::endl;
  keep_built(options, *cache, std::move(first), preview);
}

int run(const PreviewCommand& command) {
  if (!fs::exists(fs::path(command.directory) / "index.html")) {
    return failed({"there is no index.html in " + command.directory +
                   ": expected the directory of a built site, unpacked"});
  }
  const auto listener = listen_on_this_machine(0, 1);
  if (!listener) return failed(listener.error());
  auto sandbox = reading({command.directory});
  sandbox.ends = false;
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  const auto started = start_server(*listener, stranger_site(listener->port, command.directory));
  if (!started) return failed(started.error());
  std::cout
      << "These pages and their scripts are somebody else's: open them in a private window and "
         "close it afterwards.\n"
      << listener->address() << std::endl;
  for (;;) pause();
}

}  // namespace primer
