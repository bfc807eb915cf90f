// Markdown in, HTML out: tests/fixtures/pages/<name>.md and .html.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "small_book.hpp"

namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("page: a long glossary begins with its letters, each once, whatever the case") {
  auto files = small_book::with("```glossary\n```\n");
  const auto letters = [&](int count) {
    std::string all =
        "{\"hbm\": {\"term\": \"HBM\", \"definition\": \"D.\"}, "
        "\"heat\": {\"term\": \"heat\", \"definition\": \"D.\"}, "
        "\"oe\": {\"term\": \"øre\", \"definition\": \"D.\"}";
    for (int i = 3; i < count; ++i)
      all += ", \"b" + std::to_string(i) + "\": {\"term\": \"b" + std::to_string(i) +
             "\", \"definition\": \"D.\"}";
    files["chapters/facts/glossary.json"] = all + '}';
    return small_book::build(files).site.at("first/index.html");
  };
  CHECK(letters(21).find("<p class=\"glossary-letters\"><a href=\"#term-b10\">B</a> · "
                         "<a href=\"#term-hbm\">H</a> · <a href=\"#term-oe\">ø</a></p>") !=
        std::string::npos);
  CHECK(letters(20).find("glossary-letters") == std::string::npos);
}

TEST_CASE("page: the glossary counts a term in front matter and in blocks as used") {
  auto files = small_book::with("```glossary\n```\n");
  const std::string unused = "<dd>Memory on the package.</dd>";
  CHECK(small_book::build(files).site.at("first/index.html").find(unused) != std::string::npos);
  const std::string used =
      "<dd>Memory on the package.<span class=\"glossary-uses\"> In "
      "<a href=\"../second/\">Second</a>.</span></dd>";
  const std::string front = "---\ntitle: Second\ntakeaway: \"It is [HBM](term:hbm).\"\n---\n";
  const std::string block =
      "---\ntitle: Second\n---\n```quiz\nid: q-one\nask: >-\n  Is it\n"
      "  [HBM](term:hbm)?\nchoices:\n  - {say: a, why: b, right: true}\n"
      "  - {say: c, why: d}\n```\n";
  for (const auto& text : {front, block}) {
    files["chapters/en/second.md"] = text;
    const auto built = small_book::build(files);
    CHECK(built.errors == "");
    CHECK(built.site.at("first/index.html").find(used) != std::string::npos);
  }
  files["chapters/en/second.md"] = "---\ntitle: Second\n---\n`[HBM](term:hbm)`\n";
  CHECK(small_book::build(files).site.at("first/index.html").find(unused) != std::string::npos);
}

TEST_CASE("page: a measurement says what of the reader's machine it uses") {
  const auto cost = [](const std::string& fields) {
    const std::string html =
        small_book::html("```bench\nid: bench-one\ntry: Look.\n" + fields + "```\n");
    const auto begin = html.find("<p class=\"bench-cost\">") + 22;
    return html.substr(begin, html.find('<', begin) - begin);
  };
  const std::string core = "  - peak.fma\n", gpu = "  - gpu.read\n";
  const std::string team = "  - matmul.parallel{threads=2}\n";
  CHECK(cost("kernels:\n" + core) == "About 2\u202Fs on one core. Nothing leaves this browser.");
  CHECK(cost("roofs: true\n") == "About 5\u202Fs on one core. Nothing leaves this browser.");
  CHECK(cost("kernels:\n" + core + team) ==
        "About 3\u202Fs on several cores. Nothing leaves this browser.");
  CHECK(cost("kernels:\n" + gpu) == "About 2\u202Fs on your GPU. Nothing leaves this browser.");
  const std::string both = "\u202Fs on your processor and your GPU. Nothing leaves this browser.";
  CHECK(cost("kernels:\n" + gpu + core) == "About 3" + both);
  CHECK(cost("roofs: true\nkernels:\n" + gpu) == "About 6" + both);
}

TEST_CASE("page: what its text is set in is fetched with its style sheet, where there are fonts") {
  const std::string text = "Plain.\n", all = "*Slanted* and $a$.\n";
  const auto links = [](const std::string& body, bool with_fonts) {
    auto files = small_book::with(body);
    files["site/templates/page.mustache"] = "{{{fonts}}}";
    for (const char* font : {"figure-400", "figure-600", "stix-two-math", "stix-two-math-complete",
                             "text-italic", "text-upright"}) {
      if (with_fonts) files["build/fonts/" + std::string(font) + ".woff2"] = "bytes";
    }
    const auto built = small_book::build(files);
    CHECK(built.errors == "");
    std::string names;
    const std::string& page = built.site.at("first/index.html");
    const std::string before = "fonts/", after = ".woff2\" as=\"font\" crossorigin=\"anonymous\"/>";
    for (auto at = page.find(before); at != page.npos; at = page.find(before, at)) {
      at += before.size();
      const auto end = page.find(after, at);
      REQUIRE(end != page.npos);
      names += page.substr(at, end - at) + ' ';
    }
    return names;
  };
  CHECK(links(text, true) == "text-upright figure-400 figure-600 ");
  CHECK(links(all, true) == "text-upright figure-400 figure-600 text-italic stix-two-math ");
  CHECK(links("$m-t m-ti$\n", true) ==
        "text-upright figure-400 figure-600 text-italic stix-two-math ");
  CHECK(links(all, false) == "");
}

TEST_CASE("page: the front matter sets where the answer, the opening and the argument end") {
  const auto body = [](const std::string& front, const std::string& text) {
    auto files = small_book::with("");
    files["site/templates/page.mustache"] = "{{{body}}}";
    files["chapters/en/second.md"] = "---\ntitle: Second\n" + front + "---\n" + text;
    const auto built = small_book::build(files);
    CHECK(built.errors == "");
    const std::string& page = built.site.at("second/index.html");
    std::string order;
    for (std::size_t at = 0; at < page.size(); ++at) {
      for (const char* part : {"Puzzle", "model\">*M*", "model\"><em>M</em>", "Tip", "<li>one",
                               "<h2 id=\"a", "<p>Keep", "<li>first", "<h2 id=\"ref"}) {
        if (page.substr(at).starts_with(part)) order += part + std::string("; ");
      }
    }
    return order;
  };
  const std::string tip = "> [!TIP]\n> Skip.\n\n", rest = "## A\n\nIt was [@nv].\n";
  const std::string model = "mental_model: \"*M*\"\noutcomes: [one, two]\n";
  CHECK(body(model + "takeaway: Keep.\n", "Puzzle.\n\n" + tip + rest) ==
        "Puzzle; model\"><em>M</em>; Tip; <li>one; <h2 id=\"a; <p>Keep; <h2 id=\"ref; ");
  CHECK(body(model + "takeaway: [first, second]\n", rest) ==
        "model\"><em>M</em>; <li>one; <h2 id=\"a; <li>first; <h2 id=\"ref; ");
  CHECK(body(model, "Puzzle.\n") == "Puzzle; model\"><em>M</em>; <li>one; ");
  CHECK(body("", "Puzzle.\n\n" + rest) == "Puzzle; <h2 id=\"a; <h2 id=\"ref; ");
}

// With UPDATE_GOLDENS set, the output becomes the expected file. Read the diff.
TEST_CASE("page: each fixture gives its HTML") {
  const bool update = std::getenv("UPDATE_GOLDENS") != nullptr;
  std::vector<fs::path> fixtures;
  for (const auto& entry : fs::directory_iterator(PRIMER_SOURCE "/tests/fixtures/pages")) {
    if (entry.path().extension() == ".md") fixtures.push_back(entry.path());
  }
  std::sort(fixtures.begin(), fixtures.end());
  REQUIRE(!fixtures.empty());
  for (const auto& fixture : fixtures) {
    const fs::path expected = fs::path(fixture).replace_extension(".html");
    const std::string html = small_book::html(read(fixture));
    INFO(fixture.filename().string());
    if (update) std::ofstream(expected, std::ios::binary) << html;
    CHECK(html == read(expected));
  }
}

TEST_CASE("page: one, two and eight threads give the same bytes") {
  small_book::Files files = small_book::with("");
  std::string list = "title: Many\nlanguage: en\nchapters:\n";
  for (int i = 0; i < 60; ++i) {
    const std::string slug = "c" + std::to_string(i);
    list += "  - slug: " + slug + '\n';
    std::string text = "---\ntitle: Chapter\n---\n";
    // `$` and `~~` on every page, which two parsers at once would break.
    for (int k = 0; k < 40; ++k)
      text += "So $`a_" + slug + "*b*c`$ is ~~not~~ [x](fact:none)[^1].\n\n";
    text = text.substr(0, text.size());
    for (auto at = text.find("[x](fact:none)"); at != text.npos; at = text.find("[x](fact:none)")) {
      text.replace(at, 14, "[989 TFLOP/s](fact:h100-sxm.peak.bf16)");
    }
    files["chapters/en/" + slug + ".md"] = text + "[^1]: A note.\n";
  }
  files["chapters/book.yaml"] = list + "  - {slug: first, number: 1}\n  - slug: second\n";
  const auto one = small_book::build(files, 1);
  CHECK(one.errors.empty());
  CHECK(one.site.size() > 60);
  CHECK(one.site == small_book::build(files, 2).site);
  CHECK(one.site == small_book::build(files, 8).site);
}

TEST_CASE("page: a title is a line of Markdown in the heading, and words elsewhere") {
  const auto built = [](const std::string& title) {
    auto files = small_book::with("Text.\n");
    std::string& chapter = files["chapters/en/01-first.md"];
    const auto at = chapter.find("title: ") + 7;
    chapter.replace(at, chapter.find('\n', at) - at, title);
    files["site/templates/page.mustache"] = "{{title}}|{{heading}}|{{{heading_html}}}|";
    const auto made = small_book::build(files);
    return made.errors.empty() ? made.site.at("first/index.html") : made.errors;
  };
  const auto begins = [](const std::string& text, const std::string& start) {
    CHECK(text.substr(0, start.size()) == start);
  };
  begins(built("\"The `match` of *owners* & me\""),
         "The match of owners &amp; me · Small|The match of owners &amp; me|The "
         "<code>match</code> of <em>owners</em> &amp; me|");
  begins(built("\"1. First # one\""), "1. First # one · Small|1. First # one|1. First # one|");
  CHECK(built("\"At [3.36 TB/s](fact:h100-sxm.bandwidth)\"").find("the value is 3.35 TB/s") !=
        std::string::npos);
  CHECK(built("\"2*3*4\"").find("[stray-mark]") != std::string::npos);
  CHECK(built("\"A <b>bold</b> one\"").find("[raw-html]") != std::string::npos);
}

TEST_CASE("page: minified styles and scripts are published if they are up to date") {
  auto files = small_book::with("");
  files["site/styles/code.css"] = "pre { margin: 0 }\n";
  files["site/styles/style.css"] = "p { margin: 0 }\n";
  files["build/minified/source/style.css"] = "pre { margin: 0 }\np { margin: 0 }\n";
  files["build/minified/style.css"] = "p,pre{margin:0}";
  files["site/runtime/main.js"] = "// One.\nexport const one = 1;\n";
  files["build/minified/source/runtime/main.js"] = files["site/runtime/main.js"];
  files["build/minified/runtime/main.js"] = "export const one=1;";
  const auto published = [&](const std::string& name) {
    for (const auto& [path, bytes] : small_book::build(files).site) {
      if (path.starts_with("_/") && path.ends_with('/' + name)) return bytes;
    }
    return std::string("none");
  };
  CHECK(published("style.css") == "p,pre{margin:0}");
  CHECK(published("main.js") == "export const one=1;");
  files["site/styles/style.css"] = "p { margin: 1px }\n";
  files["site/runtime/main.js"] = "export const one = 2;\n";
  CHECK(published("style.css") == "pre { margin: 0 }\np { margin: 1px }\n");
  CHECK(published("main.js") == "export const one = 2;\n");
  files.erase("build/minified/style.css");
  CHECK(published("style.css") == "pre { margin: 0 }\np { margin: 1px }\n");
}

TEST_CASE(
    "page: sheets are joined in the order that styles/order.txt states, the others after them") {
  auto files = small_book::with("");
  files["site/styles/style.css"] = "style{}\n";
  files["site/styles/after.css"] = "after{}\n";
  files["site/styles/other.css"] = "other{}\n";
  files["site/styles/order.txt"] = "# A comment.\nstyle.css\n\nafter.css\n";
  const auto built = small_book::build(files);
  CHECK(built.errors.empty());
  std::string sheet;
  for (const auto& [path, bytes] : built.site) {
    if (path.ends_with("/style.css")) sheet = bytes;
  }
  CHECK(sheet == "style{}\nafter{}\nother{}\n");
  for (const char* wrong : {"absent.css", "style.css"}) {
    files["site/styles/order.txt"] = "style.css\n" + std::string(wrong) + "\n";
    const auto refused = small_book::build(files);
    INFO(wrong);
    CHECK(refused.errors.find("site/styles/order.txt: ") != std::string::npos);
    CHECK(refused.errors.find(wrong) != std::string::npos);
  }
}

TEST_CASE("page: the one for missing addresses speaks all languages of the book") {
  auto files = small_book::with("Text.\n");
  files["site/templates/404.mustache"] = "{{{contents}}}|{{{elsewhere}}}";
  CHECK(small_book::build(files).site.at("404.html").ends_with("</ol>|"));
  files["chapters/book.yaml"] += "languages: [en, es]\n";
  files["chapters/es/01-first.md"] = "---\ntitle: Primero\n---\nTexto.\n";
  files["site/locales/es.json"] =
      R"({"said by pages alone": {"Page not found": "Esta página no existe"}})";
  const auto built = small_book::publish(files, {});
  const std::string& page = built.site.at("404.html");
  const std::string there = page.substr(page.find('|'));
  CHECK(there.starts_with("|<section lang=\"es\">\n<h2>Esta página no existe</h2>\n"));
  CHECK_THAT(there, Catch::Contains("<a href=\"/repo/es/first/\">"
                                    "<span class=\"number\">1</span> Primero</a>"));
}

TEST_CASE("page: an unlisted page is in the site, but not in the contents") {
  auto files = small_book::with("Text.\n");
  files["site/templates/page.mustache"] = "{{{contents}}}";
  files["chapters/book.yaml"] += "pages: [shown]\nunlisted_pages: [apart]\n";
  for (const char* slug : {"shown", "apart"})
    files[std::string("chapters/en/pages/") + slug + ".md"] = "---\ntitle: Mine\n---\nMy own.\n";
  const auto built = small_book::build(files);
  CHECK(built.errors.empty());
  CHECK(built.site.contains("apart/index.html"));
  for (const char* page : {"first/index.html", "apart/index.html"}) {
    CHECK(built.site.at(page).find("../shown/") != std::string::npos);
    CHECK(built.site.at(page).find("../apart/") == std::string::npos);
  }
}

TEST_CASE("page: the site has what every site has") {
  const auto built = small_book::build(small_book::with("Text.\n"));
  CHECK(built.errors.empty());
  CHECK(built.site.contains("index.html"));
  CHECK(built.site.contains(".nojekyll"));
  CHECK(built.site.at("404.html") == "<a href=\"/\">home</a>");
  CHECK(built.site.at("second/index.html").starts_with("<title>Second · Small</title>"));
}
