// Parts, sub-pages and appendices of book.yaml in pages, on the home page and in the e-book.
#include "catch.hpp"
#include "small_book.hpp"

namespace {

constexpr const char* parts_frame =
    "{{#label}}<b>{{label}}</b>{{/label}}{{{body}}}<nav>{{{contents}}}</nav>"
    "<i>{{previous}}|{{next}}</i>{{{chapter_list}}}";

// A book with these chapters, each with a section and an equation.
small_book::Files book_of(const std::string& parts_list,
                          const std::vector<std::string>& parts_slugs) {
  auto files = small_book::with("");
  std::erase_if(files, [](const auto& file) { return file.first.starts_with("chapters/en/"); });
  files["site/templates/page.mustache"] = parts_frame;
  files["chapters/book.yaml"] = "title: Small\nreference: test\n" + parts_list;
  for (const auto& slug : parts_slugs) {
    files["chapters/en/" + slug + ".md"] = "---\ntitle: The " + slug +
                                           "\n---\n\n## Part\n\n```math eq-x\nx\n```\n\n"
                                           "[Chapter](one.md) [Appendix](tables.md)\n";
  }
  return files;
}

constexpr const char* parts_list =
    "chapters:\n  - start\n  - part: Basics\n  - slug: one\n    number: 1\n    chapters: [one-a, "
    "{slug: one-b, draft: true}, one-c]\n  - part: Appendices\n    appendices: true\n"
    "  - tables\n  - words\n";
const std::vector<std::string> parts_slugs{"start", "one",    "one-a", "one-b",
                                           "one-c", "tables", "words"};

bool page_holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("parts: sub-pages and appendices have numbers by their places") {
  const auto built = small_book::build(book_of(parts_list, parts_slugs));
  CHECK(built.errors == "");
  const auto page = [&](const std::string& slug) { return built.site.at(slug + "/index.html"); };
  // Sub-pages have the numbers that their chapter would have.
  CHECK(page_holds(page("one"), "<h2 id=\"part\"><a href=\"#part\">Part</a></h2>"));
  CHECK(page_holds(page("one"), "(1.1)"));
  CHECK(page_holds(page("one-a"), "<b>Chapter 1.1</b>"));
  CHECK(page_holds(page("one-a"), "<span class=\"number\">1.1.1</span> Part"));
  CHECK(page_holds(page("one-c"), "(1.3.1)"));  // with or without the draft before it
  CHECK(page_holds(page("words"), "<b>Appendix B</b>"));
  CHECK(page_holds(page("words"), "(B.1)"));
  CHECK(page_holds(page("words"), ">Chapter 1</a>"));
  CHECK(page_holds(page("words"), ">Appendix A</a>"));
  CHECK(page_holds(page("one-c"), "<i>1.1 The one-a|A The tables</i>"));
  CHECK(!built.site.contains("one-b/index.html"));
}

TEST_CASE("parts: the contents and the home page name them") {
  const auto built = small_book::build(book_of(parts_list, parts_slugs));
  const std::string& page = built.site.at("one-a/index.html");
  CHECK(page_holds(
      page, "<li class=\"part\">Basics</li>\n<li><a href=\"../one/\"><span class=\"number\">1"));
  CHECK(page_holds(page, "<li class=\"subpage\"><a href=\"../one-a/\" aria-current=\"page\">"));
  CHECK(page_holds(built.site.at("one/index.html"), "<a href=\"../one/\" aria-current=\"page\">"));
  const std::string& home = built.site.at("index.html");
  const auto start = home.find("The start"), part = home.find("<h2 class=\"part\">Basics</h2>");
  CHECK(start < part);
  CHECK(part < home.find("<ol class=\"card-pages\">\n<li><a href=\"./one-a/\">1.1 The one-a</a>"));
  CHECK(page_holds(home, "<h2 class=\"part\">Appendices</h2>\n<ol class=\"cards\">"));
}

TEST_CASE("parts: what cannot be is an error at its place") {
  const auto errors = [](const std::string& chapters) {
    return small_book::build(book_of("chapters:\n" + chapters, {"one", "two"})).errors;
  };
  CHECK(page_holds(errors("  - one\n  - part: X\n  - part: Y\n  - two\n"),
                   "book.yaml:5:5: error: this part has no chapters"));
  CHECK(
      page_holds(errors("  - part: X\n    appendices: true\n  - {slug: one, number: 3}\n  - two\n"),
                 "an appendix cannot have a number: appendices get letters in order"));
  CHECK(page_holds(errors("  - one\n  - slug: two\n    chapters: [{slug: x, number: 3}]\n"),
                   "has no key \"number\""));
  CHECK(page_holds(errors("  - one\n  - two\n  - prat: X\n"), "did you mean \"part\"?"));
}

TEST_CASE("parts: a language has its own titles, and the e-book and the page for paper have them") {
  auto files = book_of(parts_list, parts_slugs);
  files["chapters/book.yaml"] +=
      "languages: [en, es]\nlocales:\n  es:\n    parts: {Basics: Fundamentos}\n";
  files["site/locales/es.json"] = R"({"Appendix": "Apéndice"})";
  std::string& text = files["chapters/es/words.md"] = files.at("chapters/en/words.md");
  text.replace(text.find("](one"), 2, "](../en/").replace(text.find("](tables"), 2, "](../en/");
  auto built = small_book::publish(files, {}, true);
  INFO(built.errors);
  REQUIRE(built.site.contains("es/words/index.html"));
  const std::string& page = built.site.at("es/words/index.html");
  CHECK(page_holds(page, "<li class=\"part\">Fundamentos</li>"));
  CHECK(page_holds(page, "<b>Apéndice B</b>"));
  CHECK(page_holds(built.site.at("print/index.html"), "<li class=\"part\">Basics</li>"));
  files["chapters/book.yaml"] += "      # \n";
  files["chapters/book.yaml"].replace(files["chapters/book.yaml"].find("{Basics"), 7, "{Basic");
  CHECK(page_holds(small_book::build(files).errors, "no part has the title \"Basic\""));
}
