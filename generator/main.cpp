// The command line: the only place that prints, and the only one that decides where things lie.
#include <algorithm>
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

#include "generator/book.hpp"
#include "generator/book_skeleton.hpp"
#include "generator/build.hpp"
#include "generator/chapter_skeleton.hpp"
#include "generator/facts_command.hpp"
#include "generator/fix.hpp"
#include "generator/home.hpp"
#include "generator/identity.hpp"
#include "generator/profile_command.hpp"
#include "generator/serve.hpp"
#include "generator/spelling.hpp"
#include "generator/text.hpp"
#include "generator/translate_command.hpp"

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

// Prints what is wrong; the exit status.
int report(const Diagnostics& diagnostics, const Options& options) {
  const Format format = format_of(options);
  if (diagnostics.empty() && format != Format::json) return 0;
  const std::string text = to_text(diagnostics, format, base_url_of(options));
  (format == Format::text ? std::cerr : std::cout) << text;
  return diagnostics.has_errors() ? 1 : 0;
}

// The directory of something that was built, or "" when it is not wanted.
std::string built(const std::string& option, const char* usual) {
  if (option == "none") return {};
  return option.empty() ? (home / usual).string() : option;
}

primer::BuildOptions build_options(const Options& options) {
  fs::path assets = options.assets;
  if (assets.empty()) {
    const fs::path own = fs::path(options.book) / "site";
    assets = fs::exists(own / "templates") ? own : home / "site";
  }
  return {options.book,
          options.out,
          assets.string(),
          built(options.modules, "build/wasm"),
          built(options.fonts, "build/fonts"),
          built(options.small, "build/small"),
          options.search,
          home,
          {options.base_url, options.repository, options.threads, options.unmeasured, options.prose}};
}

int build(const Options& options) {
  auto build_options = ::build_options(options);
  build_options.site.review = true;
  build_options.site.renditions = options.renditions;
  primer::Cache cache(primer::cache_directory(build_options), primer::program_identity());
  Diagnostics diagnostics;
  primer::BuildReport report;
  const auto written = primer::build_site(build_options, cache, diagnostics, report);
  if (options.explain) std::cout << primer::explanation(report);
  if (options.stats) std::cout << primer::statistics(report);
  if (written && options.format == "text") {
    std::cout << options.out << ": " << written->files << " files, " << written->changed
              << " changed\n";
  }
  return ::report(diagnostics, options);
}

// Writes files of the book and names them; what cannot be written is reported.
void write_book_files(const Options& options, const std::map<std::string, std::string>& files,
                      Diagnostics& diagnostics) {
  for (const auto& [path, text] : files) {
    std::error_code ignored;  // the file then cannot be opened, which is reported
    fs::create_directories((fs::path(options.book) / path).parent_path(), ignored);
    std::ofstream file(fs::path(options.book) / path, std::ios::binary);
    if (file << text) {
      std::cout << path << '\n';
    } else {
      diagnostics.error(primer::Rule::output_error, path, "the file cannot be written");
    }
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
  primer::Cache cache(primer::cache_directory(build_options), primer::program_identity());
  Diagnostics diagnostics;
  auto site = primer::make_site(build_options, cache, diagnostics);
  // A file may have more wrong numbers than are kept: again, for as long as they become fewer.
  for (auto before = std::string::npos;
       options.fix && diagnostics.count(primer::Severity::error) < before;) {
    before = diagnostics.count(primer::Severity::error);
    const auto fixed = primer::fixed_files(*primer::disk(options.book), diagnostics.sorted());
    if (fixed.empty()) break;
    Diagnostics after;
    write_book_files(options, fixed, after);
    site = primer::make_site(build_options, cache, after);
    diagnostics = std::move(after);
  }
  if (!diagnostics.has_errors() && options.format == "text") std::cout << checked(site, options);
  return report(diagnostics, options);
}

// `primer facts list`, `search` and `show`.
int facts(const Options& options) {
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

// Builds whenever something was saved, for as long as the process lives.
void keep_built(const primer::BuildOptions& options, primer::Cache& cache,
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

// The exit status of a server that has ended, or was not begun.
int failed(const figures::Error& error) {
  std::cerr << "primer: error: " << error.message << '\n';
  return 1;
}

int serve(const Options& options) {
  // Before anything of the book is read: afterwards the process needs no right to make a socket.
  constexpr int ports = 10;
  const auto listener = primer::Listener::on_this_machine(options.port, ports);
  if (!listener) return failed(listener.error());
  auto build_options = ::build_options(options);
  // Pages of a published site register a worker, and take scripts from their public address alone.
  if (options.base_url.empty()) build_options.site.base_url = primer::no_base_url;
  primer::Cache cache(primer::cache_directory(build_options), primer::program_identity());
  Diagnostics diagnostics;
  primer::BuildReport first;
  primer::Preview preview;
  const auto written = primer::build_site(build_options, cache, diagnostics, first);
  const int errors = ::report(diagnostics, options);
  if (errors && !fs::exists(options.out)) return errors;
  preview.built(false, primer::script_version(options.out));
  if (!written) preview.failed(to_text(diagnostics, Format::text));
  // Ends with the process: there is nothing to put away that a kill would leave in disorder.
  std::thread([&, first]() mutable {
    keep_built(build_options, cache, std::move(first), preview);
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
  std::cout << "Somebody else's pages, with their scripts: open them in a private window, and close it after.\n"
            << listener->address() << std::endl;
  const auto served = primer::serve_stranger(*listener, options.directory);
  return served ? 0 : failed(served.error());
}

int new_chapter(const Options& options) {
  Diagnostics diagnostics;
  const auto book = primer::disk(options.book);
  const auto files = primer::new_chapter(*book, options.slug, diagnostics);
  if (files) write_book_files(options, *files, diagnostics);
  return report(diagnostics, options);
}

int new_book(const Options& options) {
  Diagnostics diagnostics;
  const fs::path directory = fs::path(options.directory + '/').lexically_normal().parent_path();
  const std::string name = fs::absolute(directory).lexically_normal().filename().string();
  const auto files = primer::new_book(*primer::disk((home / "site").string()), name, diagnostics);
  if (files) primer::write_new_directory(directory, *files, diagnostics);
  if (!diagnostics.has_errors()) {
    std::cout << "a new book; to see it: cd " << options.directory << " && primer serve\n";
  }
  return report(diagnostics, options);
}

int translation_status(const Options& options) {
  Diagnostics diagnostics;
  std::cout << primer::translation_status(*primer::disk(options.book), diagnostics);
  return report(diagnostics, options);
}

int stamp_translation(const Options& options) {
  Diagnostics diagnostics;
  const std::optional<int> line = options.line > 0 ? std::optional(options.line) : std::nullopt;
  const auto text =
      primer::stamped(*primer::disk(options.book), options.file, line, diagnostics);
  if (text) write_book_files(options, {{options.file, *text}}, diagnostics);
  return report(diagnostics, options);
}

int validate_profiles(const Options& options) {
  Diagnostics diagnostics;
  const std::string text = primer::validate_profiles(options.profiles, diagnostics);
  if (options.format == "text") std::cout << text;
  return report(diagnostics, options);
}

int compare_profiles(const Options& options) {
  Diagnostics diagnostics;
  std::cout << primer::compare_profile_files(options.profiles[0], options.profiles[1], diagnostics);
  return report(diagnostics, options);
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
  }
  table->callback([&] { status = translation_status(options); });
  stamp->callback([&] { status = stamp_translation(options); });
}

void add_options(CLI::App& command, Options& options) {
  command.add_option("--book", options.book, "Directory that holds chapters/book.yaml");
  command.add_option("--out", options.out, "The site: a link to the tree that is current");
  command.add_option("--assets", options.assets, "Directory of templates, styles and scripts");
  command.add_option("--modules", options.modules, "Directory of built WebAssembly, or none");
  command.add_option("--fonts", options.fonts, "Directory of built fonts, or none");
  command.add_option("--small", options.small, "Directory of styles and scripts made small, or none");
  command.add_option("--search", options.search, "Directory of a search index (scripts/search.mjs)");
  command.add_option("--base-url", options.base_url, "Public address of the site, or none");
  command.add_option("--repository", options.repository, "Address of the repository, for links to sources");
  command.add_option("--threads", options.threads, "Chapters rendered at the same time")
      ->check(CLI::Range(1, 256));
  command.add_option("--format", options.format, "How errors are printed")
      ->check(CLI::IsMember({"text", "json", "github"}));
  command.add_flag("--unmeasured", options.unmeasured,
                   "Take measured numbers as written (to record the first profile)");
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

}  // namespace

int main(int argc, char** argv) {
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
