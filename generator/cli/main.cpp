// The command line: which commands there are and what each takes. A command does its work in a file of its own.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>

#include "generator/base/characters.hpp"
#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/base/web_address.hpp"
#include "generator/cli/build_command.hpp"
#include "generator/cli/check_command.hpp"
#include "generator/cli/command_table.hpp"
#include "generator/cli/console.hpp"
#include "generator/cli/facts_command.hpp"
#include "generator/cli/import_command.hpp"
#include "generator/cli/index_command.hpp"
#include "generator/cli/install_prefix.hpp"
#include "generator/cli/lsp_command.hpp"
#include "generator/cli/manual_command.hpp"
#include "generator/cli/new_command.hpp"
#include "generator/cli/pack_command.hpp"
#include "generator/cli/profile_command.hpp"
#include "generator/cli/publish_command.hpp"
#include "generator/cli/references_command.hpp"
#include "generator/cli/serve_command.hpp"
#include "generator/cli/translate_command.hpp"
#include "generator/load/book.hpp"

namespace {

bool has_own_files() {
  if (primer::is_home(primer::program_home())) return true;
  std::cerr << "primer: error: its own files are missing: there are no templates in "
            << primer::visible(primer::program_home().string())
            << "\n  install primer again; its bin/ and share/ stay beside each other\n";
  return false;
}

// A subcommand, its options yet to be added to what it returns: that lives as long as the command line.
template <class Command>
Command& add_command(CLI::App*& app, const char* name, const char* about, int& status) {
  app = app->add_subcommand(name, about);
  const auto command = std::make_shared<Command>();
  app->add_flag("--no-sandbox", command->no_sandbox,
                "Go on with all rights of the user (where the sandbox stops what is meant)");
  app->callback([command, &status] { status = has_own_files() ? run(*command) : 1; });
  return *command;
}

// An option or operand, and what its value is called. Shells complete a DIR and a FILE.
template <class Value>
CLI::Option* add_value(CLI::App& app, const char* name, Value& value, const char* kind,
                       const char* about) {
  return app.add_option(name, value, about)->type_name(kind);
}

// One that only has others below it.
CLI::App* add_group(CLI::App& app, const char* name, const char* about) {
  auto* group = app.add_subcommand(name, about);
  group->require_subcommand(1);
  return group;
}

// The book that this directory is in, as git finds its repository; "." where there is none.
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

const CLI::Option* add_book_option(CLI::App& app, std::string& book) {
  const auto* option =
      add_value(app, "--book", book, "DIR",
                "Directory that holds chapters/book.yaml; else the nearest one upward");
  app.parse_complete_callback([&book, option] {
    if (option->count() == 0) book = nearest_book();
  });
  return option;
}

void add_format_option(CLI::App& app, std::string& format) {
  app.add_option("--format", format, "How errors are printed")
      ->check(CLI::IsMember({"text", "json", "github"}));
}

// What CLI11 says of an address that book.yaml could not have either; "" when it is good.
std::string address_error(const std::string& url) {
  const auto fault = primer::site_address_fault(url);
  return fault ? fault->message + "; " + fault->hint : "";
}

std::string base_url_error(const std::string& url) {
  return url == primer::no_base_url ? "" : address_error(url);
}

void add_site_options(CLI::App& app, primer::SiteCommand& command) {
  const auto* book = add_book_option(app, command.book);
  const auto* out =
      add_value(app, "--out", command.out, "DIR",
                "The site: a link to the tree that is current; else the book's build/site");
  app.parse_complete_callback([&command, book, out] {
    if (book->count() == 0) command.book = nearest_book();
    if (out->count() > 0) return;
    command.out = (std::filesystem::path(command.book) / "build/site").lexically_normal().string();
  });
  add_value(app, "--assets", command.assets, "DIR", "Directory of templates, styles and scripts");
  add_value(app, "--modules", command.modules, "DIR", "Directory of built WebAssembly, or none");
  add_value(app, "--fonts", command.fonts, "DIR", "Directory of built fonts, or none");
  add_value(app, "--minified", command.minified, "DIR",
            "Directory of minified styles and scripts, or none");
  add_value(app, "--search", command.search, "DIR", "Directory of a search index (primer index)");
  add_value(app, "--workshop", command.workshop, "DIR",
            "Directory of what the page /write/ loads (scripts/workshop)");
  add_value(app, "--base-url", command.base_url, "URL", "Public address of the site, or none")
      ->check(base_url_error);
  add_value(app, "--repository", command.repository, "URL",
            "Address of the repository, for links to sources")
      ->check(address_error);
  add_value(app, "--threads", command.threads, "N", "Chapters rendered at the same time")
      ->check(CLI::Range(1, 256));
  add_format_option(app, command.format);
  app.add_flag("--unmeasured", command.unmeasured,
               "Take measured numbers as written (to record the first profile)");
  app.add_flag("--drafts", command.drafts, "Also the chapters that book.yaml calls drafts");
  app.add_flag("--trust", command.trust,
               "Take what is code of the book too: its own site/, and its .git, for dates");
}

void add_build(CLI::App* app, int& status) {
  auto& command = add_command<primer::BuildCommand>(app, "build", "Write the site", status);
  add_site_options(*app, command);
  app->add_flag("--renditions", command.renditions,
                "Also make the e-book and the print page, and name what publish makes then");
  app->add_flag("--review", command.review,
                "Add /figures/review/: every picture, for several machines");
  app->add_flag("--explain", command.explain, "Say why each page was rendered or not");
  app->add_flag("--stats", command.stats, "Print times, cache hits and peak memory");
}

void add_check(CLI::App* app, int& status) {
  auto& command = add_command<primer::CheckCommand>(app, "check",
                                                    "Report what is wrong; write nothing", status);
  add_site_options(*app, command);
  app->add_flag("--fix", command.fix,
                "Rewrite numbers that are out of date, and levels of headings");
  app->add_flag("--counts", command.counts, "Only how many mistakes there are of each rule");
  add_value(*app, "files", command.files, "FILE",
            "Files to report about, with what they use (default: all)");
  app->add_flag("--prose", command.prose,
                "Also sentences, paragraphs, sections, and numbers without a source");
}

void add_index(CLI::App* app, int& status) {
  auto& command = add_command<primer::IndexCommand>(
      app, "index", "Make the search index of a built site, for build --search", status);
  const auto* book = add_book_option(*app, command.book);
  const auto* site = add_value(*app, "--out", command.site, "DIR",
                               "The site that was built; else the book's build/site");
  const auto* search = add_value(*app, "--search", command.search, "DIR",
                                 "New, or an index by primer (default: the book's build/search)");
  app->parse_complete_callback([&command, book, site, search] {
    if (book->count() == 0) command.book = nearest_book();
    const auto usual = [&](const char* name) {
      return (std::filesystem::path(command.book) / "build" / name).lexically_normal().string();
    };
    if (site->count() == 0) command.site = usual("site");
    if (search->count() == 0) command.search = usual("search");
  });
}

void add_pack(CLI::App* app, int& status) {
  auto& command = add_command<primer::PackCommand>(
      app, "pack", "Put the book into one file, for the page that edits it", status);
  add_site_options(*app, command);
  add_value(*app, "file", command.file, "FILE", "New, or a pack by primer")->required();
}

void add_serve(CLI::App* app, int& status) {
  auto& command = add_command<primer::ServeCommand>(
      app, "serve", "Build, then serve on this machine only", status);
  add_site_options(*app, command);
  add_value(*app, "--port", command.port, "PORT", "First port to try")->check(CLI::Range(1, 65000));
}

void add_publish(CLI::App* app, int& status) {
  auto& command = add_command<primer::PublishCommand>(
      app, "publish", "Lay out a site for a web server, with search and reading offline", status);
  add_value(*app, "address", command.address, "URL", "Its public address; - for a preview without")
      ->required();
  add_value(*app, "directory", command.directory, "DIR", "A directory that is not there yet")
      ->required();
  const auto* book = add_book_option(*app, command.book);
  const auto* kept = add_value(*app, "--kept", command.kept, "DIR",
                               "What the last publications left; else the book's build/kept");
  app->parse_complete_callback([&command, book, kept] {
    if (book->count() == 0) command.book = nearest_book();
    if (kept->count() > 0) return;
    command.kept = (std::filesystem::path(command.book) / "build/kept").lexically_normal().string();
  });
  add_value(*app, "--repository", command.repository, "URL",
            "Address of the repository, for links to sources")
      ->check(address_error);
  app->add_flag("--fetch", command.fetch, "Take what the last publications left from the address");
  app->add_flag("--renditions", command.renditions,
                "Also the e-book, the print page, a PDF of it and pictures for shared links");
  app->add_flag("--drafts", command.drafts, "Also the chapters that book.yaml calls drafts");
  app->add_flag("--trust", command.trust,
                "Take what is code of the book too: its own site/, and its .git, for dates");
}

void add_lsp(CLI::App* app, int& status) {
  auto& command = add_command<primer::LspCommand>(
      app, "lsp", "Serve an editor: mistakes, names, places (Language Server Protocol)", status);
  add_book_option(*app, command.book);
  app->add_flag("--trust", command.trust, "Take the book's own site/ too");
}

void add_preview(CLI::App* app, int& status) {
  auto& command = add_command<primer::PreviewCommand>(
      app, "preview", "Show a site that somebody else built, on a port of its own", status);
  add_value(*app, "directory", command.directory, "DIR", "The site, unpacked")->required();
}

void add_new(CLI::App* group, int& status) {
  CLI::App* app = group;
  auto& chapter = add_command<primer::NewChapterCommand>(app, "chapter", "Begin a chapter", status);
  add_value(*app, "slug", chapter.slug, "SLUG", "Its address: lower case, hyphens")->required();
  add_book_option(*app, chapter.book);
  app = group;
  auto& book = add_command<primer::NewBookCommand>(app, "book", "Begin a book", status);
  add_value(*app, "directory", book.directory, "DIR", "A directory that is empty or not there yet")
      ->required();
  add_value(*app, "--title", book.title, "TEXT", "What it is called; else after its directory");
  add_value(*app, "--language", book.language, "LANGUAGE", "What it is written in: en, es, pt-br");
}

void add_import(CLI::App* app, int& status) {
  auto& command = add_command<primer::ImportCommand>(
      app, "import", "Begin a book with one of mdBook, Hugo, Quarto, MyST or Jekyll", status);
  add_value(*app, "from", command.from, "DIR", "Its directory, which is only read")->required();
  add_value(*app, "directory", command.directory, "DIR",
            "A directory that is empty or not there yet")
      ->required();
}

void add_profile(CLI::App* group, int& status) {
  CLI::App* app = group;
  auto& validate = add_command<primer::ValidateCommand>(
      app, "validate", "Report what is wrong with profiles", status);
  add_value(*app, "files", validate.profiles, "FILE", "Profiles: what scripts/measure records")
      ->required();
  add_format_option(*app, validate.format);
  app = group;
  auto& compare =
      add_command<primer::CompareCommand>(app, "compare", "Two profiles side by side", status);
  add_value(*app, "files", compare.profiles, "FILE", "The two profiles")->required()->expected(2);
}

void add_facts(CLI::App* group, int& status) {
  const auto add = [&](CLI::App*& app, const char* name,
                       const char* about) -> primer::FactsCommand& {
    auto& command = add_command<primer::FactsCommand>(app, name, about, status);
    add_book_option(*app, command.book);
    app->add_option("--format", command.format, "How it is printed")
        ->check(CLI::IsMember({"text", "json"}));
    return command;
  };
  CLI::App* app = group;
  add(app, "list", "Every fact: id, value, trust, source");
  app = group;
  auto& search = add(app, "search", "The facts that hold all of some words");
  add_value(*app, "words", search.words, "WORD", "hbm bandwidth")->required();
  app = group;
  auto& show = add(app, "show", "One fact, its source, and where it is used");
  add_value(*app, "id", show.fact, "ID", "h100-sxm.bandwidth")->required();
}

void add_references(CLI::App* group, int& status) {
  CLI::App* app = group;
  auto& command = add_command<primer::ImportReferencesCommand>(
      app, "import", "Add the works of a BibTeX or CSL-JSON file", status);
  add_value(*app, "file", command.file, "FILE", "library.bib, library.json")->required();
  app->add_flag("--checked", command.checked,
                "You have compared title, authors and address with each work");
  add_book_option(*app, command.book);
}

void add_translate(CLI::App* group, int& status) {
  CLI::App* app = group;
  auto& begin = add_command<primer::BeginTranslationCommand>(
      app, "begin", "Write the list of strings to translate", status);
  add_value(*app, "language", begin.language, "LANGUAGE", "fr, for site/locales/fr.json")
      ->required();
  add_book_option(*app, begin.book);
  app = group;
  auto& table = add_command<primer::TranslationStatusCommand>(
      app, "status", "How much of each chapter is current", status);
  add_book_option(*app, table.book);
  app = group;
  auto& stamp = add_command<primer::StampCommand>(
      app, "stamp", "Mark blocks as up to date with the original", status);
  add_value(*app, "file", stamp.file, "FILE", "chapters/es/interlude.md")->required();
  add_value(*app, "--line", stamp.line, "LINE", "Only the block that this line is in")
      ->check(CLI::Range(1, 1'000'000));
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
  auto& shell = add_command<primer::CompletionCommand>(
      app, "completion", "Print what a shell needs to complete commands and options", status);
  add_value(*app, "shell", shell.shell, "SHELL", "Which shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  app->parse_complete_callback([&shell, &all] { shell.table = primer::command_table(all); });
}

// "chek" is not a command, and "check" is meant; CLI11 would say that a command is missing.
bool knows_command(const CLI::App& app, const std::vector<std::string>& given) {
  if (given.empty() || given.front().starts_with('-')) return true;
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), given.front()) != names.end()) return true;
  const std::string like = primer::nearest(given.front(), names);
  std::cerr << "primer: error: there is no command "
            << primer::in_quotes(primer::visible(given.front())) << '\n'
            << (like.empty() ? "  there are " + primer::join(names, ", ")
                             : "  did you mean " + primer::in_quotes(like) + "?")
            << '\n';
  return false;
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

// The program's exit status.
int parse_and_run(int argc, char** argv) {
  int status = 0;
  CLI::App app("primer renders a book of Markdown chapters with live measurements.");
  app.require_subcommand(1);
  app.set_version_flag("--version", "primer " PRIMER_VERSION);
  // An argument may hold line breaks, and a log takes commands from lines.
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return primer::visible(error.what()) + "\nRun with --help for more information.\n";
  });
  add_build(&app, status);
  add_check(&app, status);
  add_index(&app, status);
  add_pack(&app, status);
  add_serve(&app, status);
  add_publish(&app, status);
  add_preview(&app, status);
  add_lsp(&app, status);
  add_new(add_group(app, "new", "Begin something new"), status);
  add_import(&app, status);
  add_profile(add_group(app, "profile", "Look at recorded measurements"), status);
  add_facts(add_group(app, "facts", "The numbers that a chapter can use"), status);
  add_references(add_group(app, "references", "The works that chapters can cite"), status);
  add_translate(add_group(app, "translate", "Look after the book in other languages"), status);
  add_manual(app, status);
  auto given = arguments(argc, argv);
  if (!knows_command(app, given)) return 2;
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
  std::signal(SIGXFSZ,
              SIG_IGN);  // a file that grows too large is an error of writing, with a message
  primer::hold_standard_streams();
  return primer::heard(primer::guarded([&] { return parse_and_run(argc, argv); }));
}
