// Pages that are collected from all chapters, and the entries of the home page.
#include "catch.hpp"
#include "generator/core/render/excerpt.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

const std::string round_figure =
    "```figure\nid: fig-round\nspec: round\ncaption: \"Round *numbers* of [HBM](term:hbm) [@nv].\"\n"
    "alt: A roofline.\n```\n";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

small_book::Files with_list(const std::string& front, const std::string& body) {
  auto files = small_book::with("");
  files["chapters/en/01-first.md"] = "---\ntitle: First\n" + front + "---\n" + body;
  files["site/templates/page.mustache"] = "{{{body}}}|{{{chapter_list}}}|{{pages_sheet}}";
  return files;
}

}  // namespace

TEST_CASE("excerpt: a figure's words without what leads elsewhere, its picture small") {
  const std::string body =
      "<p>One two <b>three</b></p><figure class=\"plot model\" id=\"fig-a\" data-figure=\"fig-a\">\n"
      "<div class=\"plot-wide\"><svg><text>wide</text></svg></div>\n"
      "<div class=\"plot-narrow\"><svg width=\"358\" height=\"300\" viewBox=\"0 0 358 300\" role=\"img\" lang=\"en\">"
      "<title>T</title><desc>It &amp; that.</desc><path d=\"m10 20h80v100z\"/></svg></div>\n"
      "<figcaption><span class=\"label\">Figure 1.1</span> The <em>cost</em> of <a href=\"#b\">"
      "n<math><msup><mi>n</mi><mn>2</mn></msup></math></a>.<span class=\"citation\">[<a>1</a>]</span>"
      "<details class=\"plot-data\"><summary>Data</summary></details></figcaption></figure>"
      "\n<pre>two words</pre>";
  const Excerpt excerpt = excerpt_of(body, {"x"});
  REQUIRE(excerpt.figures.size() == 1);
  const PageFigure& figure = excerpt.figures.front();
  CHECK(figure.id == "fig-a");
  CHECK(figure.label == "Figure 1.1");
  CHECK(figure.caption == "The <em>cost</em> of n<math><msup><mi>n</mi><mn>2</mn></msup></math>.");
  CHECK(figure.finding == "It & that.");
  CHECK(
      figure.picture ==
      "<svg width=\"320\" height=\"240\" viewBox=\"3 13 94 114\"><path d=\"m10 20h80v100z\"/></svg>");
  CHECK(excerpt.find("fig-a") == &figure);
  CHECK(excerpt.find("") == nullptr);
  CHECK(excerpt.core.words == 3 + 2 + 4 + 2);  // the text, the label, the caption, the code
  CHECK(Excerpt{{}, {}, {}, {100}}.minutes() == 1);
  CHECK(Excerpt{{}, {}, {}, {2300}}.minutes() == 10);
}

TEST_CASE("excerpt: the core is what readers see while everything is folded") {
  const std::string quiz = "<section class=\"quiz\" id=\"q\"><p>Why?</p></section>\n";
  const std::string bench = "<primer-bench id=\"b\"><p>Try.</p></primer-bench>\n";
  const std::string apart =
      "<table><tr><th>Not</th><td>these</td></tr></table>\n<svg><text>nor</text></svg>\n"
      "<span class=\"tip\">this</span> <details class=\"note\"><summary>1</summary></details>\n"
      "<select hidden=\"hidden\"><option>or</option></select>\n";
  const std::string fold =
      "<details class=\"fold\"><summary><h2 id=\"more\">Much more</h2></summary>\n<p>Folded.</p>\n" +
      quiz + bench + "</details>\n";
  const Core core =
      excerpt_of("<p>Twelve <em>by</em>tes → 9 ×.</p>\n" + quiz + bench + apart + fold, {}).core;
  CHECK(core.words == 3 + 1 + 1 + 2);
  CHECK(core.questions == 1);
  CHECK(core.measurements == 1);
}

TEST_CASE("excerpt: questions with their section, and links for a page one level deeper") {
  const auto questions =
      excerpt_of(
          "<section class=\"predict\" id=\"p\"><a href=\"#a\">A</a></section>\n<h2 id=\"b\">B</h2>\n"
          "<section class=\"takeaway\"></section><details class=\"fold\">\n"
          "<section class=\"worked\" id=\"w\"><img src=\"../images/i.png\"/><a href=\"../c/#d\">C</a>"
          "<a href=\"https://e.org/\">E</a></section></details>",
          {})
          .questions;
  REQUIRE(questions.size() == 2);
  CHECK(questions[0].section == "");
  CHECK(questions[0].html ==
        "<div class=\"guesses\">\n<section class=\"predict\" id=\"p\"><a href=\"../#a\">A</a>"
        "</section>\n</div>");
  CHECK(questions[1].section == "b");
  CHECK(questions[1].html ==
        "<section class=\"worked\" id=\"w\"><img src=\"../../images/i.png\"/>"
        "<a href=\"../../c/#d\">C</a><a href=\"https://e.org/\">E</a></section>");
}

TEST_CASE("problems: a page per chapter with questions, with the chapter's ids and data") {
  auto files = small_book::with(
      "Text.\n\n```quiz\nid: q-one\nask: Which?\nchoices:\n  - {say: a, why: b, right: true}\n"
      "  - {say: c, why: d}\n```\n\n## Ridges\n\n```worked\nid: q-two\nask: What is the ridge?\n"
      "answer: 10 FLOP/s / (2 B/s)\nexpect: 5 FLOP/B\nwhy: Divide.\n```\n");
  files["site/templates/page.mustache"] =
      "{{canonical}}|{{root}}|{{data_page}}|{{heading}}|{{{body}}}|{{{chapter_list}}}|{{problems}}";
  const auto built = small_book::publish(files, {});
  CHECK(built.errors == "");
  const std::string& chapter = built.site.at("first/index.html");
  const std::string& page = built.site.at("first/problems/index.html");
  CHECK(page.starts_with("https://h.io/repo/first/problems/|../../|../../first/page."));
  CHECK(holds(page, "|Problems of “First”|"));
  CHECK(holds(page, "<h2><a href=\"../\">1 First</a></h2>\n<section class=\"quiz\" id=\"q-one\""));
  CHECK(holds(page,
              "<h2><a href=\"../#ridges\"><span class=\"number\">1.1</span> Ridges</a></h2>\n"
              "<section class=\"worked\" id=\"q-two\""));
  CHECK(holds(page, "Problems: 2."));
  CHECK(chapter.ends_with("|Problems (2)"));
  const auto begin = chapter.find("<section class=\"worked\"");
  const auto end = chapter.find("</section>", begin);
  CHECK(holds(page, chapter.substr(begin, end - begin)));  // the content of the chapter
  CHECK(!built.site.contains("second/problems/index.html"));
  CHECK(built.site.at("second/index.html").ends_with("|"));
  const std::string& map = built.site.at("sitemap.xml");
  CHECK(holds(map, "<loc>https://h.io/repo/first/problems/</loc>"));
  CHECK(!holds(map, "second/problems/"));
  CHECK(holds(built.site.at("index.html"),
              "1 min · <a href=\"./first/problems/\">2 questions</a></p>"));
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
  CHECK(holds(figures,
              "<a href=\"../first/#fig-round\" tabindex=\"-1\"><svg role=\"img\" aria-label=\""));
  CHECK(
      holds(figures, "class=\"label\">Figure 1.1</a> Round <em>numbers</em> of HBM.</figcaption>"));
  const std::string& references = built.site.at("references/index.html");
  CHECK(holds(references,
              "<li id=\"ref-nv\">NVIDIA. <a href=\"https://example.org/nv\">Data sheet</a>. "
              "2023.<span class=\"uses\"> Cited in <a href=\"../first/#ref-nv\">1 First</a>. "
              "Numbers of NVIDIA H100 SXM, Rubin.</span></li>"));
}

TEST_CASE("references: in a translation their titles say which language they are in") {
  auto files = small_book::with("Text [@nv].\n");
  files["chapters/book.yaml"] += "languages: [en, es]\n";
  files["chapters/es/01-first.md"] = "---\ntitle: Primero\n---\nTexto [@nv].\n";
  files["site/locales/es.json"] = R"({"Cited in": "Citado en"})";
  const auto built = small_book::build(files);
  const std::string& all = built.site.at("es/references/index.html");
  CHECK(holds(all, "<li id=\"ref-nv\" lang=\"en\">NVIDIA. "));
  CHECK(holds(
      all,
      "<span class=\"uses\" lang=\"es\"> Citado en <a href=\"../first/#ref-nv\">1 Primero</a>. "
      "Numbers of <span lang=\"en\">NVIDIA H100 SXM, Rubin</span>.</span>"));
  CHECK(holds(built.site.at("es/first/index.html"), "<ol class=\"references\" lang=\"en\">"));
  CHECK(holds(built.site.at("first/index.html"), "<ol class=\"references\">"));
}

TEST_CASE("home: a card for each chapter, with its figure, summary and length") {
  const auto built = small_book::build(
      with_list("figure: fig-round\nsummary: \"Count bytes, not *cores*?\"\n", round_figure));
  CHECK(built.errors == "");
  const std::string& home = built.site.at("index.html");
  CHECK(holds(home, "<div class=\"card-figure\" aria-hidden=\"true\"><svg "));
  CHECK(holds(home,
              "<h3><a href=\"./first/\"><span class=\"number\">1</span> First</a></h3>\n"
              "<p class=\"card-summary\">Count bytes, not cores?</p>\n"
              "<p class=\"card-facts\">1 min</p>"));
  CHECK(holds(home, "<h3><a href=\"./second/\">Second</a></h3>"));
  CHECK(holds(home, "<li><a href=\"./figures/\">Figures</a>"));
  CHECK(holds(home, "|yes"));
  CHECK(!holds(built.site.at("first/index.html"), "|yes"));
}

TEST_CASE(
    "machines: a row per profile with roofs, the reference first, its file next to the page") {
  auto files = small_book::with("Text.\n");
  std::string other = files.at("figures/profiles/test.json");
  other.replace(other.find("Test machine"), 12, "Zed & sons' ");
  other.replace(other.find("\"value\": 45"), 11, "\"value\": 90");
  files["figures/profiles/zed.json"] = other;
  files["figures/profiles/empty.json"] =
      R"({"schema": 1, "devices": [], "levels": [], "results": [], "roofs": []})";
  auto built = small_book::build(files);
  CHECK(built.errors == "");
  const std::string page = built.site.at("machines/index.html");
  CHECK(holds(page, "<figure class=\"plot\" id=\"fig-machines\" aria-details=\"machines-list\">"));
  CHECK(holds(page, "<div class=\"table machines\" id=\"machines-list\""));
  const auto reference = page.find("<tr id=\"test\"><th scope=\"row\">Test machine</th>");
  const auto zed = page.find("<tr id=\"zed\"><th scope=\"row\">Zed &amp; sons’ </th>");
  CHECK(reference < zed);
  CHECK(zed != page.npos);
  CHECK(holds(page, "<td>45\u202FGFLOP/s</td><td>12.5\u202FGB/s</td><td>3.6\u202FFLOP/B</td>"));
  CHECK(holds(page, "<td>90\u202FGFLOP/s</td><td>12.5\u202FGB/s</td><td>7.2\u202FFLOP/B</td>"));
  CHECK(!holds(page, "../machine/"));  // this book has no such page
  CHECK(built.site.at("machines/zed.json") == other);
  CHECK(!built.site.contains("machines/empty.json"));
  files["chapters/book.yaml"] += "pages: [machine]\n";
  files["chapters/en/pages/machine.md"] = "---\ntitle: Yours\n---\nText.\n";
  built = small_book::build(files);
  CHECK(holds(built.site.at("machines/index.html"), "<a href=\"../machine/#with=zed\">Compare"));
}

TEST_CASE("machines: a measured GPU has a row even if no core has a roof") {
  auto files = small_book::with("Text.\n");
  CHECK(!holds(small_book::build(files).site.at("machines/index.html"), "machines-gpus"));
  const std::string card = R"({"schema": 1, "name": "A card", "created": "2026-11-26T16:21:43.542Z",
    "browser": "Node 20", "note": "By hand.", "levels": [{"device": "gpu", "name": "out", "read_gbs": 3000}],
    "devices": [{"id": "gpu", "kind": "gpu", "name": "card", "state": "hardware", "memory": "own"}],
    "roofs": [{"device": "gpu", "class": {"type": "f32", "threads": 1}, "unit": "GFLOP/s", "value": 60000, "from": "x"},
              {"device": "gpu", "class": {"level": "out", "threads": 1}, "unit": "GB/s", "value": 3000, "from": "x"}],
    "results": []})";
  files["figures/profiles/card.json"] = card;
  const auto built = small_book::build(files);
  CHECK(built.errors == "");
  const std::string page = built.site.at("machines/index.html");
  CHECK(holds(page, "<tr id=\"gpu-card\"><th scope=\"row\">A card</th><td>60"));
  CHECK(holds(page, "<td>60\u202FTFLOP/s</td><td>3\u202FTB/s</td><td>20\u202FFLOP/B</td>"));
  CHECK(!holds(page, "<tr id=\"card\">"));
  CHECK(!holds(page, "with=card"));
  CHECK(built.site.at("machines/card.json") == card);
}

TEST_CASE("machines: an invalid profile is an error with its place") {
  const auto errors = [](const std::string& name, const std::string& from, const std::string& to) {
    auto files = small_book::with("Text.\n");
    std::string profile = files.at("figures/profiles/test.json");
    profile.replace(profile.find(from), from.size(), to);
    files["figures/profiles/" + name] = profile;
    const auto built = small_book::build(files);
    CHECK(built.site.empty());
    return built.errors.substr(0, built.errors.find('\n'));
  };
  const std::string path = "figures/profiles/a.json:";
  CHECK(errors("a.json", "\"schema\": 1", "schema") ==
        path + "1:2: error: this is not valid JSON [bad-json]");
  CHECK(errors("a.json", "\"value\": 45", "\"value\": 9e17") ==
        path + "8:23: error: \"value\" must be at most 100000000 [bad-value]");
  CHECK(errors("a.json", "\"value\": 45", "\"value\": 1e999") ==
        path + "8:23: error: the number 1e999 is too large [bad-json]");
  CHECK(errors("a.json", "\"GFLOP/s\"", "\"<b>\"").find("\"unit\" must be one of GFLOP/s") !=
        std::string::npos);
  CHECK(errors("a.json", "\"Test machine\"", "{}").find("\"name\" must be text") !=
        std::string::npos);
  CHECK(errors("a.json", "Test machine", std::string(300, 'x'))
            .ends_with("\"name\" must have at most 200 characters [bad-value]"));
  const std::string flagged =
      R"("results": [{"kernel": "peak.fma", "params": {}, "status": "measured",
    "unit": "GFLOP/s", "median": 1, "verified": true, "flags": ["constructor"]}])";
  CHECK(errors("a.json", "\"results\": []", flagged)
            .find("error: an item of \"flags\" must be one of coarse-tick, few-samples") !=
        std::string::npos);
  CHECK(errors("A b.json", "45", "45")
            .starts_with("figures/profiles/A b.json: error: bad name for a profile"));
}

namespace {

// The test machine's profile with other compute results.
std::string machine_with(const small_book::Files& files, const std::string& arithmetic) {
  std::string profile = files.at("figures/profiles/test.json");
  return profile.replace(profile.find("\"value\": 45"), 11, "\"value\": " + arithmetic);
}

// A book with `count` machines besides the reference, "m1" and so on.
small_book::Files book_of_machines(int count) {
  auto files = small_book::with("Text.\n");
  for (int i = 1; i <= count; ++i) {
    files["figures/profiles/m" + std::to_string(i) + ".json"] =
        machine_with(files, std::to_string(50 + i));
  }
  return files;
}

}  // namespace

TEST_CASE("machines: duplicate measurements count once, with a warning") {
  auto files = book_of_machines(2);
  std::string renamed = files.at("figures/profiles/m2.json");
  renamed.replace(renamed.find("Test machine"), 12, "Another name");
  files["figures/profiles/again.json"] = renamed;
  files["figures/profiles/a-twin.json"] = files.at("figures/profiles/test.json");
  const auto built = small_book::build(files);
  CHECK(holds(built.errors,
              "figures/profiles/m2.json:1:1: warning: this profile has the same measurements as "
              "\"figures/profiles/again.json\" [duplicate-id]"));
  CHECK(
      holds(built.errors,
            "figures/profiles/a-twin.json:1:1: warning: this profile has the same measurements as "
            "\"figures/profiles/test.json\""));
  const std::string& page = built.site.at("machines/index.html");
  CHECK(holds(page, "<tr id=\"again\">"));
  CHECK(!holds(page, "<tr id=\"m2\">"));
  CHECK(!built.site.contains("machines/a-twin.json"));
}

TEST_CASE("machines: of very many the page shows how they are spread, and holds some") {
  const auto built = small_book::build(book_of_machines(120));
  CHECK(built.errors == "");
  const std::string& page = built.site.at("machines/index.html");
  CHECK(holds(page, "What one core computes, on 121 machines: half of them lie between 80"));
  CHECK(holds(page, "data-machines=\"121\" data-list=\"list/all.json\" data-arithmetic=\"45"));
  CHECK(holds(page, "the newest: 50 of 121."));
  std::size_t rows = 0;
  for (auto at = page.find("<tr id="); at != page.npos; at = page.find("<tr id=", at + 1)) ++rows;
  CHECK(rows == 50);
  CHECK(page.find("<tr id=\"test\">") < page.find("<tr id=\"m1\">"));
  CHECK(built.site.contains("machines/m120.json"));
  const auto list = nlohmann::json::parse(built.site.at("machines/list/all.json"));
  CHECK(list.size() == 121);
  CHECK(list[0] == nlohmann::json({"test", "Test machine", "", "2026-11-20", 0, 45e9, 12.5e9}));
  CHECK(!holds(small_book::build(book_of_machines(3)).site.at("machines/index.html"),
               "id=\"gallery\""));
}

TEST_CASE("machines: of more than a book holds it shows the summary") {
  auto files = book_of_machines(30);
  nlohmann::json spread;
  for (int i = 0; i <= 100; ++i) spread["percentiles"].push_back(1e9 * (10 + i));
  spread["bars"] = std::vector<int>(30, 0);
  spread["bars"][3] = 999'900;
  spread["bars"][29] = 100;
  nlohmann::json summary = {{"machines", 1'000'000}, {"first", "2026-01-02"},
                            {"last", "2026-11-03"},  {"left_out", {{"x", 12000}, {"y", 340}}},
                            {"arithmetic", spread},  {"memory", spread}};
  const auto built_with = [&](const nlohmann::json& given) {
    files["figures/gallery.json"] = given.dump();
    return small_book::build(files);
  };
  const auto built = built_with(summary);
  CHECK(built.errors == "");
  const std::string& page = built.site.at("machines/index.html");
  CHECK(holds(page, "What one core computes, on 1,000,000 machines: half of them lie between 35"));
  CHECK(holds(page,
              "These 1,000,000 machines were measured from 2026-01-02 to 2026-11-03, and are "
              "summarised without 12,340 whose"));
  CHECK(holds(
      page,
      "data-machines=\"1000000\" data-list=\"list/all.json\" data-arithmetic=\"10000000000,"));
  CHECK(holds(page, "data-listed=\"31\""));
  // The file is validated, and its numbers must add up.
  summary["memory"]["bars"][3] = 1;
  CHECK(holds(built_with(summary).errors, "the bars add up to 101 machines; expected 1000000"));
  summary["memory"] = spread;
  summary["arithmetic"]["percentiles"][7] = 1;
  CHECK(holds(built_with(summary).errors, "a percentile is less than the one before it"));
  summary["arithmetic"]["percentiles"][7] = -1;
  CHECK(holds(built_with(summary).errors, "figures/gallery.json:1:"));
  // With few profiles, a book has no list to search.
  files = book_of_machines(3);
  summary["arithmetic"] = spread;
  const auto few = built_with(summary).site.at("machines/index.html");
  CHECK(holds(few, "on 1,000,000 machines"));
  CHECK(!holds(few, "data-list"));
}

TEST_CASE("machines: what no machine can have measured is refused, with the reason") {
  const auto errors = [](const std::string& from, const std::string& to) {
    auto files = small_book::with("Text.\n");
    std::string profile = files.at("figures/profiles/test.json");
    profile.replace(profile.find(from), from.size(), to);
    files["figures/profiles/a.json"] = profile;
    return small_book::build(files).errors;
  };
  CHECK(holds(errors("\"value\": 45", "\"value\": 45000"),
              "a.json:8:23: error: no core computes 45000 GFLOP/s [bad-value]"));
  CHECK(holds(errors("\"schema\": 1", "\"schema\": 1, \"clock_ghz\": 0.05"),
              "at 0.0500 GHz that is 900 FLOP per cycle, more than any core"));
  CHECK(holds(errors("\"schema\": 1", "\"schema\": 1, \"clock_ghz\": 40"),
              "no processor runs at 40.0 GHz"));
  CHECK(holds(errors("\"schema\": 1", "\"schema\": 1, \"cores\": {\"usable\": 5000}"),
              "no page can use 5000 cores"));
  CHECK(holds(errors("\"read_gbs\": 85", "\"read_gbs\": 5000"), "L1: no core reads 5000 GB/s"));
  // A value equal to a limit is valid.
  CHECK(!holds(
      errors("\"schema\": 1", "\"schema\": 1, \"cores\": {\"usable\": 4096}, \"clock_ghz\": 12"),
      "error:"));
  CHECK(holds(errors("\"read_gbs\": 12.5", "\"read_gbs\": 300"),
              "out: it reads 3.53 times faster than L1, which is closer to the core"));
  CHECK(holds(errors("\"latency_ns\": 62", "\"latency_ns\": 0.5"),
              "out: its latency is lower than that of L1"));
  CHECK(holds(errors("\"latency_ns\": 1.7", "\"latency_ns\": 0.01"),
              "L1: a latency of 0.0100 ns is too short for any memory"));
  CHECK(holds(errors("\"bytes\": 268435456", "\"bytes\": 1024"),
              "out: it is smaller than L1, which is closer to the core"));
  CHECK(
      holds(errors("\"value\": 12.5", "\"value\": 2000"), "no core reads its memory at 2000 GB/s"));
  CHECK(
      holds(errors("\"value\": 45", "\"value\": 0"), "a roof of 0 GFLOP/s is too low to measure"));
}

TEST_CASE("machines: impossible dates and results far above the roofs are errors") {
  const auto errors = [](const std::string& members, const std::string& result = {}) {
    auto files = small_book::with("Text.\n");
    std::string profile = files.at("figures/profiles/test.json");
    profile.replace(profile.find('{'), 1, "{" + members);
    if (!result.empty()) {
      const auto at = profile.find('[', profile.find("\"results\"")) + 1;
      profile.insert(at, result);
    }
    files["figures/profiles/a.json"] = profile;
    return small_book::build(files).errors;
  };
  CHECK(!holds(errors(""), "error:"));
  for (const auto& [date, why] : std::map<std::string, std::string>{
           {"3000-01-01", "found 3000-01-01, expected "},
           {"2026-13-45", "no such date: 2026-13-45"},
           {"2026-02-30T00:00:00Z", "no such date: 2026-02-30"},
           {"yesterday", "no such date: yesterday"},
           {"2026-11-21T25:00:00Z", "expected a time after 2026-11-21"},
           {"2026-11-21 or so", "expected a time after 2026-11-21"},
           {"1970-01-01T00:00:00Z", "browsers ran no WebAssembly on 1970-01-01"}}) {
    INFO(date);
    CHECK(holds(errors("\"date\": \"" + date + "\", "), why));
  }
  CHECK(!holds(errors("\"date\": \"2026-11-21\", "), "error:"));
  const auto result = [](const std::string& unit, const std::string& median,
                         const std::string& more = {}) {
    return R"({"kernel": "matmul.packed", "params": {"n": 480}, "device": "cpu0", "status": "measured",
 "unit": ")" +
           unit + "\", \"median\": " + median + ", \"verified\": true" + more + "}";
  };
  CHECK(!holds(errors("", result("GFLOP/s", "40")), "error:"));
  CHECK(holds(errors("", result("GFLOP/s", "1e12")), "GFLOP/s is beyond any machine"));
  CHECK(holds(errors("", result("GFLOP/s", "950")), " GFLOP/s is far above its roof, "));
  CHECK(!holds(errors("", result("GFLOP/s", "950", ", \"threads\": 64")), "error:"));
  CHECK(holds(errors("", result("GB/s", "5000")), " GB/s is beyond any machine"));
  CHECK(holds(errors("", result("ns", "0.001")), " ns is too short for any memory"));
}

TEST_CASE("machines: more than one plot can hold are all in the table") {
  const auto files = book_of_machines(15);
  const auto built = small_book::build(files);
  CHECK(built.errors == "");
  const std::string& page = built.site.at("machines/index.html");
  CHECK(holds(page, "<figure class=\"plot\""));
  CHECK(holds(page, "<tr id=\"m15\">"));
}

namespace {

History log_of(int count, const std::string& subject) {
  std::string log;
  for (int i = count; i > 0; --i) {
    constexpr std::int64_t day = 86'400, end_of_october = 1'793'439'000;  // 2026-10-31T09:30:00Z
    log += "\x01" + std::to_string(end_of_october + i * day) +
           "\x02"
           "c" +
           std::to_string(i) + "\x02" + subject + ' ' + std::to_string(i) +
           "\n\nchapters/en/01-first.md\n";
  }
  return parse_history(log, 2'000'000'000);
}

}  // namespace

TEST_CASE("changes: a chapter's commits with their pages, none without a history") {
  auto files = small_book::with("Text.\n");
  CHECK(!small_book::publish(files, {}).site.contains("changes/index.html"));
  const auto many = small_book::publish(files, log_of(12, "A <b> word"));
  CHECK(many.errors == "");
  const std::string& page = many.site.at("changes/index.html");
  CHECK(holds(page, "<h2 id=\"first\"><a href=\"../first/\">1 First</a></h2>"));
  CHECK(holds(page,
              "<li><time datetime=\"2026-11-12\">2026-11-12</time> "
              "<a href=\"https://example.org/small/commit/c12\">A &lt;b&gt; word 12</a></li>"));
  CHECK(holds(page, "<details><summary>2 earlier</summary>"));
  CHECK(!holds(page, "errata"));
  CHECK(!holds(page, "Second"));  // nothing is known about it

  auto& book = files.at("chapters/book.yaml");
  book.erase(book.find("repository"), book.find("chapters:") - book.find("repository"));
  CHECK(holds(small_book::publish(files, log_of(1, "Words")).site.at("changes/index.html"),
              "</time> Words 1</li>"));
}

TEST_CASE("errata: those of the reviewed file stand first, and no commit makes itself one") {
  auto files = small_book::with("Text.\n");
  const auto claimed = small_book::publish(files, log_of(1, "Erratum: a factor of two"));
  CHECK(!holds(claimed.site.at("changes/index.html"), "id=\"errata\""));
  CHECK(holds(claimed.site.at("changes/index.html"), "Erratum: a factor of two 1</a>"));

  files["chapters/errata.yaml"] =
      "- date: 2026-11-01\n  chapter: first\n  text: a factor of <two>\n"
      "  commit: 0123456789\n- {date: 2026-10-01, chapter: second, text: Older}\n";
  const std::string list =
      "<h2 id=\"errata\">Errata</h2>\n<p>What the book said wrongly, and when that was corrected.</p>\n"
      "<ul class=\"changes\">\n<li><a href=\"../first/\">1 First</a>, <time datetime=\"2026-11-01\">"
      "2026-11-01</time> <strong>Erratum</strong>: <a href=\"https://example.org/small/commit/0123456789\">"
      "a factor of &lt;two&gt;</a></li>\n<li><a href=\"../second/\">Second</a>, <time datetime=\"2026-10-01\">"
      "2026-10-01</time> <strong>Erratum</strong>: Older</li>\n</ul>\n";
  CHECK(holds(small_book::publish(files, log_of(1, "Words")).site.at("changes/index.html"), list));
  CHECK(holds(small_book::build(files).site.at("changes/index.html"),
              list));  // for a preview before it is published
}

TEST_CASE("errata: errors in the file have their place") {
  auto files = small_book::with("Text.\n");
  files["chapters/errata.yaml"] = "- {date: 2026-11-01, chapter: frist, text: Two}\n";
  CHECK(small_book::build(files).errors ==
        "chapters/errata.yaml:1:31: error: the book has no chapter \"frist\" [dead-link]\n"
        "  - {date: 2026-11-01, chapter: frist, text: Two}\n"
        "                                ^^^^^\n  did you mean \"first\"?\n1 error\n");
  for (const char* wrong : {"date: 2100-01-01\n", "- {date: 9999-01-01, chapter: first, text: x}\n",
                            "- {date: 2026-11-01, chapter: first}\n",
                            "- {date: 2026-11-01, chapter: first, text: \"\"}\n",
                            "- {date: 2026-11-01, chapter: first, text: x, commit: ../..}\n"}) {
    INFO(wrong);
    files["chapters/errata.yaml"] = wrong;
    CHECK(holds(small_book::build(files).errors, "chapters/errata.yaml:1:"));
  }
}

TEST_CASE("page: it leads to its changes, to its source and to the report of a mistake") {
  auto files = small_book::with("Text.\n");
  files["site/templates/page.mustache"] =
      "{{changed}}|{{changes_url}}|{{{edit_url}}}|{{{report_url}}}|";
  const auto known = small_book::publish(files, log_of(2, "Words"));
  const std::string& page = known.site.at("first/index.html");
  CHECK(page.starts_with(
      "2026-11-02|../changes/#first|https://example.org/small/edit/main/chapters/en/01-first.md|"
      "https://example.org/small/issues/new?template=mistake.yml&page=https%3A%2F%2Fh.io%2Frepo%2F"
      "first%2F&build=c2%20"));
  auto& book = files.at("chapters/book.yaml");
  book.erase(book.find("repository"), book.find("chapters:") - book.find("repository"));
  CHECK(small_book::build(files).site.at("first/index.html") == "||||");
}

TEST_CASE("print page: all parts, separate ids, internal links, headings one level down") {
  auto files = small_book::with(
      "## One\n\nSee [the other](second.md#only-section), [here](#one), "
      "[home](https://example.org/).\n");
  const auto built = small_book::publish(files, {}, true);
  CHECK(built.errors == "");
  const std::string& page = built.site.at("print/index.html");
  CHECK(holds(page, "<article id=\"first\">\n<h2>1 First</h2>"));
  CHECK(holds(page, "<h3 id=\"first--one\">"));
  CHECK(holds(page,
              "<a href=\"#second--only-section\">the other</a>, <a href=\"#first--one\">here</a>, "
              "<a href=\"https://example.org/\">home</a>"));
  CHECK(holds(page, "<article id=\"second\">"));
  CHECK(!small_book::publish(files, {}).site.contains("print/index.html"));  // if not requested
}

TEST_CASE("renditions: pages name cards only where they will be made") {
  auto files = with_list("figure: fig-round\n", round_figure);
  files["site/templates/page.mustache"] = "{{card}}|{{{chapter_list}}}";
  CHECK(small_book::publish(files, {}).site.at("first/index.html").starts_with("|"));
  const auto built = small_book::publish(files, {}, true);
  CHECK(built.site.at("first/index.html").starts_with("https://h.io/repo/cards/first.png|"));
  CHECK(built.site.at("second/index.html").starts_with("|"));  // it has no figure
  CHECK(holds(built.site.at("index.html"), "href=\"./book.pdf\""));
}
