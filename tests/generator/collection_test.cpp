// Pages that come from all chapters together, and what the home page says of each.
#include "catch.hpp"
#include "generator/excerpt.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

const std::string round_figure =
    "```figure\nid: fig-round\nspec: round\ncaption: \"Round *numbers* of [HBM](term:hbm) [@nv].\"\n"
    "alt: A roofline.\n```\n";

bool holds(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

small_book::Files with_list(const std::string& front, const std::string& body) {
  auto files = small_book::with("");
  files["chapters/en/01-first.md"] = "---\ntitle: First\n" + front + "---\n" + body;
  files["site/templates/page.mustache"] = "{{{body}}}|{{{chapter_list}}}|{{lists}}";
  return files;
}

}  // namespace

TEST_CASE("excerpt: a figure's words without what leads elsewhere, its picture without ids") {
  const std::string body =
      "<p>One two <b>three</b></p><figure class=\"plot model\" id=\"fig-a\" data-figure=\"fig-a\">\n"
      "<div class=\"plot-wide\"><svg><text>wide</text></svg></div>\n"
      "<div class=\"plot-narrow\"><svg width=\"358\" role=\"img\" lang=\"en\" aria-labelledby=\"t\">"
      "<title id=\"t\">T</title><desc id=\"d\">It &amp; that.</desc><path d=\"M0\"/></svg></div>\n"
      "<figcaption><span class=\"label\">Figure 1.1</span> The <em>cost</em> of <a href=\"#b\">"
      "n<math><msup><mi>n</mi><mn>2</mn></msup></math></a>.<span class=\"citation\">[<a>1</a>]</span>"
      "<details class=\"plot-data\"><summary>Data</summary></details></figcaption></figure>"
      "<pre>not counted</pre>";
  const Excerpt excerpt = excerpt_of(body, {"x"});
  REQUIRE(excerpt.figures.size() == 1);
  const PageFigure& figure = excerpt.figures.front();
  CHECK(figure.id == "fig-a");
  CHECK(figure.label == "Figure 1.1");
  CHECK(figure.caption ==
        "The <em>cost</em> of n<math><msup><mi>n</mi><mn>2</mn></msup></math>.");
  CHECK(figure.finding == "It & that.");
  CHECK(figure.picture == "<svg width=\"358\"><path d=\"M0\"/></svg>");
  CHECK(excerpt.find("fig-a") == &figure);
  CHECK(excerpt.find("") == nullptr);
  CHECK(excerpt.words == 3 + 2 + 4);  // the text, the label, the caption
  CHECK(Excerpt{{}, {}, 100}.minutes() == 1);
  CHECK(Excerpt{{}, {}, 2300}.minutes() == 10);
}

TEST_CASE("collections: a book without figures and sources has none") {
  auto files = small_book::with("Text.\n");
  files["chapters/facts/chips.json"] = "{}";
  files["chapters/facts/claims.json"] = "{}";
  const auto built = small_book::build(files);
  CHECK(built.errors == "");
  CHECK(!built.site.contains("figures/index.html"));
  CHECK(!built.site.contains("references/index.html"));
}

TEST_CASE("collections: figures and references lead to their chapters") {
  const auto built = small_book::build(small_book::with(round_figure));
  CHECK(built.errors == "");
  const std::string& figures = built.site.at("figures/index.html");
  CHECK(holds(figures, "<h2 id=\"first\"><a href=\"../first/\">1 First</a></h2>"));
  CHECK(holds(figures, "<a href=\"../first/#fig-round\" tabindex=\"-1\"><svg role=\"img\" aria-label=\""));
  CHECK(holds(figures, "class=\"label\">Figure 1.1</a> Round <em>numbers</em> of HBM.</figcaption>"));
  const std::string& references = built.site.at("references/index.html");
  CHECK(holds(references, "<li id=\"ref-nv\">NVIDIA. <a href=\"https://example.org/nv\">Data sheet</a>. "
                          "2023.<span class=\"uses\"> Cited in <a href=\"../first/#ref-nv\">1 First</a>. "
                          "Numbers of NVIDIA H100 SXM, Rubin.</span></li>"));
}

TEST_CASE("collections: a page of the book takes the place of one with its address") {
  auto files = small_book::with(round_figure);
  files["chapters/book.yaml"] += "pages: [figures]\n";
  files["chapters/en/pages/figures.md"] = "---\ntitle: Mine\n---\nMy own.\n";
  const auto built = small_book::build(files);
  CHECK(built.errors == "");
  CHECK(holds(built.site.at("figures/index.html"), "My own."));
}

TEST_CASE("home: a card for each chapter, with its figure, takeaway and length") {
  const auto built = small_book::build(
      with_list("figure: fig-round\ntakeaway: \"Count [bytes](second.md), not *cores*.\"\n", round_figure));
  CHECK(built.errors == "");
  const std::string& home = built.site.at("index.html");
  CHECK(holds(home, "<div class=\"card-figure\" aria-hidden=\"true\"><svg "));
  CHECK(holds(home, "<h3><a href=\"./first/\"><span class=\"number\">1</span> First</a></h3>\n"
                    "<p class=\"takeaway\">Count bytes, not cores.</p>\n"
                    "<p class=\"card-facts\">1 min</p>"));
  CHECK(holds(home, "<h3><a href=\"./second/\">Second</a></h3>"));
  CHECK(holds(home, "<li><a href=\"./figures/\">Figures</a>"));
  CHECK(holds(home, "|yes"));
  CHECK(!holds(built.site.at("first/index.html"), "|yes"));
}
