// Images with a caption above them.
#include "catch.hpp"
#include "small_book.hpp"

namespace {

bool picture_holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

const std::string dot = "\n\n![A dot](dot.svg)\n";

}  // namespace

TEST_CASE("picture: a caption above an image numbers it with the figures, and links find it") {
  const std::string page =
      small_book::html("See [Figure](#fig-dot).\n\nFigure fig-dot: A *dot*." + dot +
                       "\n```figure\nid: fig-round\nspec: round\ncaption: C.\nalt: A.\n```\n");
  CHECK(picture_holds(page, "<a href=\"#fig-dot\">Figure 1.1</a>"));
  CHECK(picture_holds(
      page, "<figure class=\"picture\" id=\"fig-dot\">\n<img src=\"../images/en/dot.svg\" "));
  CHECK(picture_holds(
      page, "<figcaption><span class=\"label\">Figure 1.1</span> A <em>dot</em>.</figcaption>"));
  CHECK(picture_holds(page, "<span class=\"label\">Figure 1.2</span> C."));
  CHECK(!picture_holds(page, "Figure fig-dot"));
}

TEST_CASE("picture: only a few widths are allowed, and a wrong caption is reported") {
  CHECK(picture_holds(small_book::html("Figure fig-dot width=50%: Half." + dot),
                      "<figure class=\"picture width-50\""));
  const std::string wide = small_book::errors("Figure fig-dot width=60%: Wide." + dot);
  CHECK(picture_holds(wide,
                      "01-first.md:4:16: error: unsupported image width \"60%\" [bad-caption]"));
  CHECK(picture_holds(wide, "expected one of 25%, 33%, 50%, 67%, 75%"));
  CHECK(picture_holds(small_book::errors("Figure fig-dot: Nothing.\n\nText.\n"),
                      "there is no standalone image below this caption"));
  CHECK(picture_holds(small_book::errors("Figure fig-Dot: Bad." + dot),
                      "\"fig-Dot\" is not a valid id: expected"));
  CHECK(picture_holds(small_book::html("Figure 3: only words.\n"), "<p>Figure 3: only words.</p>"));
}

TEST_CASE("picture: it is among the book's figures, and on a card of the home page") {
  auto files = small_book::with("Figure fig-dot: A dot." + dot);
  files["chapters/en/01-first.md"].replace(0, 4, "---\nfigure: fig-dot\n");
  files["site/templates/page.mustache"] = "{{{body}}}{{{chapter_list}}}";
  const auto built = small_book::build(files);
  CHECK(built.errors == "");
  CHECK(picture_holds(
      built.site.at("figures/index.html"),
      "<a href=\"../first/#fig-dot\" tabindex=\"-1\"><img src=\"../images/en/dot.svg\" alt=\"A dot\""));
  CHECK(picture_holds(built.site.at("index.html"), "<img src=\"./images/en/dot.svg\""));
}
