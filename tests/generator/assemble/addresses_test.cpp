// Each address of the site and each id of a page has only one owner.
#include "generator/core/assemble/addresses.hpp"

#include "catch.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

std::string page_errors(const std::string& slug) {
  auto files = small_book::with("");
  files["chapters/book.yaml"] += "pages: [" + slug + "]\n";
  files["chapters/en/pages/" + slug + ".md"] = "---\ntitle: Mine\n---\nMy own.\n";
  return small_book::build(files).errors;
}

}  // namespace

TEST_CASE("addresses: a path has one owner, whatever its capitals, as a file and as a directory") {
  Addresses addresses;
  Diagnostics none, some;
  CHECK(addresses.claim("a/x.svg", {"one", "one.md"}, none));
  CHECK(addresses.claim("a/x.svg", {"one", "one.md"}, none));
  CHECK(addresses.reserve("b/", {"all of b"}, none));
  CHECK(addresses.claim("b/y", {"guest", "", "all of b"}, none));
  CHECK(none.empty());
  for (const char* path :
       {"a/x.svg", "A/X.SVG", "a", "a/x.svg/b", "b", "b/z", "B/q/index.html", "b/y"}) {
    INFO(path);
    CHECK(!addresses.claim(path, {"two", "two.md"}, some));
  }
  CHECK(!addresses.claim("b/Y", {"another guest", "", "all of b"}, some));
  CHECK(!addresses.reserve("a/", {"all of a"}, some));
  CHECK(addresses.claim("c/index.html", {"two", "two.md"}, none));
  CHECK(holds(to_text(some, Format::text),
              "two.md: error: address conflict at /a/x.svg: two and one"));
  CHECK(addresses.owner_of("C/INDEX.html")->name == "two");
  CHECK(addresses.owner_of("d") == nullptr);
}

TEST_CASE("addresses: no page of a book takes one that every book has, made by this build or not") {
  for (const char* slug : {"changes", "machines", "print", "references", "figures", "search",
                           "rules", "images", "cards"}) {
    INFO(slug);
    const std::string errors = page_errors(slug);
    CHECK(holds(errors, std::string("chapters/en/pages/") + slug + ".md: error: "));
    CHECK(holds(errors, "address conflict at /" + std::string(slug) + "/"));
    CHECK(holds(errors, "[address-taken]"));
  }
  CHECK(page_errors("mine") == "");
}

TEST_CASE("addresses: no alias takes a page of another language or a path below an owner") {
  for (const char* alias :
       {"es/second", "es/first", "es", "machines", "changes", "print/x", "search/a", "images/en"}) {
    INFO(alias);
    auto files = small_book::with("");
    files["chapters/book.yaml"] += "languages: [en, es]\n";
    files["site/locales/es.json"] = "{}";
    files["chapters/en/01-first.md"] =
        "---\ntitle: First\naliases: [" + std::string(alias) + "]\n---\nText.\n";
    CHECK(holds(small_book::build(files).errors, "[alias-taken]"));
  }
}

TEST_CASE("addresses: images that differ only in case are the same to some servers") {
  auto files = small_book::with("![a](dot.svg) ![b](Dot.svg)\n");
  files["chapters/en/Dot.svg"] = files["chapters/en/dot.svg"];
  CHECK(holds(small_book::build(files).errors, " and chapters/en/"));
}

TEST_CASE("ids: a heading has none of the page's own") {
  const std::string note =
      "A word.[^n] [@nv] [3.35 TB/s](fact:h100-sxm.bandwidth)\n\n[^n]: Because.\n\n";
  for (const char* heading : {"Report", "Text", "Note 1", "Ref nv", "Reference list"}) {
    INFO(heading);
    const std::string errors = small_book::errors(note + "## " + heading + "\n\nText.\n");
    CHECK(holds(errors, "01-first.md:8:1: error: the page already uses the id"));
    CHECK(holds(errors, "[duplicate-id]"));
  }
  for (const char* heading : {"Tip 1", "Live 1", "Notes", "Reports"}) {
    INFO(heading);
    CHECK(small_book::errors(note + "## " + heading + "\n\nText.\n") == "");
  }
  for (const char* slug : {"errata", "text", "report"}) {
    INFO(slug);
    CHECK(holds(page_errors(slug), "every page uses it as an id"));
  }
}
