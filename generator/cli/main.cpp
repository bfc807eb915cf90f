// The command line: the only place that prints, and the only one that decides where things lie.
#include <algorithm>
#include <CLI/CLI.hpp>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <random>
#include <thread>

#include "generator/base/characters.hpp"
#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/base/web_address.hpp"
#include "generator/build/build.hpp"
#include "generator/check/fix.hpp"
#include "generator/cli/book_skeleton.hpp"
#include "generator/cli/chapter_skeleton.hpp"
#include "generator/cli/facts_command.hpp"
#include "generator/cli/install_prefix.hpp"
#include "generator/cli/profile_command.hpp"
#include "generator/cli/translate_command.hpp"
#include "generator/host/book_files.hpp"
#include "generator/host/build_id.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/disk_cache.hpp"
#include "generator/host/program.hpp"
#include "generator/host/repository.hpp"
#include "generator/host/sandbox.hpp"
#include "generator/host/user_directories.hpp"
#include "generator/host/watch.hpp"
#include "generator/load/book.hpp"
#include "generator/serve/serve.hpp"

namespace {

namespace fs = std::filesystem;
using primer::Diagnostics;
using primer::Format;

struct Options {
  std::string book = ".";
  std::string out = "build/site";
  std::string assets;   // default: the book's site/, else the program's
  std::string modules;  // default: the program's build/wasm
  std::string fonts;    // default: the program's build/fonts
  std::string small;    // default: the program's build/small
  std::string search;   // default: none
  std::string base_url, repository, format = "text", slug, fact, directory, file;
  int line = 0;  // of a block; 0: all of them
  std::vector<std::string> words;
  std::vector<std::string> profiles;
  int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  int port = 8000;
  bool unmeasured = false;
  bool renditions = false;
  bool fix = false;
  bool explain = false;
  bool stats = false;
  bool prose = false;
  bool trust = false;
  bool no_sandbox = false;
};

const fs::path home = primer::find_home(primer::this_program(), PRIMER_HOME);

Format format_of(const Options& options) {
  if (options.format == "json") return Format::json;
  return options.format == "github" ? Format::github : Format::text;
}

// Where the site is published, if that is known.
std::string base_url_of(const Options& options) {
  Diagnostics ignored;
  const auto book = primer::load_book(*primer::disk(options.book), ignored);
  if (options.base_url == primer::no_base_url) return {};
  const std::string url = !options.base_url.empty() || !book ? options.base_url : book->base_url;
  return url.empty() || url.ends_with('/') ? url : url + '/';
}

// In a log of GitHub's workflows a line that begins with "::" is a command, wherever it comes from. Lines of
// the book stand in messages, so none is taken for one until a word comes that nobody can know.
std::string without_commands(const std::string& text) {
  const char* workflow = std::getenv("GITHUB_ACTIONS");
  if (!workflow || std::string_view(workflow) != "true") return text;
  std::random_device random;
  std::string word = "primer";
  for (int i = 0; i < 4; ++i) word += '-' + std::to_string(random());
  return "::stop-commands::" + word + '\n' + text + "::" + word + "::\n";
}

// Prints what is wrong; the exit status.
int report(const Diagnostics& diagnostics, const Options& options) {
  const Format format = format_of(options);
  if (diagnostics.empty() && format != Format::json) return 0;
  const std::string text = to_text(diagnostics, format, base_url_of(options));
  if (format == Format::text) {
    std::cerr << without_commands(text);
  } else {
    std::cout << text;
  }
  return diagnostics.has_errors() ? 1 : 0;
}

// The directory of something that was built, or "" when it is not wanted.
std::string built(const std::string& option, const char* usual) {
  if (option == "none") return {};
  return option.empty() ? (home / usual).string() : option;
}

void note(const std::string& words) { std::cerr << "primer: note: " << words << '\n'; }

// Whether what a book holds of code, its own site/ and its .git, is taken: when its user says so, and when the
// program itself comes from there.
bool is_trusted(const Options& options) {
  std::error_code error;
  return options.trust || fs::equivalent(options.book, home, error);
}

// Templates, styles and scripts.
fs::path assets_of(const Options& options) {
  if (!options.assets.empty()) return options.assets;
  const fs::path own = fs::path(options.book) / "site";
  std::error_code error;
  if (!fs::exists(own / "templates", error)) return home / "site";
  if (is_trusted(options)) return own;
  note("the book's own site/ is code, and is not used without --trust");
  return home / "site";
}

primer::BuildOptions build_options(const Options& options) {
  primer::BuildOptions all;
  all.book = options.book;
  all.out = options.out;
  all.assets = assets_of(options).string();
  all.modules = built(options.modules, "build/wasm");
  all.fonts = built(options.fonts, "build/fonts");
  all.small = built(options.small, "build/small");
  all.search = options.search;
  all.home = home;
  all.node = primer::find_program("node", options.book);
  all.site = {options.base_url, options.repository, options.unmeasured, options.prose};
  all.threads = options.threads;
  return all;
}

// Of this process, a line for --stats.
std::string peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  char line[64];
  std::snprintf(line, sizeof line, "%9.1f MiB peak memory\n", static_cast<double>(usage.ru_maxrss) / 1024);
  return line;
}

// With dates, which `primer check` does without.
primer::BuildOptions dated_build_options(const Options& options) {
  auto all = build_options(options);
  all.trusted = is_trusted(options);
  if (all.trusted) all.git = primer::find_program("git", options.book);
  return all;
}

// Nothing of a book is read before this. False, after a message, when the process must not go on.
bool enter(primer::Sandbox sandbox, const Options& options) {
  if (options.no_sandbox) {
    note("nothing is limited: --no-sandbox");
    return true;
  }
  sandbox.read.push_back(home);
  const auto protection = primer::restrict_process(sandbox);
  if (!protection) {
    std::cerr << "primer: error: the sandbox cannot be entered: " << protection.error().message
              << "\n  --no-sandbox goes on without it\n";
    return false;
  }
  if (!protection->missing.empty()) note("not limited: " + primer::join(protection->missing, ", "));
  return true;
}

// Where this user keeps what builds know, and in the options the seal of his builds.
primer::UserDirectories prepare(primer::BuildOptions& options) {
  auto user = primer::make_user_directories(options.book);
  if (!user.missing.empty()) note("nothing is kept for the next build: " + user.missing);
  options.seal = primer::Seal::of(user);
  options.own = user.cache;
  options.note = note;
  return user;
}

// What a build has to say beside its errors. What was there before and is not ours is named once, when a
// new site takes its place.
void print_notices(const primer::BuildReport& report, const std::optional<primer::Written>& written) {
  for (const auto& notice : report.notices) note(notice);
  if (!written || written->left_over.empty()) return;
  note("left as it was, because an older primer made it or somebody else; remove what nobody needs:");
  for (const auto& path : written->left_over) std::cerr << "  " << path << '\n';
}


// Of the book's directory, where commands that change a book write: what is a link leads elsewhere.
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

// The nearest directory of a path that is there.
fs::path existing(fs::path path) {
  std::error_code error;
  while (!fs::is_directory(path, error) && path.has_relative_path()) path = path.parent_path();
  return path;
}

// What commands need that make a site.
primer::Sandbox site_sandbox(const primer::BuildOptions& options, std::vector<fs::path> writes) {
  primer::Sandbox sandbox;
  sandbox.read = {options.book, options.assets, options.modules, options.fonts, options.small, options.search};
  std::error_code error;
  const fs::path modules = home / "node_modules";  // a link, perhaps
  if (fs::is_symlink(modules, error)) sandbox.read.push_back(modules);
  sandbox.run = {options.node, options.git};
  if (options.trusted) {
    if (const auto repository = primer::find_repository(options.book)) {
      for (auto& directory : primer::directories_of(*repository)) sandbox.read.push_back(std::move(directory));
    }
  }
  sandbox.write = std::move(writes);
  return sandbox;
}

// The directory that the site's trees lie in, made if it is missing; "" where no site can be, which the build reports.
fs::path place_of_site(const Options& options) {
  if (!primer::check_output(options.out, options.book)) return {};
  fs::path place = fs::absolute(options.out).lexically_normal().parent_path();
  std::error_code ignored;  // it then cannot be written, which the build reports
  fs::create_directories(place, ignored);
  return place;
}

int build(const Options& options) {
  auto build_options = dated_build_options(options);
  build_options.site.review = true;
  build_options.site.renditions = options.renditions;
  const auto user = prepare(build_options);
  if (!enter(site_sandbox(build_options, {place_of_site(options), user.cache}), options)) return 1;
  const auto cache = primer::open_cache(user.cache_of(options.book), primer::program_identity(), primer::DiskCache::Use::write);
  Diagnostics diagnostics;
  primer::BuildReport report;
  const auto written = primer::build_site(build_options, *cache, diagnostics, report);
  print_notices(report, written);
  if (options.explain) std::cout << primer::explanation(report);
  if (options.stats) std::cout << primer::statistics(report) << peak_memory();
  if (written && options.format == "text") {
    std::cout << options.out << ": " << written->files << " files, " << written->changed
              << " changed\n";
  }
  return ::report(diagnostics, options);
}

// Writes files of the book and names them; what cannot be written is reported.
void write_book_files(const Options& options, const std::map<std::string, std::string>& files,
                      Diagnostics& diagnostics) {
  for (const auto& path : primer::write_book_files(options.book, files, diagnostics)) {
    std::cout << primer::visible(path) << '\n';
  }
}

// In words what a check without errors has checked.
std::string checked(const primer::SiteFiles& site, const Options& options) {
  const auto pages = std::count_if(site.begin(), site.end(), [](const auto& file) {
    return file.first.ends_with("index.html");
  });
  Diagnostics ignored;
  const auto facts = primer::load_facts_book(*primer::disk(options.book), ignored);
  return "checked " + std::to_string(pages) + " pages against " +
         std::to_string(facts ? facts->facts.all().size() : 0) + " facts" +
         (options.prose ? ", and their prose" : "") + ": no errors\n";
}

int check(const Options& options) {
  const auto build_options = ::build_options(options);
  const auto writes = options.fix ? places_to_write(options.book) : std::vector<fs::path>();
  const auto kept = primer::find_user_directories(options.book).cache_of(options.book);
  auto sandbox = site_sandbox(build_options, writes);
  sandbox.read.push_back(kept);
  if (!enter(std::move(sandbox), options)) return 1;
  // What builds have kept is read; nothing is written, there neither.
  const auto cache = primer::open_cache(kept, primer::program_identity(), primer::DiskCache::Use::read);
  Diagnostics diagnostics;
  auto site = primer::make_site(build_options, *cache, diagnostics);
  // A file may have more wrong numbers than are kept: again, for as long as they become fewer.
  for (auto before = std::string::npos;
       options.fix && diagnostics.count(primer::Severity::error) < before;) {
    before = diagnostics.count(primer::Severity::error);
    const auto fixed = primer::fixed_files(*primer::disk(options.book), diagnostics.sorted());
    if (fixed.empty()) break;
    Diagnostics after;
    write_book_files(options, fixed, after);
    site = primer::make_site(build_options, *cache, after);
    diagnostics = std::move(after);
  }
  if (!diagnostics.has_errors() && options.format == "text") std::cout << checked(site, options);
  return report(diagnostics, options);
}

// For what looks at some files only.
primer::Sandbox reading(std::vector<fs::path> paths) {
  primer::Sandbox sandbox;
  sandbox.read = std::move(paths);
  return sandbox;
}

// For what changes the book.
primer::Sandbox changing(const Options& options) {
  auto sandbox = reading({options.book});
  sandbox.write = places_to_write(options.book);
  return sandbox;
}

// `primer facts list`, `search` and `show`.
int facts(const Options& options) {
  if (!enter(reading({options.book}), options)) return 1;
  Diagnostics diagnostics;
  const auto files = primer::disk(options.book);
  const auto book = primer::load_facts_book(*files, diagnostics);
  if (!book) return report(diagnostics, options);
  if (!options.fact.empty()) {
    const auto text =
        primer::show_fact(*book, *files, options.fact, format_of(options), diagnostics);
    std::cout << text.value_or("");
    return report(diagnostics, options);
  }
  const std::string text = primer::list_facts(*book, options.words, format_of(options));
  std::cout << text;
  if (!text.empty() && text != "[]\n") return 0;
  if (options.words.empty()) return 0;
  diagnostics.error(primer::Rule::unknown_fact, "",
                    "no fact holds " + primer::in_quotes(primer::join(options.words, " ")));
  for (const auto& word : options.words) {
    if (!primer::list_facts(*book, {word}, Format::text).empty()) continue;
    const auto similar = primer::similar_facts(*book, word);
    diagnostics.hint("none holds " + primer::in_quotes(word) +
                     (similar.empty() ? "" : "; similar are " + primer::join(similar, ", ")));
  }
  return report(diagnostics, options);
}

// Bad input is reported where it is read. This is for what nobody foresaw, and for memory that runs out:
// a message in place of a crash. What `work` does not return it gives as 1.
int guarded(const std::function<int()>& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    std::fputs("primer: error: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::string what = error.what();  // may hold what a file held
    what.resize(std::min<std::size_t>(what.size(), 200));
    std::replace_if(what.begin(), what.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    std::fprintf(stderr, "primer: error: something unforeseen went wrong: %s\n", what.c_str());
  }
  return 1;
}

// Builds whenever something was saved, for as long as the process lives.
void keep_built(const primer::BuildOptions& options, primer::DiskCache& cache,
                primer::BuildReport report, primer::Preview& preview) {
  for (;;) {
    primer::Watch(std::move(report.reads)).wait();
    Diagnostics diagnostics;
    report = {};
    const auto written = primer::build_site(options, cache, diagnostics, report);
    const std::string errors = to_text(diagnostics, Format::text);
    if (!written) {
      preview.failed(errors);
      std::cerr << errors;
    } else {
      preview.built(written->changed > 0, primer::script_version(options.out));
      std::cout << "built: " << written->changed << " files changed" << std::endl;
    }
  }
}

// The exit status of what could not be done.
int failed(const figures::Error& error) {
  std::cerr << "primer: error: " << error.message << '\n';
  return 1;
}

int serve(const Options& options) {
  // Before the sandbox, in which no socket can be made.
  constexpr int ports = 10;
  const auto listener = primer::Listener::on_this_machine(options.port, ports);
  if (!listener) return failed(listener.error());
  auto build_options = dated_build_options(options);
  // Pages of a published site register a worker, and take scripts from their public address alone.
  if (options.base_url.empty()) build_options.site.base_url = primer::no_base_url;
  const auto user = prepare(build_options);
  auto sandbox = site_sandbox(build_options, {place_of_site(options), user.cache});
  sandbox.listens = true;
  sandbox.ends = false;
  if (!enter(std::move(sandbox), options)) return 1;
  const auto cache = primer::open_cache(user.cache_of(options.book), primer::program_identity(), primer::DiskCache::Use::write);
  Diagnostics diagnostics;
  primer::BuildReport first;
  primer::Preview preview;
  const auto written = primer::build_site(build_options, *cache, diagnostics, first);
  print_notices(first, written);
  const int errors = ::report(diagnostics, options);
  if (errors && !fs::exists(options.out)) return errors;
  preview.built(false, primer::script_version(options.out));
  if (!written) preview.failed(to_text(diagnostics, Format::text));
  // Ends with the process: there is nothing to put away that a kill would leave in disorder.
  std::thread([&, first]() mutable {
    const int stopped = guarded([&] {
      keep_built(build_options, *cache, std::move(first), preview);
      return 0;
    });
    if (stopped) std::_Exit(stopped);
  }).detach();
  std::cout << listener->address() << std::endl;
  const auto served =
      primer::serve(*listener, {options.out, (home / "site/preview").string()}, preview);
  return served ? 0 : failed(served.error());
}

int preview(const Options& options) {
  if (!fs::exists(fs::path(options.directory) / "index.html")) {
    return failed({"there is no index.html in " + options.directory +
                   ": expected the directory of a built site, unpacked"});
  }
  const auto listener = primer::Listener::on_this_machine(0, 1);
  if (!listener) return failed(listener.error());
  auto sandbox = reading({options.directory});
  sandbox.listens = true;
  sandbox.ends = false;
  if (!enter(std::move(sandbox), options)) return 1;
  std::cout << "Somebody else's pages, with their scripts: open them in a private window, and close it after.\n"
            << listener->address() << std::endl;
  const auto served = primer::serve_stranger(*listener, options.directory);
  return served ? 0 : failed(served.error());
}

int new_chapter(const Options& options) {
  if (!enter(changing(options), options)) return 1;
  Diagnostics diagnostics;
  const auto book = primer::disk(options.book);
  const auto files = primer::new_chapter(*book, options.slug, diagnostics);
  if (files) write_book_files(options, *files, diagnostics);
  return report(diagnostics, options);
}

int new_book(const Options& options) {
  Diagnostics diagnostics;
  fs::path directory = fs::path(options.directory + '/').lexically_normal().parent_path();
  if (directory.empty()) directory = ".";
  std::error_code error;
  // What cannot be looked at cannot be written either, which is said there.
  fs::path whole = fs::weakly_canonical(directory, error);
  if (error) whole = directory;
  const std::string name = whole.filename().string();
  primer::Sandbox sandbox;
  sandbox.write.push_back(existing(fs::absolute(directory).lexically_normal().parent_path()));
  if (!enter(std::move(sandbox), options)) return 1;
  const auto files = primer::new_book(*primer::disk((home / "site").string()), name, diagnostics);
  if (files) primer::write_new_directory(directory, *files, diagnostics);
  if (!diagnostics.has_errors()) {
    std::cout << "a new book; to see it: cd " << options.directory << " && primer serve\n";
  }
  return report(diagnostics, options);
}

int translation_status(const Options& options) {
  if (!enter(reading({options.book}), options)) return 1;
  Diagnostics diagnostics;
  std::cout << primer::translation_status(*primer::disk(options.book), diagnostics);
  return report(diagnostics, options);
}

int stamp_translation(const Options& options) {
  if (!enter(changing(options), options)) return 1;
  Diagnostics diagnostics;
  const std::optional<int> line = options.line > 0 ? std::optional(options.line) : std::nullopt;
  const auto text =
      primer::stamped(*primer::disk(options.book), options.file, line, diagnostics);
  if (text) write_book_files(options, {{options.file, *text}}, diagnostics);
  return report(diagnostics, options);
}

int validate_profiles(const Options& options) {
  if (!enter(reading({options.profiles.begin(), options.profiles.end()}), options)) return 1;
  Diagnostics diagnostics;
  const std::string text = primer::validate_profiles(options.profiles, diagnostics);
  if (options.format == "text") std::cout << text;
  return report(diagnostics, options);
}

int compare_profiles(const Options& options) {
  if (!enter(reading({options.profiles.begin(), options.profiles.end()}), options)) return 1;
  Diagnostics diagnostics;
  std::cout << primer::compare_profile_files(options.profiles[0], options.profiles[1], diagnostics);
  return report(diagnostics, options);
}

void add_sandbox_option(CLI::App& command, Options& options) {
  command.add_flag("--no-sandbox", options.no_sandbox,
                   "Go on with all rights of the user (where the sandbox stops what is meant)");
}

void add_profile_commands(CLI::App& app, Options& options, int& status) {
  auto* profile = app.add_subcommand("profile", "Look at recorded measurements");
  profile->require_subcommand(1);
  auto* validate = profile->add_subcommand("validate", "Report what is wrong with profiles");
  validate->add_option("files", options.profiles, "Profiles: what scripts/measure records")
      ->required();
  validate->add_option("--format", options.format, "How errors are printed")
      ->check(CLI::IsMember({"text", "json", "github"}));
  auto* compare = profile->add_subcommand("compare", "Two profiles side by side");
  compare->add_option("files", options.profiles, "The two profiles")->required()->expected(2);
  for (auto* one : {validate, compare}) add_sandbox_option(*one, options);
  validate->callback([&] { status = validate_profiles(options); });
  compare->callback([&] { status = compare_profiles(options); });
}

void add_translate_commands(CLI::App& app, Options& options, int& status) {
  auto* command = app.add_subcommand("translate", "Look after the book in other languages");
  command->require_subcommand(1);
  auto* table = command->add_subcommand("status", "How much of each chapter is current");
  auto* stamp = command->add_subcommand("stamp", "Mark blocks as made from what stands there now");
  stamp->add_option("file", options.file, "chapters/es/interlude.md")->required();
  stamp->add_option("--line", options.line, "Only the block that this line is in")
      ->check(CLI::Range(1, 1'000'000));
  for (auto* one : {table, stamp}) {
    one->add_option("--book", options.book, "Directory that holds chapters/book.yaml");
    add_sandbox_option(*one, options);
  }
  table->callback([&] { status = translation_status(options); });
  stamp->callback([&] { status = stamp_translation(options); });
}

// What CLI11 says of an address that book.yaml could not have either; "" when it is good.
std::string address_error(const std::string& url) {
  const auto fault = primer::site_address_fault(url);
  return fault ? fault->message + "; " + fault->hint : "";
}

void add_options(CLI::App& command, Options& options) {
  command.add_option("--book", options.book, "Directory that holds chapters/book.yaml");
  command.add_option("--out", options.out, "The site: a link to the tree that is current");
  command.add_option("--assets", options.assets, "Directory of templates, styles and scripts");
  command.add_option("--modules", options.modules, "Directory of built WebAssembly, or none");
  command.add_option("--fonts", options.fonts, "Directory of built fonts, or none");
  command.add_option("--small", options.small, "Directory of styles and scripts made small, or none");
  command.add_option("--search", options.search, "Directory of a search index (scripts/search.mjs)");
  command.add_option("--base-url", options.base_url, "Public address of the site, or none")
      ->check([](const std::string& url) { return url == primer::no_base_url ? "" : address_error(url); });
  command.add_option("--repository", options.repository, "Address of the repository, for links to sources")
      ->check(address_error);
  command.add_option("--threads", options.threads, "Chapters rendered at the same time")
      ->check(CLI::Range(1, 256));
  command.add_option("--format", options.format, "How errors are printed")
      ->check(CLI::IsMember({"text", "json", "github"}));
  command.add_flag("--unmeasured", options.unmeasured,
                   "Take measured numbers as written (to record the first profile)");
  command.add_flag("--trust", options.trust,
                   "Take what is code of the book too: its own site/, and its .git, for dates");
  add_sandbox_option(command, options);
}

void add_facts_commands(CLI::App& app, Options& options, int& status) {
  auto* command = app.add_subcommand("facts", "The numbers that a chapter can use");
  command->require_subcommand(1);
  auto* list = command->add_subcommand("list", "Every fact: id, value, trust, source");
  auto* search = command->add_subcommand("search", "The facts that hold all of some words");
  auto* show = command->add_subcommand("show", "One fact, its source, and where it is used");
  search->add_option("words", options.words, "hbm bandwidth")->required();
  show->add_option("id", options.fact, "h100-sxm.bandwidth")->required();
  for (auto* one : {list, search, show}) {
    one->add_option("--book", options.book, "Directory that holds chapters/book.yaml");
    one->add_option("--format", options.format, "How it is printed")
        ->check(CLI::IsMember({"text", "json"}));
    add_sandbox_option(*one, options);
    one->callback([&] { status = facts(options); });
  }
}

// "chek" is no command, and "check" is meant; CLI11 would say that a command is missing.
bool knows_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return true;
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return true;
  const std::string like = primer::nearest(argv[1], names);
  std::cerr << "primer: error: there is no command " << primer::in_quotes(argv[1]) << '\n'
            << (like.empty() ? "  there are " + primer::join(names, ", ")
                             : "  did you mean " + primer::in_quotes(like) + "?")
            << '\n';
  return false;
}


// The program's exit status.
int run(int argc, char** argv) {
  Options options;
  int status = 0;
  CLI::App app("primer renders a book of Markdown chapters with live measurements.");
  app.require_subcommand(1);
  auto* build_command = app.add_subcommand("build", "Write the site");
  auto* check_command = app.add_subcommand("check", "Report what is wrong; write nothing");
  auto* serve_command = app.add_subcommand("serve", "Build, then serve on this machine only");
  auto* preview_command =
      app.add_subcommand("preview", "Show a site that somebody else built, on a port of its own");
  auto* new_command = app.add_subcommand("new", "Begin something new");
  for (auto* command : {build_command, check_command, serve_command}) {
    add_options(*command, options);
  }
  build_command->add_flag("--renditions", options.renditions,
                          "Also make the e-book and the print page, and name what scripts/publish makes then");
  build_command->add_flag("--explain", options.explain, "Say why each page was rendered or not");
  build_command->add_flag("--stats", options.stats, "Print times, cache hits and peak memory");
  check_command->add_flag("--fix", options.fix, "Rewrite numbers that are merely out of date");
  check_command->add_flag("--prose", options.prose,
                          "Also sentences, paragraphs, sections, and numbers without a source");
  serve_command->add_option("--port", options.port, "First port to try")
      ->check(CLI::Range(1, 65000));
  auto* chapter = new_command->add_subcommand("chapter", "Begin a chapter");
  new_command->require_subcommand(1);
  chapter->add_option("slug", options.slug, "Its address: lower case, hyphens")->required();
  chapter->add_option("--book", options.book, "Directory that holds chapters/book.yaml");
  auto* book = new_command->add_subcommand("book", "Begin a book");
  book->add_option("directory", options.directory, "A directory that is empty or not there yet")
      ->required();
  preview_command->add_option("directory", options.directory, "The site, unpacked")->required();
  add_sandbox_option(*preview_command, options);
  for (auto* command : {chapter, book}) add_sandbox_option(*command, options);
  build_command->callback([&] { status = build(options); });
  check_command->callback([&] { status = check(options); });
  serve_command->callback([&] { status = serve(options); });
  preview_command->callback([&] { status = preview(options); });
  chapter->callback([&] { status = new_chapter(options); });
  book->callback([&] { status = new_book(options); });
  add_profile_commands(app, options, status);
  add_facts_commands(app, options, status);
  add_translate_commands(app, options, status);
  if (!knows_command(app, argc, argv)) return 2;
  CLI11_PARSE(app, argc, argv);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of writing, with a message
  return guarded([&] { return run(argc, argv); });
}
