#include "catch.hpp"
#include "small_book.hpp"

namespace {

std::string framed(small_book::Files files, const std::string& frame, const std::string& page) {
  files["site/templates/page.mustache"] = frame;
  const auto built = small_book::build(files);
  CHECK(built.errors == "");
  return built.site.at(page + "/index.html");
}

}  // namespace

TEST_CASE("navigation: a chapter's sections, marked where they measure") {
  const std::string bench = "```bench\nid: bench-one\ntry: Look.\nroofs: true\n```\n\n";
  const std::string text = "## A *way*\n\n### Deeper\n\n" + bench + "## Back\n";
  CHECK(framed(small_book::with(text), "{{{sections}}}", "first") ==
        "<ol>\n<li><a href=\"#a-way\"><span class=\"number\">1.1</span> A way\u00a0"
        "<span class=\"measures\" title=\"Measurement\">○</span></a></li>\n"
        "<li><a href=\"#back\"><span class=\"number\">1.2</span> Back</a></li>\n</ol>\n");
  CHECK(framed(small_book::with("## Only\n"), "{{{sections}}}", "first").empty());
}

TEST_CASE("navigation: the chapters as wide as their reading times, and the next one") {
  auto files = small_book::with("Short.\n");
  std::string words;
  for (int i = 0; i < 230 * 20; ++i) words += "word ";
  files["chapters/en/second.md"] =
      "---\ntitle: \"B < A\"\nsummary: \"More.\"\n---\n" + words + '\n';
  CHECK(
      framed(files, "{{place}}|{{{spine}}}|{{next}}, {{next_minutes}}, {{next_summary}}",
             "first") ==
      "1 First|<ol class=\"spine\">\n<li class=\"share-1\"><a href=\"../first/\" title=\"1 First, 1 min\" "
      "aria-label=\"1 First, 1 min\" aria-current=\"page\">1</a></li>\n"
      "<li class=\"share-9\"><a href=\"../second/\" title=\"B &lt; A, 20 min\" "
      "aria-label=\"B &lt; A, 20 min\">·</a></li>\n</ol>\n|B &lt; A, 20 min, More.");
  std::string book =
      "title: Many\nlanguage: en\nchapters:\n  - {slug: first, number: 1}\n  - slug: second\n";
  for (int i = 0; i < 23; ++i) {
    const std::string slug = "c" + std::to_string(i);
    book += "  - slug: " + slug + '\n';
    files["chapters/en/" + slug + ".md"] = "---\ntitle: More\n---\nx\n";
  }
  files["chapters/book.yaml"] = book;
  CHECK(framed(files, "{{{spine}}}", "first").empty());
}
