// Front matter about sections: a mark at the heading and in the list of sections, former ids, and
// an error for a section that the chapter does not have.
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

TEST_CASE("sections: one with minutes is folded to its heading and a line") {
  const auto built = of_sections(
      "  the-ladder: {mark: lab, minutes: 6, invite: Climb it.}\n  where-it-ends: {mark: deep}\n");
  CHECK(built.errors == "");
  const std::string& page = built.site.at("first/index.html");
  CHECK(has(page, "<details class=\"fold\">"));
  CHECK(has(page, "The ladder</span></h2>"));
  CHECK(has(page, "Climb it.</span>"));
  CHECK(has(page, "Where it ends</a> <span class=\"label\">deep</span></h2>"));
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

TEST_CASE("sections: a fragment is found as GitHub, an address bar and earlier books write it") {
  auto files = small_book::with("");
  files["chapters/en/01-first.md"] =
      "---\ntitle: Écrire\n---\n## Été À L’ŒIL\n\n[a](#été-à-lœil), [b](#%C3%A9t%C3%A9-%c3%a0-l%C5%93il), "
      "[c](#Été-À-lŒil), [d](second.md#%E5%86%85%E5%AD%98), [e](second.md#only%2Dsection), [f](#%C3%A9crire)\n";
  files["chapters/en/second.md"] = "---\ntitle: Second\n---\n## Only section\n\n## 内存\n";
  const auto built = small_book::build(files);
  CHECK(built.errors == "");
  const std::string& page = built.site.at("first/index.html");
  CHECK(has(page, "<h2 id=\"été-à-lœil\"><span id=\"Été-À-lŒil\"></span><a href=\"#été-à-lœil\">"));
  for (const char* text : {"a", "b", "c"}) {
    INFO(text);
    CHECK(has(page, "<a href=\"#été-à-lœil\">" + std::string(text) + "</a>"));
  }
  CHECK(has(page, "<a href=\"../second/#内存\">d</a>"));
  CHECK(has(page, "<a href=\"../second/#only-section\">e</a>"));
  CHECK(has(page, ">f</a>"));

  // ASCII capitals make a different id, and invalid UTF-8 is no id.
  for (const char* fragment : {"#Only-section", "#%C3", "#%zz", "#%", "#été"}) {
    INFO(fragment);
    files["chapters/en/second.md"] =
        "---\ntitle: Second\n---\n## Only section\n\n[x](" + std::string(fragment) + ")\n";
    CHECK(has(small_book::build(files).errors, "[dead-link]"));
  }
  // Two headings that differ only in case have two ids, and no third.
  files = small_book::with("");
  files["chapters/en/second.md"] = "---\ntitle: Second\n---\n## Étude\n\n## étude\n\n## ÉTUDE\n";
  const auto alike = small_book::build(files);
  CHECK(alike.errors == "");
  const std::string& second = alike.site.at("second/index.html");
  for (const char* id : {"\"étude\"", "\"étude-1\"", "\"étude-2\""}) CHECK(has(second, id));
}
