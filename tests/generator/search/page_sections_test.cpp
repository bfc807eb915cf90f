#include "generator/tools/search/indexed_text.hpp"

#include "catch.hpp"

using namespace primer;

namespace {

std::string page(const std::string& main) {
  return "<!DOCTYPE html><html lang=\"en\"><body><main id=\"text\">" + main +
         "</main><footer>x</footer></body></html>";
}

bool holds(const PageSection& section, const char* text) {
  return section.html.find(text) != section.html.npos;
}

}  // namespace

TEST_CASE("search: a page is cut into its sections, with headings, terms and short formulas") {
  const auto sections = sections_of(
      "one/",
      page("<h1>Two <em>rates</em></h1><p>Before “one”, v4’s.</p>"
           "<h2 id=\"a\"><a href=\"#a\"><span class=\"number\">1.1</span> First</a></h2>"
           "<p>A <math><mi>n</mi></math> in it, <math><mi>T</mi><mo>≥</mo><mi>n</mi></math>.</p>"
           "<dl><dt id=\"term-b\">byte</dt><dd>Eight bits.</dd></dl>"));
  REQUIRE(sections.size() == 3);
  CHECK(sections[0].url == "one/");
  CHECK(sections[1].url == "one/#a");
  CHECK(sections[2].url == "one/#term-b");
  CHECK(holds(sections[0], "<h1>Two rates</h1>"));
  CHECK(holds(sections[0], "Before &quot;one&quot;, v4."));
  CHECK(
      sections[1].html ==
      "<html lang=\"en\"><head><meta content=\"Two rates\" data-pagefind-meta=\"chapter[content]\"/>"
      "</head><body><h1>1.1 First</h1><div data-pagefind-weight=\"1\"><p>A n in it, ….</p><dl>"
      "</div></body></html>");
  CHECK(holds(sections[2], "<h1>byte</h1><div data-pagefind-weight=\"0.3\"><dd>Eight bits.</dd>"));
}

TEST_CASE("search: headings without an id begin nothing, and of formulas only words are kept") {
  const auto sections = sections_of(
      "",
      page("<h1>T</h1><h2>None</h2><h2 class=\"x\" id=\"b\">B</h2><hr><p>’s 3’s, 3’st "
           "<math><mi>twelve\u2009letters</mi></math> <math><mi>twelve letters!</mi></math></p>"));
  REQUIRE(sections.size() == 2);
  CHECK(sections[1].url == "#b");
  CHECK(holds(sections[1], "<h1>B</h1>"));
  CHECK(holds(sections[1], "<hr><p>’s 3, 3’st … …</p>"));
  CHECK(sections_of("x/", "no main at all").size() == 1);
}

TEST_CASE("search: what search engines leave out is left out") {
  CHECK(is_unlisted("<head><meta name=\"robots\" content=\"noindex\"></head>"));
  CHECK(!is_unlisted(page("<h1>T</h1>")));
}
