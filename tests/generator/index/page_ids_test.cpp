// Ids are attributes of elements. Text that only looks like an id is in code, in prose or in
// another attribute.
#include "generator/core/index/index.hpp"

#include "catch.hpp"
#include "small_book.hpp"

using namespace primer;

TEST_CASE("ids: those in code, formulas and values are no ids of the page") {
  for (
      const std::string body :
      {"## App\n\nA page holds `<p id=\"app\">` or more:\n\n```html\n<div id=\"app\"></div>\n```\n\n"
       "And again:\n\n```html\n<main id=\"app\">text</main>\n```\n",
       "```text\n id=\"text\" id=\"report\"\n```\n", "    an indented block: <a id=\"text\">\n",
       "Text with id=\"text\" and again id=\"text\".\n", "A formula $`id=\"text\"`$ here.\n",
       "![it says id=\"text\" twice, id=\"text\"](dot.svg)\n",
       "## An id=\"text\" heading\n\n## Another id=\"text\" heading\n",
       "| id=\"text\" | id=\"text\" |\n|---|---|\n| `id=\"text\"` | 2 |\n",
       "Note.[^a]\n\n[^a]: With ` id=\"text\"` inside.\n",
       "> [!NOTE]\n> ```html\n> <p id=\"text\">\n> ```\n"}) {
    INFO(body);
    CHECK(small_book::errors(body) == "");
  }
}

TEST_CASE("ids: an element that has another's id is still found") {
  CHECK(small_book::errors("## Text\n") ==
        "chapters/en/01-first.md:4:1: error: the page already uses the id \"text\" "
        "[duplicate-id]\n  ## Text\n  ^^^^^^^\n  note: a heading's id comes from its words: reword "
        "the heading\n1 error\n");
  CHECK_THAT(small_book::errors("```html\n<p id=\"text\">\n```\n\n## Text\n"),
             Catch::Contains("01-first.md:8:1: error: the page already uses the id"));
  using Ids = std::vector<std::string>;
  CHECK(repeated_ids("<p id=\"a\"></p><p class=\"x\" id=\"a\"/>", {}) == Ids{"a"});
  CHECK(repeated_ids("<p id=\"b\">id=\"c\"</p> id=\"b\" <i title=\" id=&quot;b&quot;\"/>", {})
            .empty());
  CHECK(repeated_ids("<p data-id=\"a\"/><p id=\"a\"/>", {"z"}).empty());
  CHECK(repeated_ids("<p id=\"z\"", {"z"}) ==
        Ids{"z"});  // not closed, so nothing is read past the end
  CHECK(repeated_ids("<", {}).empty());
}
