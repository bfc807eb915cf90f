// Syntax of other tools is an error if a page would print it, and only then.
#include "generator/core/render/marks.hpp"

#include "catch.hpp"
#include "small_book.hpp"

namespace {

bool is_foreign(const std::string& body) {
  return small_book::errors(body + '\n').find("[foreign-syntax]") != std::string::npos;
}

}  // namespace

TEST_CASE("foreign syntax: each form is named") {
  for (const char* text : {"{{#include x.rs}}",
                           "{{< figure src=\"x\" >}}",
                           "{{% note %}}",
                           "{% include x %}",
                           "{{ page.title }}",
                           "::: {.callout-note}",
                           ":::{note}",
                           "!!! note",
                           "=== \"C++\"",
                           "[TOC]",
                           "A word\n: its definition",
                           "Text^[a note].",
                           "See [[wiki]].",
                           "## Heading {#id}",
                           "![x](dot.svg){width=50%}",
                           "See @fig-x.",
                           "The {ref}`x`.",
                           "Happy :smile:.",
                           "This is ==marked==.",
                           "H~2~O",
                           "The formula \\(x^2\\).",
                           ": Caption {#tbl-x}",
                           "```{note}\nx\n```",
                           "- item {.class}"}) {
    INFO(text);
    CHECK(is_foreign(text));
  }
}

TEST_CASE("foreign syntax: plain text stays text") {
  for (const char* text :
       {"The set {a, b} at 12:30:45.", "A ratio 1:2:3 :", "a == b and c == d",
        "Write \\{\\{x}} so.", "`{{#include x}}` and `[[x]]`", "~~struck~~ and ~1 GB~ more",
        "Mail a@fig.org.", "f\\(x", "{1, 2} and {x = 1}", "std::vector: a list",
        "Note: this.\nAnother: that.", "!important"}) {
    INFO(text);
    INFO(small_book::errors(std::string(text) + '\n'));
    CHECK(!is_foreign(text));
  }
}

TEST_CASE("foreign syntax: addresses from the root, a chapter's own title") {
  const auto html = [](const std::string& body) { return small_book::html(body + '\n'); };
  CHECK(html("[a](/second/)") == "<p><a href=\"../second/\">a</a></p>\n");
  CHECK(html("[a](/second)") == "<p><a href=\"../second/\">a</a></p>\n");
  CHECK(html("[a](/chapters/en/second.md#only-section)") ==
        "<p><a href=\"../second/#only-section\">a</a></p>\n");
  CHECK(html("[a](#first)") == "<p><a href=\"#text\">a</a></p>\n");
  CHECK(html("[a](second.md#second)") == "<p><a href=\"../second/\">a</a></p>\n");
  CHECK(small_book::errors("[a](/third/)\n").find("[dead-link]") != std::string::npos);
}

TEST_CASE("foreign syntax: a language without colours is a warning, an own block's name is not") {
  CHECK(small_book::errors("```haskell\nx\n```\n").find("so the code is not highlighted") !=
        std::string::npos);
  CHECK(small_book::errors("```haskell\nx\n```\n").find("1 warning") != std::string::npos);
  for (const char* language : {"modell", "cpp,ignore", "{1,3}"}) {
    INFO(language);
    CHECK(small_book::errors("```" + std::string(language) + "\nx\n```\n").find("1 error") !=
          std::string::npos);
  }
}
