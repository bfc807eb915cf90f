// What front matter says of sections: a mark at the heading and in the list of sections, former ids, and no section
// that the chapter does not have.
#include "catch.hpp"
#include "small_book.hpp"

namespace {

small_book::Built of_sections(const std::string& sections) {
  auto files = small_book::with("");
  files["chapters/en/01-first.md"] =
      "---\ntitle: First\nsections:\n" + sections +
      "---\nText.\n\n## The ladder\n\nRungs.\n\n## Where it ends\n\nText.\n";
  files["site/templates/page.mustache"] = "{{{sections}}}{{{body}}}";
  return small_book::build(files);
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("sections: a mark is shown at the heading and in the list, a former id is an anchor") {
  const auto built = of_sections(
      "  the-ladder: {mark: lab, former: [rungs, steps]}\n  where-it-ends: {mark: deep}\n");
  CHECK(built.errors == "");
  const std::string& page = built.site.at("first/index.html");
  CHECK(has(page,
            "<h2 id=\"the-ladder\"><span id=\"rungs\"></span><span id=\"steps\"></span><a href"));
  CHECK(has(page, "The ladder</a> <span class=\"label\">lab</span></h2>"));
  CHECK(has(page, "Where it ends</a> <span class=\"label\">deep</span></h2>"));
  CHECK(has(page, "The ladder <span class=\"measures\">lab</span></a></li>"));
}

TEST_CASE(
    "sections: one that is not there, a mark that is none, and an id that is taken are errors") {
  CHECK(has(
      of_sections("  the-lader: {mark: lab}\n").errors,
      "01-first.md:4:3: error: the chapter has no section \"the-lader\" "
      "[dead-link]\n    the-lader: {mark: lab}\n    ^^^^^^^^^\n  did you mean \"the-ladder\"?"));
  CHECK(has(of_sections("  the-ladder: {mark: labs}\n").errors, "01-first.md:4:22: error: "));
  CHECK(has(of_sections("  the-ladder: {former: [where-it-ends]}\n").errors, "[duplicate-id]"));
  CHECK(has(of_sections("  the-ladder: {formerly: [x]}\n").errors, "[unknown-key]"));
}
