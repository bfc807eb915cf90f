// A book that moves to primer downgrades the rules that it will fix later: it builds, and no word
// is lost.
#include "generator/core/diagnostic/diagnostic.hpp"

#include "catch.hpp"
#include "small_book.hpp"

namespace {

small_book::Files with_severity(const std::string& body, const std::string& yaml) {
  auto files = small_book::with(body);
  files["chapters/book.yaml"] += yaml;
  return files;
}

// The body of the first chapter, or the errors if there are any.
std::string page(const small_book::Files& files) {
  const auto built = small_book::build(files);
  const auto found = built.site.find("first/index.html");
  return found == built.site.end() ? built.errors : found->second;
}

}  // namespace

TEST_CASE("severities: a downgraded rule loses no words") {
  struct {
    std::string rule, text, html;
  } const cases[] = {
      {"raw-html", "A <b>bold</b> word.", "<p>A bold word.</p>"},
      {"raw-html", "<div class=\"x\">All &amp; <i>this</i> stays.</div>",
       "<p>All &amp; this stays.</p>"},
      {"raw-html", "<script>run()</script>", "\n"},
      {"dead-link", "[Words](nowhere.md) stay.", "<p>Words stay.</p>"},
      {"dead-link", "[Words](#nowhere) stay.", "Words</a> stay."},
      {"unknown-term", "[Words](term:nothing) stay.", "<p>Words stay.</p>"},
      {"bad-image", "![Words](gone.png) stay.", "<p>Words stay.</p>"},
      {"bad-heading", "## A [linked](second.md) heading", "A linked heading"},
      {"bad-callout", "> [!NOTHING]\n> Words.", "[!NOTHING]\nWords."},
      {"bad-code-block", "```modell\nx < 1\n```", "x &lt; 1"},
      {"bad-code-block", "```cpp\nopen;", "open;"},
      {"bad-maths", "$\\oops$", "<code>\\oops</code>"},
      {"unknown-note", "Words[^gone] stay.", "Words[^gone] stay."},
  };
  for (const auto& [rule, text, html] : cases) {
    INFO(text);
    const std::string body = text + '\n';
    CHECK(page(with_severity(body, "")).find('[' + rule + ']') != std::string::npos);
    const auto lowered = with_severity(body, "severity: {" + rule + ": warning}\n");
    INFO(page(lowered));
    CHECK(page(lowered).find(html) != std::string::npos);
    CHECK(small_book::build(lowered).errors.find(": warning: ") != std::string::npos);
  }
}

TEST_CASE("severities: the nearest place decides") {
  const std::string body = "A <b>bold</b> word.\n";
  const std::string lowered = "severity: {raw-html: warning}\n";
  const auto errors = [&](const std::string& yaml) {
    return small_book::diagnose(with_severity(body, yaml)).count(primer::Severity::error);
  };
  CHECK(errors("") == 2);
  CHECK(errors(lowered) == 0);
  CHECK(errors(lowered + "severity_of:\n  chapters/en/: {raw-html: error}\n") == 2);
  CHECK(errors("severity_of:\n  chapters/en/second.md: {raw-html: warning}\n") == 2);
  CHECK(errors("severity_of:\n  chapters/en/01-first.md: {raw-html: warning}\n") == 0);
  CHECK(errors("severity_of:\n  chapters/en/: {raw-html: error}\n"
               "  chapters/en/01-first.md: {raw-html: warning}\n") == 0);
}

TEST_CASE("severities: unsafe content stays an error") {
  for (const char* rule : {"unsafe-link", "wrong-literal", "path-outside-book", "bad-yaml"}) {
    INFO(rule);
    const auto files = with_severity("", "severity: {" + std::string(rule) + ": warning}\n");
    CHECK(small_book::build(files).errors.find("must stay an error") != std::string::npos);
  }
  const auto misspelt = with_severity("", "severity: {raw-htm: warning}\n");
  CHECK(small_book::build(misspelt).errors.find("did you mean \"raw-html\"?") != std::string::npos);
}

TEST_CASE("severities: counts by rule, for the requested files") {
  auto files = small_book::with("A <b>bold</b> word, [lost](gone.md).\n");
  files["chapters/en/second.md"] += "A <u>word</u>.\n";
  auto diagnostics = small_book::diagnose(files);
  CHECK(primer::to_counts(diagnostics) ==
        "raw-html: 4 errors\ndead-link: 1 error\nin all: 5 errors\n");
  diagnostics.keep_only({"chapters/en/second.md"});
  CHECK(primer::to_counts(diagnostics) == "raw-html: 2 errors\nin all: 2 errors\n");
  // A diagnostic found on a page belongs to that page, whichever file is wrong.
  primer::Diagnostics found;
  for (const char* page : {"one.md", "two.md"}) {
    primer::Diagnostics of_page;
    of_page.error(primer::Rule::bad_figure, std::string(page) + ".json", "wrong");
    of_page.found_on(page);
    found.append(std::move(of_page));
  }
  found.keep_only({"two.md"});
  REQUIRE(found.sorted().size() == 1);
  CHECK(found.sorted().front().file == "two.md.json");
}

TEST_CASE("severities: comments and harmless elements pass") {
  CHECK(small_book::html(
            "<!-- a\n\nb -->\n\nPress <kbd>*a*</kbd>, H<sub>2</sub>O<br>x<!-- y -->.\n") ==
        "<p>Press <kbd><em>a</em></kbd>, H<sub>2</sub>O<br/>x.</p>\n");
  for (const char* text : {"<kbd>a", "a</kbd>", "*<kbd>*</kbd>", "<sub><sup>a</sub></sup>",
                           "<kbd onclick=\"a\">b</kbd>", "<details>a</details>", "<!-- a --> b"}) {
    INFO(text);
    CHECK(small_book::errors(std::string(text) + '\n').find("[raw-html]") != std::string::npos);
  }
}

TEST_CASE("severities: a draft is in no site, and links to it lead nowhere") {
  auto files = small_book::with("[The second](second.md) is [here](/second/).\n");
  CHECK(small_book::build(files).errors == "");
  auto& book = files["chapters/book.yaml"];
  book.replace(book.find("slug: second"), 12, "{slug: second, draft: true}");
  const auto built = small_book::build(files);
  CHECK(!built.site.contains("second/index.html"));
  CHECK(built.errors.find("is a draft, so this link is left out") != std::string::npos);
  files["chapters/en/01-first.md"] = "---\ntitle: First\n---\n[The second](second.md).\n";
  const auto linked = small_book::build(files);
  CHECK(linked.site.at("first/index.html").find("<p>The second.</p>") != std::string::npos);
}

TEST_CASE("severities: an error that two pages find is counted once") {
  primer::Diagnostics all;
  for (const char* message : {"one", "one", "two"}) {
    primer::Diagnostics of_page;
    of_page.error(primer::Rule::bad_figure, "figures/specs/a.json", message);
    all.append(std::move(of_page));
  }
  CHECK(all.sorted().size() == 2);
  CHECK(all.count(primer::Severity::error) == 2);
  CHECK(all.by_rule().at(primer::Rule::bad_figure).errors == 2);
}
