// The command line: which commands there are and what each takes. A command does its work in a file of its own.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>

#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/base/web_address.hpp"
#include "generator/cli/build_command.hpp"
#include "generator/cli/check_command.hpp"
#include "generator/cli/console.hpp"
#include "generator/cli/facts_command.hpp"
#include "generator/cli/import_command.hpp"
#include "generator/cli/new_command.hpp"
#include "generator/cli/profile_command.hpp"
#include "generator/cli/serve_command.hpp"
#include "generator/cli/translate_command.hpp"
#include "generator/load/book.hpp"

namespace {

// A subcommand, its options yet to be added to what it returns: that lives as long as the command line.
template <class Command>
Command& add_command(CLI::App*& app, const char* name, const char* about, int& status) {
  app = app->add_subcommand(name, about);
  const auto command = std::make_shared<Command>();
  app->add_flag("--no-sandbox", command->no_sandbox,
                "Go on with all rights of the user (where the sandbox stops what is meant)");
  app->callback([command, &status] { status = run(*command); });
  return *command;
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
  const auto* option = app.add_option(
      "--book", book, "Directory that holds chapters/book.yaml; else the nearest one upward");
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
      app.add_option("--out", command.out,
                     "The site: a link to the tree that is current; else the book's build/site");
  app.parse_complete_callback([&command, book, out] {
    if (book->count() == 0) command.book = nearest_book();
    if (out->count() > 0) return;
    command.out = (std::filesystem::path(command.book) / "build/site").lexically_normal().string();
  });
  app.add_option("--assets", command.assets, "Directory of templates, styles and scripts");
  app.add_option("--modules", command.modules, "Directory of built WebAssembly, or none");
  app.add_option("--fonts", command.fonts, "Directory of built fonts, or none");
  app.add_option("--minified", command.minified,
                 "Directory of minified styles and scripts, or none");
  app.add_option("--search", command.search, "Directory of a search index (scripts/search.mjs)");
  app.add_option("--base-url", command.base_url, "Public address of the site, or none")
      ->check(base_url_error);
  app.add_option("--repository", command.repository,
                 "Address of the repository, for links to sources")
      ->check(address_error);
  app.add_option("--threads", command.threads, "Chapters rendered at the same time")
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
  app->add_flag(
      "--renditions", command.renditions,
      "Also make the e-book and the print page, and name what scripts/publish makes then");
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
  app->add_option("files", command.files, "Chapters to report about; without any, all");
  app->add_flag("--prose", command.prose,
                "Also sentences, paragraphs, sections, and numbers without a source");
}

void add_serve(CLI::App* app, int& status) {
  auto& command = add_command<primer::ServeCommand>(
      app, "serve", "Build, then serve on this machine only", status);
  add_site_options(*app, command);
  app->add_option("--port", command.port, "First port to try")->check(CLI::Range(1, 65000));
}

void add_preview(CLI::App* app, int& status) {
  auto& command = add_command<primer::PreviewCommand>(
      app, "preview", "Show a site that somebody else built, on a port of its own", status);
  app->add_option("directory", command.directory, "The site, unpacked")->required();
}

void add_new(CLI::App* group, int& status) {
  CLI::App* app = group;
  auto& chapter = add_command<primer::NewChapterCommand>(app, "chapter", "Begin a chapter", status);
  app->add_option("slug", chapter.slug, "Its address: lower case, hyphens")->required();
  add_book_option(*app, chapter.book);
  app = group;
  auto& book = add_command<primer::NewBookCommand>(app, "book", "Begin a book", status);
  app->add_option("directory", book.directory, "A directory that is empty or not there yet")
      ->required();
  app->add_option("--title", book.title, "What it is called; else after its directory");
  app->add_option("--language", book.language, "What it is written in: en, es, pt-br");
}

void add_import(CLI::App* app, int& status) {
  auto& command = add_command<primer::ImportCommand>(
      app, "import", "Begin a book with one of mdBook, Hugo, Quarto, MyST or Jekyll", status);
  app->add_option("from", command.from, "Its directory, which is only read")->required();
  app->add_option("directory", command.directory, "A directory that is empty or not there yet")
      ->required();
}

void add_profile(CLI::App* group, int& status) {
  CLI::App* app = group;
  auto& validate = add_command<primer::ValidateCommand>(
      app, "validate", "Report what is wrong with profiles", status);
  app->add_option("files", validate.profiles, "Profiles: what scripts/measure records")->required();
  add_format_option(*app, validate.format);
  app = group;
  auto& compare =
      add_command<primer::CompareCommand>(app, "compare", "Two profiles side by side", status);
  app->add_option("files", compare.profiles, "The two profiles")->required()->expected(2);
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
  app->add_option("words", search.words, "hbm bandwidth")->required();
  app = group;
  auto& show = add(app, "show", "One fact, its source, and where it is used");
  app->add_option("id", show.fact, "h100-sxm.bandwidth")->required();
}

void add_translate(CLI::App* group, int& status) {
  CLI::App* app = group;
  auto& table = add_command<primer::TranslationStatusCommand>(
      app, "status", "How much of each chapter is current", status);
  add_book_option(*app, table.book);
  app = group;
  auto& stamp = add_command<primer::StampCommand>(
      app, "stamp", "Mark blocks as up to date with the original", status);
  app->add_option("file", stamp.file, "chapters/es/interlude.md")->required();
  app->add_option("--line", stamp.line, "Only the block that this line is in")
      ->check(CLI::Range(1, 1'000'000));
  add_book_option(*app, stamp.book);
}

// "chek" is not a command, and "check" is meant; CLI11 would say that a command is missing.
bool knows_command(const CLI::App& app, const std::vector<std::string>& given) {
  if (given.empty() || given.front().starts_with('-')) return true;
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), given.front()) != names.end()) return true;
  const std::string like = primer::nearest(given.front(), names);
  std::cerr << "primer: error: there is no command " << primer::in_quotes(given.front()) << '\n'
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
  add_build(&app, status);
  add_check(&app, status);
  add_serve(&app, status);
  add_preview(&app, status);
  add_new(add_group(app, "new", "Begin something new"), status);
  add_import(&app, status);
  add_profile(add_group(app, "profile", "Look at recorded measurements"), status);
  add_facts(add_group(app, "facts", "The numbers that a chapter can use"), status);
  add_translate(add_group(app, "translate", "Look after the book in other languages"), status);
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
  return primer::guarded([&] { return parse_and_run(argc, argv); });
}
