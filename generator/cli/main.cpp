// The command line: which commands there are and what they take. The work is done in other files.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "generator/cli/console.hpp"
#include "generator/cli/content_commands.hpp"
#include "generator/cli/install_prefix.hpp"
#include "generator/cli/manual_command.hpp"
#include "generator/cli/measure_command.hpp"
#include "generator/cli/new_command.hpp"
#include "generator/cli/profile_command.hpp"
#include "generator/cli/site_command.hpp"
#include "generator/cli/tool_commands.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/base/web_address.hpp"
#include "generator/core/load/book.hpp"

namespace {

bool has_own_files() {
  if (primer::is_home(primer::program_home())) return true;
  std::cerr << "primer: error: its own files are missing: no templates in "
            << primer::visible(primer::program_home().string())
            << "\n  reinstall primer and keep its bin/ and share/ next to each other\n";
  return false;
}

// Adds a subcommand. The caller adds options to the returned command, which lives as long as the
// command line.
template <class Command>
Command& add_command(CLI::App*& app, const char* name, const char* about, int& status) {
  app = app->add_subcommand(name, about);
  const auto command = std::make_shared<Command>();
  app->add_flag("--no-sandbox", command->no_sandbox, "Disable the sandbox")->group("Process");
  app->callback([command, &status] { status = has_own_files() ? run(*command) : 1; });
  return *command;
}

// Adds an option or operand with the name of its value. Shells complete DIR and FILE.
template <class Value>
CLI::Option* add_value(CLI::App& app, const char* name, Value& value, const char* kind,
                       const char* about) {
  return app.add_option(name, value, about)->type_name(kind);
}

// Adds a command that only has subcommands.
CLI::App* add_group(CLI::App& app, const char* name, const char* about) {
  auto* group = app.add_subcommand(name, about);
  group->require_subcommand(1);
  return group;
}

// The book around the working directory, found as git finds its repository. "." if there is none.
std::string nearest_book() {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path up;
  for (fs::path here = fs::current_path(error); !error; here = here.parent_path()) {
    if (fs::exists(here / primer::book_file, error)) return up.empty() ? "." : up.string();
    if (!here.has_relative_path()) break;
    up /= "..";
  }
  return ".";
}

// An option for a directory that is in the book's build/ unless it is given.
struct BuildPath {
  const char* name;
  std::string& value;
  const char* usual;  // "site": build/site
  const char* about;
};

// Adds --book and directories in its build/.
void add_book_option(CLI::App& app, std::string& book, const std::vector<BuildPath>& paths = {}) {
  const auto* option =
      add_value(app, "--book", book, "DIR", "Read this book (nearest chapters/book.yaml)")
          ->group("Book and output");
  std::vector<std::pair<const CLI::Option*, BuildPath>> added;
  for (const auto& path : paths)
    added.emplace_back(
        add_value(app, path.name, path.value, "DIR", path.about)->group("Book and output"), path);
  app.parse_complete_callback([&book, option, added] {
    if (option->count() == 0) book = nearest_book();
    for (const auto& [given, path] : added) {
      if (given->count() > 0) continue;
      path.value = (std::filesystem::path(book) / "build" / path.usual).lexically_normal().string();
    }
  });
}

void add_format_option(CLI::App& app, std::string& format) {
  add_value(app, "--format", format, "FORMAT", "Print errors as text, json or github (text)")
      ->check(CLI::IsMember({"text", "json", "github"}))
      ->group("Output");
}

// What is wrong with an address, for CLI11. "" if it is valid.
std::string address_error(const std::string& url) {
  const auto fault = primer::site_address_fault(url);
  return fault ? fault->message + "; " + fault->hint : "";
}

std::string base_url_error(const std::string& url) {
  return url == primer::no_base_url ? "" : address_error(url);
}

void add_site_options(CLI::App& app, primer::SiteCommand& command,
                      const char* out_about = "Write the site here (build/site in the book)") {
  add_book_option(app, command.book, {{"--out", command.out, "site", out_about}});
  app.add_flag("--drafts", command.drafts, "Include the chapters that are drafts")
      ->group("Book and output");
  app.add_flag("--unmeasured", command.unmeasured, "Do not check measured numbers")
      ->group("Book and output");
  add_value(app, "--base-url", command.base_url, "URL",
            "Set the public address, or none (book.yaml)")
      ->check(base_url_error)
      ->group("Addresses");
  add_value(app, "--repository", command.repository, "URL", "Link to sources here (book.yaml)")
      ->check(address_error)
      ->group("Addresses");
  const auto part = [&](const char* name, std::string& value, const char* about) {
    add_value(app, name, value, "DIR", about)->group("Parts of the site");
  };
  part("--assets", command.assets, "Use these templates and styles (primer's)");
  part("--modules", command.modules, "Add WebAssembly, or none (build/wasm)");
  part("--fonts", command.fonts, "Add fonts, or none (build/fonts)");
  part("--minified", command.minified, "Use minified files, or none (build/minified)");
  part("--search", command.search, "Add this search index (no search)");
  part("--workshop", command.workshop, "Add this browser editor (no editor)");
  add_format_option(app, command.format);
  add_value(app, "--threads", command.threads, "N", "Use up to 256 threads (one per processor)")
      ->check(CLI::Range(1, 256))
      ->group("Process");
  app.add_flag("--trust", command.trust, "Use the book's site/ and the dates in .git")
      ->group("Process");
}

void add_strict_option(CLI::App& app, primer::SiteCommand& command) {
  app.add_flag("--strict", command.strict, "Exit with status 1 if there are warnings")
      ->group("Checks");
}

void add_build(CLI::App* app, int& status) {
  auto& command =
      add_command<primer::BuildCommand>(app, "build", "Check the book and write its site", status);
  add_site_options(*app, command);
  app->add_flag("--renditions", command.renditions, "Also build the e-book and the print page")
      ->group("Book and output");
  app->add_flag("--flat", command.flat, "Make a site that opens from a disk, without scripts")
      ->group("Book and output");
  app->add_flag("--review", command.review, "Add /figures/review/, figures on several machines")
      ->group("Book and output");
  add_strict_option(*app, command);
  app->add_flag("--explain", command.explain, "Say why each page was rendered")->group("Output");
  app->add_flag("--stats", command.stats, "Print times, cache hits and peak memory")
      ->group("Output");
}

void add_check(CLI::App* app, int& status) {
  auto& command = add_command<primer::CheckCommand>(
      app, "check", "Check the book without writing output", status);
  add_site_options(*app, command, "Use this earlier site (build/site in the book)");
  app->add_flag("--fix", command.fix, "Correct outdated numbers and heading levels")
      ->group("Checks");
  app->add_flag("--prose", command.prose, "Also check the prose and the sources of numbers")
      ->group("Checks");
  add_strict_option(*app, command);
  app->add_flag("--counts", command.counts, "Print only the number of mistakes per rule")
      ->group("Output");
  add_value(*app, "files", command.files, "FILE",
            "Report only these files and what they use (all)");
}

void add_index(CLI::App* app, int& status) {
  auto& command =
      add_command<primer::IndexCommand>(app, "index", "Build the search index of a site", status);
  add_book_option(
      *app, command.book,
      {{"--out", command.site, "site", "Index this site (build/site in the book)"},
       {"--search", command.search, "search", "Write the index here (build/search in the book)"}});
}

void add_pack(CLI::App* app, int& status) {
  auto& command = add_command<primer::PackCommand>(
      app, "pack", "Bundle the book into one file for the browser editor", status);
  add_site_options(*app, command, "Use this earlier site (build/site in the book)");
  add_value(*app, "file", command.file, "FILE", "Write this file: new, or an earlier pack")
      ->required();
}

void add_serve(CLI::App* app, int& status) {
  auto& command = add_command<primer::ServeCommand>(
      app, "serve", "Build, serve on this machine and rebuild on changes", status);
  add_site_options(*app, command);
  add_value(*app, "--port", command.port, "PORT", "Try ports starting with this one (8000)")
      ->check(CLI::Range(1, 65000))
      ->group("Process");
}

void add_publish(CLI::App* app, int& status) {
  auto& command =
      add_command<primer::PublishCommand>(app, "publish", "Build a deployable site", status);
  add_value(*app, "address", command.address, "URL",
            "Set the public address; - builds a preview without one")
      ->required();
  add_value(*app, "directory", command.directory, "DIR", "Write the site here; must not exist")
      ->required();
  add_book_option(
      *app, command.book,
      {{"--kept", command.kept, "kept", "Read previously published assets (build/kept)"}});
  app->add_flag("--drafts", command.drafts, "Include the chapters that are drafts")
      ->group("Book and output");
  app->add_flag("--renditions", command.renditions,
                "Also build e-book, print page, PDF and link previews")
      ->group("Book and output");
  add_value(*app, "--repository", command.repository, "URL", "Link to sources here (book.yaml)")
      ->check(address_error)
      ->group("Addresses");
  app->add_flag("--fetch", command.fetch, "Download previously published assets")
      ->group("Addresses");
  app->add_flag("--trust", command.trust, "Use the book's site/ and the dates in .git")
      ->group("Process");
}

void add_lsp(CLI::App* app, int& status) {
  auto& command = add_command<primer::LspCommand>(
      app, "lsp", "Serve an editor over the Language Server Protocol", status);
  add_book_option(*app, command.book);
  app->add_flag("--trust", command.trust, "Use the book's site/")->group("Process");
}

void add_preview(CLI::App* app, int& status) {
  auto& command = add_command<primer::PreviewCommand>(
      app, "preview", "Serve an untrusted site on a separate origin", status);
  add_value(*app, "directory", command.directory, "DIR", "Serve this unpacked site")->required();
}

void add_new(CLI::App* group, int& status) {
  CLI::App* app = group;
  auto& chapter =
      add_command<primer::NewChapterCommand>(app, "chapter", "Create a chapter", status);
  add_value(*app, "slug", chapter.slug, "SLUG", "Name in the URL: lower case, digits, hyphens")
      ->required();
  add_book_option(*app, chapter.book);
  app = group;
  auto& kernel =
      add_command<primer::NewKernelCommand>(app, "kernel", "Create a kernel to measure", status);
  add_value(*app, "name", kernel.name, "NAME", "Name in the URL: lower case, digits, hyphens")
      ->required();
  add_value(*app, "--source", kernel.source, "LANGUAGE", "Write it in c, c++, rust or wat (c)")
      ->check(CLI::IsMember({"c", "c++", "rust", "wat"}))
      ->group("Book and output");
  add_book_option(*app, kernel.book);
  app = group;
  auto& book = add_command<primer::NewBookCommand>(app, "book", "Create a book", status);
  add_value(*app, "directory", book.directory, "DIR", "Write the book here; new or empty")
      ->required();
  add_value(*app, "--title", book.title, "TEXT", "Set the title (from the directory)")
      ->group("Book and output");
  add_value(*app, "--language", book.language, "LANGUAGE", "Set the language, such as pt-br (en)")
      ->group("Book and output");
}

void add_import(CLI::App* app, int& status) {
  auto& command = add_command<primer::ImportCommand>(
      app, "import", "Convert a book of mdBook, Quarto, LaTeX or another tool", status);
  add_value(*app, "from", command.from, "DIR", "Read this book; it is not changed")->required();
  add_value(*app, "directory", command.directory, "DIR", "Write the book here; new or empty")
      ->required();
}

void add_profile(CLI::App* group, int& status) {
  CLI::App* app = group;
  auto& validate =
      add_command<primer::ValidateCommand>(app, "validate", "Check recorded profiles", status);
  add_value(*app, "files", validate.profiles, "FILE", "Check these profiles of primer measure")
      ->required();
  add_book_option(*app, validate.book);
  add_format_option(*app, validate.format);
  app = group;
  auto& compare =
      add_command<primer::CompareCommand>(app, "compare", "Compare two profiles", status);
  add_value(*app, "files", compare.profiles, "FILE", "Compare these two profiles")
      ->required()
      ->expected(2);
  add_book_option(*app, compare.book);
  app = group;
  auto& use = add_command<primer::UseProfileCommand>(
      app, "use", "Make a profile the book's reference machine", status);
  add_value(*app, "file", use.profile, "FILE", "Copy this profile into figures/profiles/")
      ->required();
  add_book_option(*app, use.book);
}

void add_measure(CLI::App* app, int& status) {
  auto& command = add_command<primer::MeasureCommand>(
      app, "measure", "Record this machine in a headless browser", status);
  add_book_option(*app, command.book);
  const auto text = [&](const char* name, std::string& value, const char* kind, const char* about) {
    return add_value(*app, name, value, kind, about);
  };
  auto* out = text("--out", command.out, "FILE", "Write a profile here (the book's reference)")
                  ->group("Book and output");
  text("--name", command.name, "TEXT", "Name the machine (its processor)")
      ->group("Book and output");
  text("--note", command.note, "TEXT", "Add a note to the profile")->group("Book and output");
  text("--browser", command.browser, "KIND", "Use chromium or firefox (chromium)")
      ->check(CLI::IsMember({"chromium", "firefox"}))
      ->group("Measurement");
  add_value(*app, "--only", command.only, "KERNEL",
            "Measure only this; may be repeated; needs --out")
      ->needs(out)
      ->group("Measurement");
  text("--pace", command.pace, "PACE", "Measure at pace quick, full or thorough (thorough)")
      ->check(CLI::IsMember({"quick", "full", "thorough"}))
      ->group("Measurement");
  add_value(*app, "--repeat", command.repeat, "N", "Measure N times, record the medians (1)")
      ->check(CLI::Range(1, 100))
      ->group("Measurement");
  app->add_flag("--cores", command.cores, "Also measure several cores together")
      ->group("Measurement");
  app->add_flag("--spread", command.spread, "Print how much three or more runs differ")
      ->group("Measurement");
  text("--modules", command.modules, "DIR", "Add WebAssembly from here (build/wasm)")
      ->group("Parts of the site");
  app->add_flag("--trust", command.trust, "Use the book's site/")->group("Process");
}

void add_facts(CLI::App* group, int& status) {
  const auto add = [&](CLI::App*& app, const char* name,
                       const char* about) -> primer::FactsCommand& {
    auto& command = add_command<primer::FactsCommand>(app, name, about, status);
    add_book_option(*app, command.book);
    add_value(*app, "--format", command.format, "FORMAT", "Print text or json (text)")
        ->check(CLI::IsMember({"text", "json"}))
        ->group("Output");
    return command;
  };
  CLI::App* app = group;
  add(app, "list", "List every fact with its value, trust and source");
  app = group;
  auto& search = add(app, "search", "List the facts that contain all words");
  add_value(*app, "words", search.words, "WORD", "Search for these words, such as hbm bandwidth")
      ->required();
  app = group;
  auto& show = add(app, "show", "Show one fact with its source and number of uses");
  add_value(*app, "id", show.fact, "ID", "Show this fact, such as h100-sxm.bandwidth")->required();
  app->add_flag("--uses", show.uses, "List the file and line of each use")->group("Output");
}

void add_changes_of_facts(CLI::App* group, int& status) {
  CLI::App* app = group;
  auto& set = add_command<primer::SetFactCommand>(
      app, "set", "Change a fact and every number that follows from it", status);
  add_book_option(*app, set.book);
  add_value(*app, "id", set.id, "ID", "Change this fact, such as h100-sxm.bandwidth")->required();
  add_value(*app, "value", set.value, "VALUE", "Give it this value, such as \"3.35 TB/s\"")
      ->required();
  add_value(*app, "--source", set.sources, "WORK", "Cite this work; may be repeated (unchanged)")
      ->group("Fact");
  add_value(*app, "--read", set.read, "HOW", "Set how the source was read (unchanged)")
      ->group("Fact");
  add_value(*app, "--note", set.note, "TEXT", "Set the note of the fact (unchanged)")
      ->group("Fact");
  app = group;
  auto& diff = add_command<primer::DiffFactsCommand>(
      app, "diff", "List what a change of facts changes for readers", status);
  add_book_option(*app, diff.book);
  add_value(*app, "revision", diff.revision, "REVISION", "Compare with the facts of this commit")
      ->required();
  app->add_flag("--trust", diff.trust, "Read the book's .git")->group("Process");
  app = group;
  auto& import = add_command<primer::ImportFactsCommand>(
      app, "import", "Add the results of Google Benchmark", status);
  add_value(*app, "file", import.file, "FILE", "Read this file, such as bench.json")->required();
  add_value(*app, "--url", import.url, "URL", "Cite this address of the results")
      ->required()
      ->group("Fact");
  add_value(*app, "--as", import.machine, "ID", "Call the machine this (its host name)")
      ->group("Fact");
  add_book_option(*app, import.book);
}

void add_references(CLI::App* group, int& status) {
  CLI::App* app = group;
  auto& command = add_command<primer::ImportReferencesCommand>(
      app, "import", "Add the works of a BibTeX or CSL-JSON file", status);
  add_value(*app, "file", command.file, "FILE", "Read this file, such as library.bib")->required();
  app->add_flag("--checked", command.checked, "Mark the works as compared with the originals")
      ->group("Book and output");
  add_book_option(*app, command.book);
}

void add_translate(CLI::App* group, int& status) {
  CLI::App* app = group;
  auto& begin = add_command<primer::BeginTranslationCommand>(
      app, "begin", "Write the list of strings to translate", status);
  add_value(*app, "language", begin.language, "LANGUAGE",
            "Write site/locales/LANGUAGE.json, such as fr")
      ->required();
  add_book_option(*app, begin.book);
  app = group;
  auto& table = add_command<primer::TranslationStatusCommand>(
      app, "status", "Show how much of each chapter is current", status);
  add_book_option(*app, table.book);
  app = group;
  auto& stamp = add_command<primer::StampCommand>(
      app, "stamp", "Mark blocks as up to date with the original", status);
  add_value(*app, "file", stamp.file, "FILE", "Stamp this file, such as chapters/es/interlude.md")
      ->required();
  add_value(*app, "--line", stamp.line, "LINE", "Stamp only the block at this line (all blocks)")
      ->check(CLI::Range(1, 1'000'000))
      ->group("Book and output");
  add_book_option(*app, stamp.book);
}

void add_manual(CLI::App& all, int& status) {
  CLI::App* app = &all;
  auto& manual = add_command<primer::ManualCommand>(app, "manual", "Print the manual page", status);
  app->parse_complete_callback([&manual, &all] {
    manual.table = primer::command_table(all);
    manual.version = PRIMER_VERSION;
  });
  app = &all;
  auto& shell = add_command<primer::CompletionCommand>(app, "completion",
                                                       "Print completions for a shell", status);
  add_value(*app, "shell", shell.shell, "SHELL", "Print them for bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  app->parse_complete_callback([&shell, &all] { shell.table = primer::command_table(all); });
}

// "primer help build" is "primer build --help".
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> all(argv + 1, argv + std::max(argc, 1));
  if (!all.empty() && all.front() == "help") {
    all.erase(all.begin());
    all.emplace_back("--help");
  }
  return all;
}

// Returns the exit status.
int parse_and_run(int argc, char** argv) {
  int status = 0;
  CLI::App app("Build a book of Markdown chapters with live measurements");
  app.formatter(std::make_shared<primer::HelpFormatter>());  // subcommands take over both
  app.set_help_flag("-h,--help", "Print this help");
  app.require_subcommand(1);
  app.set_version_flag("--version", "primer " PRIMER_VERSION, "Print the version");
  // An argument may hold line breaks, and a log takes commands from lines.
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return "primer: error: " + primer::visible(error.what()) + "\n  see primer --help\n";
  });
  add_build(&app, status);
  add_check(&app, status);
  add_index(&app, status);
  add_pack(&app, status);
  add_serve(&app, status);
  add_publish(&app, status);
  add_preview(&app, status);
  add_lsp(&app, status);
  add_new(add_group(app, "new", "Create a book or a chapter"), status);
  add_import(&app, status);
  add_measure(&app, status);
  add_profile(add_group(app, "profile", "Check, compare and use recorded measurements"), status);
  auto* facts = add_group(app, "facts", "Look up and change the numbers that chapters use");
  add_facts(facts, status);
  add_changes_of_facts(facts, status);
  add_references(add_group(app, "references", "Add works that chapters can cite"), status);
  add_translate(add_group(app, "translate", "Manage translations"), status);
  add_manual(app, status);
  auto given = arguments(argc, argv);
  if (!primer::knows_words(app, given)) return 2;
  std::reverse(given.begin(), given.end());  // as CLI11 takes them
  try {
    app.parse(std::move(given));
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  // Writing too large a file then fails with a message.
  std::signal(SIGXFSZ, SIG_IGN);
  primer::hold_standard_streams();
  return primer::heard(primer::guarded([&] { return parse_and_run(argc, argv); }));
}
