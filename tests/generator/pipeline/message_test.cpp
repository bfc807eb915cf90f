// The complete message after each mistake: the examples in the table of rules, and a file for every
// other mistake in tests/fixtures/messages.
//
// A file begins with the changes to the small book: "=== body" and the text of a chapter, or "===
// path" and the whole text of that file. All messages follow after "=== says". Set UPDATE_GOLDENS
// to accept a change, then read the diff.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/collect/collection.hpp"
#include "generator/core/diagnostic/rule.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/write/output.hpp"
#include "small_book.hpp"

namespace {

namespace fs = std::filesystem;
const fs::path fixtures = fs::path(PRIMER_SOURCE) / "tests/fixtures";
constexpr std::string_view says = "=== says\n";

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

bool updating() { return std::getenv("UPDATE_GOLDENS") != nullptr; }

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

void set(small_book::Files& files, const std::string& path, const std::string& text) {
  // Mistakes in translations need a second language.
  if (path == "chapters/book.yaml" || path.starts_with("chapters/es/")) {
    files["site/locales/es.json"] = "{}";
    files["site/locales/es.terms.json"] =
        R"([{"english": "working set", "word": "datos en uso", "avoid": ["conjunto de trabajo"]}])";
  }
  if (path.starts_with("chapters/es/")) {
    files["chapters/book.yaml"] += "languages: [en, es]\n";
  }
  if (path.empty() || path == "body") {
    files["chapters/en/01-first.md"] += text;
  } else if (path.starts_with("chapters/es/") && text.empty()) {
    files.erase(path);  // the fix for a translation that should not exist
  } else {
    files[path] = text;
  }
}

// The messages about a mistake on the command line. main.cpp prints the same diagnostics.
std::string on_command_line(const primer::RuleExample& example) {
  primer::Diagnostics diagnostics;
  if (example.rule == primer::Rule::missing_module) {
    const auto nothing = primer::in_memory({});
    primer::Modules::load(nothing.get(), primer::Unbuilt::refuse, diagnostics);
  } else {
    const fs::path file =
        fs::temp_directory_path() / ("primer-message-" + std::to_string(::getpid()));
    write(file, "a file, no directory\n");
    const auto written = primer::SiteWriter((file / "site").string()).finish();
    fs::remove(file);
    REQUIRE(!written);
    diagnostics.error(primer::Rule::output_error, "",
                      primer::replace_all(written.error().message, file.string(), "README.md"));
  }
  return to_text(diagnostics, primer::Format::text);
}

std::string messages(const primer::RuleExample& example, const std::string& text) {
  if (example.file == "primer") return on_command_line(example);
  auto files = small_book::with("");
  set(files, example.file, text);
  for (const std::string page : {"rules", "our-rules"}) {
    if (text.find("pages: [" + page + ']') != text.npos)
      files["chapters/en/pages/" + page + ".md"] = "---\ntitle: Rules\n---\nBe kind.\n";
  }
  const bool uses_round = example.file.starts_with("figures/specs/");
  if (uses_round) {
    files["chapters/en/01-first.md"] +=
        "```figure\nid: fig-round\nspec: round\ncaption: Round numbers.\nalt: A roof.\n```\n";
  }
  const bool prose = primer::info(example.rule).summary.find("--prose") != std::string_view::npos;
  return small_book::build(files, 1, prose).errors;
}

std::set<std::string> rules_in(const std::string& text) {
  std::set<std::string> found;
  for (const auto& rule : primer::all_rules()) {
    if (text.find(" [" + std::string(rule.id) + "]\n") != text.npos) found.emplace(rule.id);
  }
  return found;
}

}  // namespace

TEST_CASE("message: every rule has an example that breaks it, and the fix fixes it") {
  const auto examples = primer::rule_examples();
  REQUIRE(examples.size() == primer::all_rules().size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto& example = examples[i];
    const std::string id(primer::all_rules()[i].id);
    INFO(id);
    CHECK(primer::info(example.rule).id == id);
    const std::string message = messages(example, example.wrong);
    auto rules = rules_in(message);
    // What there are more of is named before.
    if (example.rule == primer::Rule::more_errors) rules.erase("raw-html");
    CHECK(rules == std::set<std::string>{id});
    if (example.file != "primer") CHECK(messages(example, example.right) == "");
    const fs::path golden = fixtures / "rules" / (id + ".txt");
    if (updating()) write(golden, message);
    CHECK(message == read(golden));
  }
}

TEST_CASE("message: no golden is of a rule that does not exist") {
  for (const auto& entry : fs::directory_iterator(fixtures / "rules")) {
    const std::string id = entry.path().stem().string();
    INFO(id);
    CHECK(std::any_of(primer::all_rules().begin(), primer::all_rules().end(),
                      [&](const auto& rule) { return rule.id == id; }));
  }
}

TEST_CASE("message: every mistake of tests/fixtures/messages") {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(fixtures / "messages")) {
    INFO(entry.path().filename().string());
    const std::string text = read(entry.path());
    const std::size_t expected = text.find(says);
    REQUIRE(expected != text.npos);
    auto files = small_book::with("");
    for (std::size_t at = 0; at < expected;) {
      REQUIRE(text.substr(at, 4) == "=== ");
      const std::size_t line_end = text.find('\n', at);
      const std::size_t next = text.find("\n=== ", line_end - 1) + 1;
      set(files, text.substr(at + 4, line_end - at - 4),
          text.substr(line_end + 1, next - line_end - 1));
      at = next;
    }
    const std::string message = small_book::build(files).errors;
    if (updating()) write(entry.path(), text.substr(0, expected + says.size()) + message);
    CHECK(message == text.substr(expected + says.size()));
    CHECK(message != "");
    ++count;
  }
  CHECK(count >= 40);
}

TEST_CASE("message: the page of the rules has all of them, escaped") {
  const std::string page = primer::rules_page();
  for (const auto& rule : primer::all_rules()) {
    CHECK(page.find("id=\"" + std::string(rule.id) + '"') != page.npos);
  }
  CHECK(page.find("<b>") == page.npos);
  CHECK(page.find("&lt;b&gt;bold") != page.npos);
  CHECK(primer::rule_address(primer::Rule::unknown_fact, "https://example.org/") ==
        "https://example.org/rules/#unknown-fact");
}

TEST_CASE("message: nothing by way of a symbolic link, out of the book or within it") {
  const fs::path root =
      fs::temp_directory_path() / ("primer-symlink-" + std::to_string(::getpid()));
  fs::remove_all(root);
  fs::create_directories(root / "book");
  write(root / "secret.cpp", "int secret;\n");
  fs::create_symlink(root / "secret.cpp", root / "book/kernel.cpp");
  const auto files = primer::disk((root / "book").string());
  CHECK(!files->read("kernel.cpp"));
  CHECK(!files->read("../secret.cpp"));
  CHECK(!files->read((root / "secret.cpp").string()));
  write(root / "book/real.cpp", "int real;\n");
  fs::create_symlink("real.cpp", root / "book/link.cpp");
  fs::create_symlink(fs::canonical(root) / "book/real.cpp", root / "book/absolute.cpp");
  CHECK(!files->read("link.cpp"));
  CHECK(!files->read("absolute.cpp"));
  CHECK(files->read("real.cpp") == "int real;\n");
  CHECK(files->list(".") ==
        std::vector<std::string>{"absolute.cpp", "kernel.cpp", "link.cpp", "real.cpp"});
  CHECK(!files->read("."));
  CHECK(files->link_in("kernel.cpp") == "kernel.cpp");
  CHECK(files->link_in("missing.cpp") == "");
  fs::remove_all(root);
}
