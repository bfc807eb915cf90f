#include "generator/core/index/translation.hpp"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.hpp"
#include "generator/cli/content_commands.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/load/messages.hpp"
#include "generator/tools/translate/stamp.hpp"
#include "generator/tools/workshop/workshop.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(PRIMER_SOURCE "/" + path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

const std::string original = R"(---
title: Second
---
Text of the beginning.

## Only section

```figure
id: fig-round
spec: round
caption: Round numbers.
alt: One roofline.
```

> [!NOTE]
> A note, and [Figure](#fig-round), and [the first](01-first.md).

Text of the end.
)";

const std::string spanish = R"(---
title: Segundo
---
Texto del principio.

## La única sección

```figure
id: fig-round
spec: round
caption: Números redondos.
alt: Un roofline.
```

> [!NOTE]
> Una nota, y [Figura](#fig-round), y [el primero](../en/01-first.md).

Texto del final.
)";

// The small book in two languages. Only its second chapter is translated.
small_book::Files bilingual(const std::string& translation, const std::string& text = original) {
  auto files = small_book::with("A look at [the section](second.md#only-section).\n");
  files["chapters/book.yaml"] +=
      "languages: [en, es]\nlocales:\n  es:\n    subtitle: En pequeño\n"
      "base_url: https://example.org/book/\n";
  files["chapters/en/second.md"] = text;
  files["chapters/es/second.md"] = translation;
  files["site/locales/es.json"] = read("site/locales/es.json");
  files["figures/locales/es.json"] = R"({"Round numbers": "Números redondos"})";
  files["site/templates/page.mustache"] = read("site/templates/page.mustache");
  return files;
}

// The translation with all its marks.
std::string marked() {
  Diagnostics diagnostics;
  auto text =
      stamped(*in_memory(bilingual(spanish)), "chapters/es/second.md", std::nullopt, diagnostics);
  REQUIRE(to_text(diagnostics, Format::text) == "");
  REQUIRE(text);
  return *text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// The hashes of a chapter's blocks.
std::vector<std::string> text_blocks_of(const std::string& text) {
  Diagnostics diagnostics;
  const auto read = read_blocks(*in_memory({{"a.md", text}}), "a.md", false, diagnostics);
  REQUIRE(read);
  std::vector<std::string> hashes;
  for (const auto& block : read->blocks) hashes.push_back(block.hash);
  return hashes;
}

}  // namespace

TEST_CASE("translation: its page speaks the language, with the ids and numbers of the original") {
  const auto built = small_book::build(bilingual(marked()));
  CHECK(built.errors == "");
  const std::string& page = built.site.at("es/second/index.html");
  for (
      const char* part :
      {"<html lang=\"es\" data-root=\"../../\"", "<h2 id=\"only-section\">", "La única sección",
       "<span class=\"label\">Figura S.1</span> Números redondos.", "<p class=\"label\">Nota</p>",
       "<a href=\"#fig-round\">Figura S.1</a>", "<a href=\"../first/\">el primero</a>",
       "<a href=\"../../second/\" hreflang=\"en\" lang=\"en\">English</a>", "Ir al contenido",
       "<link rel=\"canonical\" href=\"https://example.org/book/es/second/\"/>",
       "<link rel=\"alternate\" hreflang=\"en\" href=\"https://example.org/book/second/\"/>\n"
       "<link rel=\"alternate\" hreflang=\"es\" href=\"https://example.org/book/es/second/\"/>\n"
       "<link rel=\"alternate\" hreflang=\"x-default\" href=\"https://example.org/book/second/\"/>",
       "En pequeño"}) {
    INFO(part);
    CHECK(has(page, part));
  }
  CHECK(!has(page, "<!-- from"));
  CHECK(!has(page, "stale"));
  const std::string& english = built.site.at("second/index.html");
  CHECK(has(english, "<a href=\"../es/second/\" hreflang=\"es\" lang=\"es\">Español</a>"));
  CHECK(has(english, "hreflang=\"x-default\""));
  CHECK(has(english, "<span class=\"label\">Figure S.1</span> Round numbers."));
}

TEST_CASE("translation: untranslated text is the original's, in the language's layout") {
  const auto built = small_book::build(bilingual(marked()));
  const std::string& page = built.site.at("es/first/index.html");
  for (const char* part :
       {"<html lang=\"es\"", "<main id=\"text\" class=\"chapter\" lang=\"en\">", "Ir al contenido",
        "Sin traducir: es el original.", "<p class=\"label\">Chapter 1</p>",
        "<a href=\"../second/#only-section\">the section</a>",
        "<link rel=\"canonical\" href=\"https://example.org/book/first/\"/>"}) {
    INFO(part);
    CHECK(has(page, part));
  }
  CHECK(!has(page, "<link rel=\"alternate\" hreflang"));
  CHECK(built.site.contains("es/index.html"));
  const std::string& map = built.site.at("es/sitemap.xml");
  CHECK(has(map, "<loc>https://example.org/book/es/second/</loc>"));
  CHECK(!has(map, "first"));
  CHECK(!has(built.site.at("sitemap.xml"), "/es/"));
}

TEST_CASE("translation: a book in one language has no other tree and no switch") {
  auto files = small_book::with("Text.\n");
  files["site/templates/page.mustache"] = read("site/templates/page.mustache");
  const auto built = small_book::build(files);
  CHECK(!has(built.site.at("first/index.html"), "hreflang"));
  for (const auto& [path, bytes] : built.site) CHECK(!path.starts_with("en/"));
}

TEST_CASE("translation: a block whose original has changed is reported, and marked on the page") {
  const auto changed = replace_all(original, "Text of the end.", "Another end.");
  const auto built = small_book::build(bilingual(marked(), changed));
  CHECK(
      built.errors ==
      R"(chapters/es/second.md:24:1: warning: the original of this block has changed [stale-translation]
  Texto del final.
  ^^^^^^^^^^^^^^^^
  note: the current original is chapters/en/second.md:18
1 warning
)");
  const std::string& page = built.site.at("es/second/index.html");
  CHECK(has(page,
            "<p class=\"label stale\">Lo que sigue puede estar desactualizado. "
            "<a href=\"../../second/#fig-round\" hreflang=\"en\">Leer el original</a></p>\n"
            "<p>Texto del final.</p>"));
  CHECK(page.find("stale") == page.rfind("stale"));
}

TEST_CASE("translation: a missing block is reported, and shown in the original language") {
  const auto longer = replace_all(original, "Text of the end.", "### More\n\nText of the end.");
  const auto built = small_book::build(bilingual(marked(), longer));
  CHECK(
      built.errors ==
      R"(chapters/en/second.md:18:1: warning: not translated in chapters/es/second.md [missing-translation]
  ### More
  ^^^^^^^^
1 warning
)");
  CHECK(has(
      built.site.at("es/second/index.html"),
      "<p class=\"label stale\">Sin traducir: es el original. "
      "<a href=\"../../second/#more\" hreflang=\"en\">Leer el original</a></p>\n"
      "<div class=\"untranslated\" lang=\"en\">\n<h3 id=\"more\"><a href=\"#more\">More</a></h3>\n"
      "</div>\n<p>Texto del final.</p>"));
}

TEST_CASE("translation: figures, formulas, tables and code that are missing need no notice") {
  const std::string silent =
      "```math eq-one\nx = 1\n```\n\n$$y = 2$$\n\n```c\nint a;\n```\n\n"
      "Table tbl-two: What there is.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n";
  const auto longer =
      replace_all(original, "Text of the end.", silent + "Text of the end, [Table](#tbl-two).");
  auto files = bilingual(spanish, longer);
  // All marks except the figure's, which is removed with the figure.
  const std::string figure =
      "```figure\nid: fig-round\nspec: round\ncaption: Números redondos.\n"
      "alt: Un roofline.\n```\n\n";
  const auto with_marks = [&](std::string text) {
    const auto there = text_blocks_of(longer);
    const auto mark = [&](std::size_t block, const std::string& before) {
      const auto at = text.find(before);
      REQUIRE(at != text.npos);
      text.insert(at, source_mark(there.at(block)) + '\n');
    };
    mark(1, "Texto del principio.");
    mark(2, "## La única");
    mark(4, "> [!NOTE]");
    mark(9, "Texto del final");
    return replace_all(std::move(text), "title: Segundo\n",
                       "title: Segundo\nfrom: \"" + there.at(0) + "\"\n");
  };
  files["chapters/es/second.md"] = with_marks(replace_all(
      replace_all(spanish, figure, ""), "Texto del final.", "Texto del final, [Tabla](#tbl-two)."));
  const auto built = small_book::build(files);
  CHECK(!has(built.errors, "error"));
  CHECK(has(built.errors, "en/second.md:8:1: warning: not translated"));   // the figure
  CHECK(has(built.errors, "en/second.md:28:1: warning: not translated"));  // the table
  CHECK(has(built.errors, "2 warnings"));
  const std::string& page = built.site.at("es/second/index.html");
  CHECK(!has(page, "stale"));
  for (const char* part :
       {"<div class=\"untranslated\" lang=\"en\">\n<figure", "id=\"fig-round\"", "Round numbers.",
        "<a href=\"#fig-round\">Figura S.1</a>", "id=\"eq-one\"",
        "<math display=\"block\">y = 2</math>", "<span class=\"hl-t\">int</span>", "id=\"tbl-two\"",
        "What there is.", "<a href=\"#tbl-two\">Tabla S.1</a>"}) {
    INFO(part);
    CHECK(has(page, part));
  }
  CHECK(page.find("<div class=\"untranslated\"") < page.find("<p class=\"label\">Nota</p>"));
  CHECK(page.find("id=\"eq-one\"") < page.find("id=\"tbl-two\""));
  CHECK(page.find("id=\"tbl-two\"") < page.find("Texto del final"));
}

TEST_CASE(
    "translation: adjacent missing blocks have one notice, with their links, notes and numbers") {
  const std::string more =
      "One, with a note.[^n]\n\nTwo, of [the first](01-first.md) and [Figure](#fig-more).\n\n"
      "> [!NOTE]\n> Three.\n\n"
      "```figure\nid: fig-more\nspec: round\ncaption: More, as [Figure](#fig-round).\nalt: One.\n```\n\n"
      "[^n]: A note of it.\n\n";
  const auto built = small_book::build(
      bilingual(marked(), replace_all(original, "Text of the end.", more + "Text of the end.")));
  CHECK(!has(built.errors, "error"));
  const std::string& page = built.site.at("es/second/index.html");
  CHECK(has(page, "Sin traducir: es el original."));
  CHECK(page.find("Sin traducir") == page.rfind("Sin traducir"));
  CHECK(page.find("class=\"untranslated\"") == page.rfind("class=\"untranslated\""));
  const auto begin = page.find("<div class=\"untranslated\" lang=\"en\">");
  REQUIRE(begin != page.npos);
  for (const char* part :
       {"<div class=\"paragraph\">One, with a note.<details class=\"note\" id=\"note-1\">",
        "<span class=\"visually-hidden\">Note </span>1", "A note of it.",
        "<a href=\"../first/\">the first</a>", "<a href=\"#fig-more\">Figure S.2</a>",
        "<p class=\"label\">Note</p>", "<a href=\"#fig-round\">Figure S.1</a>"}) {
    INFO(part);
    CHECK(page.find(part, begin) != page.npos);
  }
  // Other pages link to the version that is shown.
  auto files = bilingual(marked(),
                         replace_all(original, "Text of the end.", "## Later\n\nText of the end."));
  files["chapters/es/01-first.md"] =
      "---\ntitle: Primero\n---\nMira [la sección](second.md#only-section) y [otra](second.md#later).\n";
  files["chapters/en/01-first.md"] =
      "---\ntitle: First\n---\nA look at [the section](second.md#only-section), [more](second.md#later).\n";
  const auto linked = small_book::build(files);
  CHECK(!has(linked.errors, "error"));
  CHECK(has(linked.site.at("es/first/index.html"), "<a href=\"../second/#later\">otra</a>"));
}

TEST_CASE("translation: errors in a missing block are reported once, with the original") {
  const auto built = small_book::build(
      bilingual(marked(), replace_all(original, "Text of the end.",
                                      "[none](#none) $\\oops$\n\n[^x]\n\nText of the end.")));
  for (const char* part : {"[dead-link]", "unknown command", "[unknown-note]"}) {
    INFO(part);
    CHECK(has(built.errors, part));
    CHECK(built.errors.find(part) == built.errors.rfind(part));
  }
  CHECK(!has(built.errors, "chapters/es/second.md:"));
}

TEST_CASE("translation: a side note may be translated before the text that refers to it") {
  const std::string noted = "A text.[^why]\n\n[^why]: Because.\n\nText of the end.";
  const auto longer = replace_all(original, "Text of the end.", noted);
  const std::string hash = text_blocks_of(longer).at(6);
  const auto built = [&](const std::string& end) {
    return small_book::build(
        bilingual(replace_all(marked(), "Texto del final.", "Texto del final.\n" + end), longer));
  };
  const auto early = built("\n" + source_mark(hash) + "\n[^why]: Porque.\n");
  CHECK(
      early.errors ==
      R"(chapters/en/second.md:18:1: warning: not translated in chapters/es/second.md [missing-translation]
  A text.[^why]
  ^^^^^^^^^^^^^
chapters/en/second.md:20:1: warning: not translated in chapters/es/second.md [missing-translation]
  [^why]: Because.
  ^^^^^^^^^^^^^^^^
chapters/es/second.md:27:1: warning: unused side note [^why] [unused-note]
  [^why]: Porque.
  ^^^^^^
  note: write [^why] where the note belongs, or remove it
3 warnings
)");
  const std::string& page = early.site.at("es/second/index.html");
  CHECK(has(page, "Because."));
  CHECK(!has(page, "Porque."));
  // The mark of a note above a text does not belong to that text.
  const auto above = built("\n" + source_mark(hash) + "\n[^why]: Porque.\n\n" +
                           source_mark(text_blocks_of(longer).at(5)) + "\nUn texto.\n");
  CHECK(has(above.errors, "second.md:27:1: error: unused side note"));
  CHECK(!has(above.errors, "bad-source-mark"));
  // It does not prevent other blocks from being marked.
  auto files = bilingual(spanish + "\n[^why]: Porque.\n", longer);
  Diagnostics diagnostics;
  CHECK(stamped(*in_memory(files), "chapters/es/second.md", 4, diagnostics));
  CHECK(!diagnostics.has_errors());
}

TEST_CASE("translation: without marks it is published, and the first block says how to get them") {
  const auto built = small_book::build(bilingual(spanish));
  CHECK(
      built.errors ==
      R"(chapters/es/second.md:1:1: warning: this block has no hash of its original [bad-source-mark]
  ---
  ^^^
  note: primer translate stamp chapters/es/second.md marks all blocks; run it when they translate the current original
1 warning
)");
  CHECK(has(built.site.at("es/second/index.html"), "<h2 id=\"only-section\">"));
}

TEST_CASE("translation: it has the facts, links, citations, settings and ids of its original") {
  const std::string facts =
      "It reads [3.35 TB/s](fact:h100-sxm.bandwidth) [@nv], see [it](https://example.org/nv).";
  const std::string hechos =
      "Lee [3.35 TB/s](fact:h100-sxm.bandwidth) [@nv]; véase [esto](https://example.org/nv).";
  const auto longer = replace_all(original, "Text of the end.", facts);
  const auto build = [&](const std::string& from, const std::string& to, bool stamp) {
    auto files = bilingual(replace_all(spanish, "Texto del final.", hechos), longer);
    if (stamp) {
      Diagnostics diagnostics;
      files["chapters/es/second.md"] =
          stamped(*in_memory(files), "chapters/es/second.md", std::nullopt, diagnostics).value();
    }
    auto& text = files["chapters/es/second.md"];
    REQUIRE(text.find(from) != text.npos);
    text = replace_all(text, from, to);
    return small_book::build(files).errors;
  };
  CHECK(build("Texto", "Otro texto", true) == "");
  const std::pair<const char*, const char*> changes[] = {
      {"fact:h100-sxm.bandwidth", "fact:h100-sxm.peak.bf16"},
      {"[3.35 TB/s](fact:h100-sxm.bandwidth)", "3.5 TB/s"},
      {" [@nv]", ""},
      {"https://example.org/nv", "https://evil.example/setup.exe"},
      {"Texto del principio.", "Texto del [principio](https://evil.example/setup.exe)."},
      {"Texto del principio.", "Texto del principio. https://evil.example/setup.exe"},
      {"../en/01-first.md", "second.md"},
      {"[Figura](#fig-round)", "la figura"},
      {"spec: round", "spec: other"},
      {"caption: Números redondos.", "caption: \"[Números](https://evil.example/) redondos.\""},
  };
  for (const auto& [from, to] : changes) {
    INFO(from << " -> " << to);
    for (const bool stamp : {true, false}) CHECK(has(build(from, to, stamp), "[unlike-original]"));
  }
  CHECK(has(
      build("fact:h100-sxm.bandwidth", "fact:h100-sxm.peak.bf16", true),
      "error: this block has \"fact:h100-sxm.peak.bf16\", which its original does not have, and "
      "lacks "
      "\"fact:h100-sxm.bandwidth\" [unlike-original]"));
}

TEST_CASE("translation: it has the displayed formulas and the kinds of callouts of its original") {
  const auto build = [](const std::string& there, const std::string& here) {
    return small_book::build(bilingual(replace_all(spanish, "Texto del final.", here),
                                       replace_all(original, "Text of the end.", there)))
        .errors;
  };
  const std::pair<const char*, const char*> good[] = {
      {"$$x = 5 \\text{ bytes {a} and}$$", "$$x =  5 \\text{ bytes y}$$"},
      {"```math eq-x\nx_{\\text{in}} = 1{,}024 + 3.5\n```",
       "```math eq-x\nx_{\\text{ent}} = 1024 + 3{,}5\n```"},
      {"A $x$ and $$y$$ here.", "Un $x$, otra vez $x$, y $$y$$ aquí."},
      {"> [!TIP]\n> A text.", "> [!TIP]\n> Un texto."},
  };
  for (const auto& [there, here] : good) {
    CHECK_THAT(build(there, here), !Catch::Contains("error"));
  }
  const std::pair<const char*, const char*> bad[] = {
      {"$$x = 5$$", "$$x = 6$$"},
      {"$$\\text{a} + x_{b}$$", "$$\\text{a} + x_{c}$$"},
      {"$$3.5$$", "$$35$$"},
      {"```math eq-x\nx\n```", "```math eq-x\ny\n```"},
      {"> [!NOTE]\n> A text.", "> [!TIP]\n> Un texto."},
      {"> [!NOTE]\n> A text.", "> Un texto."},
  };
  for (const auto& [there, here] : bad) {
    INFO(here);
    CHECK(has(build(there, here), "[unlike-original]"));
  }
}

TEST_CASE("translation: the right choice is the one that it is in the original") {
  const auto quiz = [](const char* first, const char* second, const char* more) {
    return std::string("```quiz\nid: q-end\nask: A?\nchoices:\n  - {say: B, why: C") + first +
           "}\n  - {say: D, why: E" + second + "}\n" + more + "```";
  };
  const auto build = [&](const std::string& to) {
    auto files =
        bilingual(replace_all(spanish, "Texto del final.", to),
                  replace_all(original, "Text of the end.", quiz(", right: true", "", "")));
    return small_book::build(files).errors;
  };
  CHECK(!has(build(quiz(", right: true", "", "")), "error"));
  CHECK(has(build(quiz("", ", right: true", "")), "[unlike-original]"));
  CHECK(has(build(quiz(", right: true", "", "  - {say: F, why: G}\n")), "[unlike-original]"));
}

TEST_CASE("translation: what was made from an earlier text, or from none, leads nowhere else") {
  const auto changed =
      replace_all(original, "Text of the end.", "Another end, see [it](https://example.org/nv).");
  const auto build = [&](const std::string& end) {
    return small_book::build(bilingual(replace_all(marked(), "Texto del final.", end), changed))
        .errors;
  };
  CHECK(!has(build("Texto."), "error"));
  CHECK(!has(build("Texto, véase [esto](https://example.org/nv)."), "error"));
  CHECK(has(
      build("Texto, véase [esto](https://evil.example/)."),
      "error: this block has \"link https://evil.example/\", which is nowhere in the original"));
  CHECK(has(build("Texto.\n\n<!-- from 00000000 -->\n\nMás: https://evil.example/"),
            "which is nowhere in the original"));
}

TEST_CASE("translation: strings are plain text, with the placeholders of the English ones") {
  auto files = bilingual(marked());
  auto words = nlohmann::json::parse(files["site/locales/es.json"]);
  const std::string evil =
      "{{{ summary }}}{{& summary}}{{# summary}}<script src=\"/evil.js\"></script>{{/ summary}}'\"><b>{{=<% %>=}}";
  for (auto* group : {&words, &words["said by pages alone"]})
    for (auto& [english, word] : group->items())
      if (word.is_string()) word = evil + word.get<std::string>();
  files["site/locales/es.json"] = words.dump();
  files["chapters/es/second.md"] = replace_all(files["chapters/es/second.md"], "title: Segundo\n",
                                               "title: Segundo\nsummary: <img src=x>\n");
  // A book of this many chapters, so that pages link to all of them.
  for (int i = 0; i < 151; ++i) {
    const std::string slug = "c" + std::to_string(i);
    files["chapters/book.yaml"] = replace_all(files["chapters/book.yaml"], "  - slug: second\n",
                                              "  - slug: second\n  - slug: " + slug + "\n");
    files["chapters/en/" + slug + ".md"] = "---\ntitle: C\n---\n";
  }
  const auto built = small_book::build(files);
  CHECK(!has(built.errors, "error"));
  for (const auto& [path, bytes] : built.site) {
    if (!path.ends_with(".html") && !path.ends_with(".xml")) continue;
    INFO(path);
    CHECK(!has(bytes, "<script src=\"/evil.js\""));
    CHECK(!has(bytes, "<b>"));
    CHECK(!has(bytes, "<img"));
  }
  CHECK(has(built.site.at("es/second/index.html"), "{{{ summary }}}"));
  const auto wrong = [](const std::string& json) {
    auto book = bilingual(marked());
    book["site/locales/es.json"] = json;
    return small_book::build(book).errors;
  };
  CHECK(has(wrong(R"({"All {n} chapters": "Los {m} capítulos"})"),
            "site/locales/es.json:1:22: error: the translation must have the same placeholders"));
  CHECK(has(wrong(R"({"Contents": "Contenido {{{root}}}"})"), "[bad-json]"));
  CHECK(has(wrong(R"({"All {n} chapters": "Los capítulos"})"), "[bad-json]"));
  CHECK(has(wrong(R"({"Contents": 1})"),
            "site/locales/es.json:1:14: error: the translation of \"Contents\" must be text"));
  CHECK(has(wrong(R"(["Contents"])"), "[bad-json]"));
  CHECK(has(wrong(R"({"said by pages alone": {"Contents": 1}})"),
            "site/locales/es.json:1:38: error: the translation of \"Contents\" must be text"));
  CHECK(has(wrong(R"({"Contents": "a\u202e"})"), "[hidden-character]"));
}

TEST_CASE(
    "translation: terms are explained in its language, or in the original's, marked as such") {
  auto files =
      bilingual(replace_all(spanish, "Texto del final.", "Texto sobre [la HBM](term:hbm)."),
                replace_all(original, "Text of the end.", "Text about [HBM](term:hbm)."));
  files["chapters/en/01-first.md"] =
      "---\ntitle: First\n---\nAbout [HBM](term:hbm).\n\n```glossary\n```\n";
  CHECK(has(small_book::build(files).site.at("es/second/index.html"),
            "id=\"tip.1\" lang=\"en\">Memory on the package.</span>"));

  const std::string own = "chapters/es/glossary.json";
  files[own] = R"({"hbm": {"term": "la HBM", "definition": "Memoria en el encapsulado."}})";
  const auto built = small_book::build(files);
  CHECK(
      has(built.site.at("es/second/index.html"), "id=\"tip.1\">Memoria en el encapsulado.</span>"));
  CHECK(has(built.site.at("second/index.html"), "id=\"tip.1\">Memory on the package.</span>"));
  CHECK(has(built.site.at("first/index.html"),
            "<dt id=\"term-hbm\">HBM</dt><dd>Memory on the package."));
  // Untranslated text comes from the original, including its terms.
  CHECK(has(built.site.at("es/first/index.html"), "id=\"tip.1\">Memory on the package.</span>"));

  // A glossary in Spanish, first without and then with translated terms.
  files.erase(own);
  files["chapters/es/01-first.md"] =
      "---\ntitle: Primero\n---\n[HBM](term:hbm).\n\n```glossary\n```\n";
  CHECK(has(small_book::build(files).site.at("es/first/index.html"),
            "<dt id=\"term-hbm\" lang=\"en\">HBM</dt><dd><span lang=\"en\">Memory on"));
  files[own] = R"({"hbm": {"term": "la HBM", "definition": "Memoria en el encapsulado."}})";
  CHECK(has(small_book::build(files).site.at("es/first/index.html"),
            "<dt id=\"term-hbm\">la HBM</dt><dd>Memoria en el encapsulado."));

  files[own] = R"({"hmb": {"term": "la HBM", "definition": "Memoria en el encapsulado."}})";
  const auto errors = small_book::build(files).errors;
  CHECK(has(errors, own + ":1:9: error: chapters/facts/glossary.json has no \"hmb\" to translate"));
  CHECK(has(errors, "did you mean \"hbm\"?"));
}

TEST_CASE("translation: the words of the scripts are texts and no program") {
  auto files = bilingual(marked());
  files["site/locales/fr.json"] = "{}; alert(1)";
  const auto built = small_book::build(files);
  CHECK(has(built.errors, "locales/fr.json"));
  files["site/locales/fr.json"] =
      R"({"said by pages alone": {"Mental model": "Image"}, "said at first": {"Copy": "Copier"}, )"
      R"("Contents": "Sommaire"})";
  std::map<std::string, std::string> words;
  for (const auto& [path, bytes] : small_book::build(files).site)
    if (path.ends_with("words.fr.js")) words[path.substr(path.rfind('/') + 1)] = bytes;
  CHECK(words["first_words.fr.js"] == "export default {\"Copy\":\"Copier\"};\n");
  CHECK(words["words.fr.js"] ==
        "export default {\"Contents\":\"Sommaire\",\"Copy\":\"Copier\"};\n");
}

TEST_CASE(
    "translation: a language without strings is published in English, and a list begins them") {
  auto files = bilingual("");
  files.erase("chapters/es/second.md");
  files["chapters/book.yaml"] =
      replace_all(files["chapters/book.yaml"], "languages: [en, es]", "languages: [en, fr]");
  files["chapters/book.yaml"] = replace_all(files["chapters/book.yaml"], "  es:\n", "  fr:\n");
  files["chapters/fr/second.md"] = marked();
  const auto without = small_book::build(files);
  CHECK(has(without.errors,
            "chapters/book.yaml:9:17: warning: missing locale file for \"fr\": the text around the "
            "chapters is English [unknown-language]"));
  CHECK(has(without.errors, "note: primer translate begin fr creates"));
  // The position is that of the value, even if the same letters occur elsewhere.
  auto other = files;
  other["chapters/book.yaml"] =
      "# A comment of languages.\ntitle: Afraid\n" +
      other["chapters/book.yaml"].substr(other["chapters/book.yaml"].find('\n') + 1);
  CHECK(has(small_book::build(other).errors,
            "chapters/book.yaml:10:17: warning: missing locale file"));
  CHECK(!has(without.errors, "error"));
  const std::string page = without.site.at("fr/second/index.html");
  CHECK(has(page, "<html lang=\"fr\""));
  CHECK(has(page, " data-wordless=\"fr\">"));
  CHECK(has(without.site.at("second/index.html"), " data-wordless=\"fr\">"));

  const auto site = in_memory({{"locales/es.json", files["site/locales/es.json"]}});
  Diagnostics diagnostics;
  const auto begun = begin_strings(*site, *in_memory(files), "fr", diagnostics);
  REQUIRE(begun);
  CHECK((begun->path == "site/locales/fr.json" && begun->translated == 0));
  const auto all = nlohmann::json::parse(begun->text);
  CHECK(all["said by pages alone"]["Contents"] == "");
  const auto pages = all["said by pages alone"].size() + all["said at first"].size();
  std::size_t strings = pages;
  for (const auto& one : all) strings += one.is_string() ? 1 : 0;

  files[begun->path] = begun->text;
  const auto empty = small_book::build(files);
  CHECK(has(empty.errors, "site/locales/fr.json:1:1: warning: " + std::to_string(strings) + " of " +
                              std::to_string(strings) +
                              " strings are not translated; the pages show them in English "
                              "[missing-translation]"));
  CHECK(!has(empty.errors, "error"));
  CHECK(has(empty.site.at("fr/second/index.html"), "Skip to content"));
  CHECK(!has(empty.site.at("fr/second/index.html"), "data-wordless"));

  // Translations are preserved if the list is created again.
  files[begun->path] =
      R"({"said by pages alone": {"Contents": "Sommaire", "Old": "Vieux"}, "Copy": ""})";
  CHECK(has(small_book::build(files).errors, std::to_string(strings - 1) + " of "));
  const auto again = begin_strings(*site, *in_memory(files), "fr", diagnostics);
  REQUIRE(again);
  CHECK((again->translated == 1 && again->strings == begun->strings));
  const auto kept = nlohmann::json::parse(again->text);
  CHECK(kept["said by pages alone"]["Contents"] == "Sommaire");
  CHECK(kept["said by pages alone"]["Old"] == "Vieux");
  CHECK(kept["said at first"].size() == all["said at first"].size());
  CHECK(to_text(diagnostics, Format::text) == "");
  for (const auto& [language, why] : std::initializer_list<std::pair<const char*, const char*>>{
           {"en", "primer already has all strings in \"en\""},
           {"es", "primer already has all strings in \"es\""},
           {"../x", "\"../x\" is not a language code"}}) {
    Diagnostics refused;
    CHECK(!begin_strings(*site, *in_memory(files), language, refused));
    CHECK(has(to_text(refused, Format::text), why));
  }
}

TEST_CASE("translation: the status of every chapter") {
  const auto changed =
      replace_all(replace_all(original, "Text of the end.", "Another end.\n\nMore."),
                  "Round numbers.", "Other numbers.");
  Diagnostics diagnostics;
  CHECK(translation_status(*in_memory(bilingual(marked(), changed)), diagnostics) ==
        R"(es
                                  blocks   current     stale   missing
  first                                2         0         0         2
  second                               7         4         2         1
  terms                                1         0         0         1
)");
  CHECK(to_text(diagnostics, Format::text) == "");
  CHECK(translation_status(*in_memory(small_book::with("")), diagnostics) ==
        "the book has one language, en\n");
}

TEST_CASE("translation: a stamp says of one block, or of all, that they are current") {
  const auto changed = replace_all(replace_all(original, "Text of the end.", "Another end."),
                                   "Round numbers.", "Other numbers.");
  auto files = bilingual(marked(), changed);
  Diagnostics diagnostics;
  const auto one = stamped(*in_memory(files), "chapters/es/second.md", 24, diagnostics);
  REQUIRE(one);
  files["chapters/es/second.md"] = *one;
  CHECK(
      small_book::build(files).errors ==
      R"(chapters/es/second.md:12:1: warning: the original of this block has changed [stale-translation]
  ```figure
  ^^^^^^^^^
  note: the current original is chapters/en/second.md:8
1 warning
)");
  const auto all = stamped(*in_memory(files), "chapters/es/second.md", std::nullopt, diagnostics);
  REQUIRE(all);
  files["chapters/es/second.md"] = *all;
  CHECK(small_book::build(files).errors == "");
  CHECK(to_text(diagnostics, Format::text) == "");
}

TEST_CASE("translation: a stamp adds marks and keeps every other byte, whatever ends lines") {
  const auto stamp = [](const std::string& text, std::optional<int> line = std::nullopt) {
    auto files = bilingual(text, "---\ntitle: One\n---\n\nOne.\n\nTwo.\n");
    Diagnostics diagnostics;
    const auto made = stamped(*in_memory(files), "chapters/es/second.md", line, diagnostics);
    return made ? *made : to_text(diagnostics, Format::text);
  };
  const auto without_marks = [](std::string text) {
    for (const std::string_view mark : {"<!-- from ", "from: \""}) {
      for (auto at = text.find(mark); at != text.npos; at = text.find(mark))
        text.erase(at, text.find_first_of("\r\n", at) - at);
    }
    std::erase_if(text, [](char c) { return c == '\r' || c == '\n'; });
    return text;
  };
  for (const char* end : {"\n", "\r\n", "\r"}) {
    const std::string text = replace_all("---\ntitle: Uno\n---\n\nUno.\n\nDos.\n", "\n", end);
    INFO(text);
    const std::string made = stamp(text);
    CHECK(made.find(std::string("title: Uno") + end + "from: \"") != made.npos);
    CHECK(made.find(std::string(" -->") + end + "Dos.") != made.npos);
    CHECK(without_marks(made) == without_marks(text));
    CHECK(stamp(made) == made);
  }
  const std::string marked_after_return =
      "---\ntitle: U\n---\n\nUno\rdos.\n\n<!-- from 00000000 -->\nTres palabras.\n";
  CHECK(without_marks(stamp(marked_after_return)) == without_marks(marked_after_return));
  CHECK(stamp("---\n  title: Uno\n---\n\nUno.\n\nDos.\n").find("\n  from: \"") !=
        std::string::npos);
  CHECK(stamp("---\n{title: Uno}\n---\n\nUno.\n\nDos.\n").find("is in braces") !=
        std::string::npos);
  CHECK(stamp("---\ntitle: Uno\n---\n\nUno.\n\nDos.\n", 99).find("there is no line 99") !=
        std::string::npos);
}

TEST_CASE("translation: a stamp is refused where the two texts differ in shape") {
  const auto refused = [](const std::string& text, const std::string& file,
                          std::optional<int> line) {
    Diagnostics diagnostics;
    CHECK(!stamped(*in_memory(bilingual(text)), file, line, diagnostics));
    return to_text(diagnostics, Format::text);
  };
  const std::string file = "chapters/es/second.md";
  CHECK(
      refused(replace_all(spanish, "Texto del final.", "- Una lista"), file, std::nullopt) ==
      R"(chapters/es/second.md:18:1: error: this is a list, and the original has a paragraph [bad-source-mark]
  - Una lista
  ^^^^^^^^^^^
  note: in the original it is chapters/en/second.md:18
  note: if the texts differ in structure, primer translate stamp chapters/es/second.md --line N marks only the block at that line
1 error
)");
  CHECK(refused(spanish + "\nMás.\n", file, std::nullopt) ==
        R"(chapters/es/second.md:20:1: error: the original has no more blocks [bad-source-mark]
  Más.
  ^^^^
  note: if the texts differ in structure, primer translate stamp chapters/es/second.md --line N marks only the block at that line
1 error
)");
  CHECK(
      refused(replace_all(spanish, "Texto del final.\n", ""), file, std::nullopt) ==
      R"(chapters/es/second.md:15:1: error: this is the last block, but the original has more [bad-source-mark]
  > [!NOTE]
  ^^^^^^^^^
  note: in the original it is chapters/en/second.md:18
  note: if the texts differ in structure, primer translate stamp chapters/es/second.md --line N marks only the block at that line
1 error
)");
  CHECK(
      refused(spanish, "chapters/es/secnod.md", std::nullopt) ==
      R"(chapters/es/secnod.md: error: this is not a translation of the book [orphaned-translation]
  did you mean "chapters/es/second.md"?
1 error
)");
}

TEST_CASE("translation: a language that is written but not named, and one that is named twice") {
  auto files = bilingual(marked());
  files["chapters/fr/second.md"] = "---\ntitle: Second\n---\n";
  CHECK(has(small_book::build(files).errors,
            "error: chapters/fr/ holds chapters, but languages in book.yaml does not list \"fr\" "
            "[unknown-language]\n"));
  auto taken = bilingual(marked());
  taken["chapters/book.yaml"] = replace_all(taken["chapters/book.yaml"], "  - slug: second\n",
                                            "  - slug: second\n  - slug: es\n");
  taken["chapters/en/es.md"] = "---\ntitle: Es\n---\n";
  CHECK(has(small_book::build(taken).errors,
            "error: address conflict: a chapter has the same name as the language \"es\" "
            "[duplicate-id]\n"));
  auto twice = bilingual(marked());
  twice["chapters/book.yaml"] =
      replace_all(twice["chapters/book.yaml"], "languages: [en, es]", "languages: [en, es, es]");
  CHECK(small_book::build(twice).errors ==
        R"(chapters/book.yaml:9:21: error: duplicate language "es" [duplicate-id]
  languages: [en, es, es]
                      ^^
1 error
)");
}

TEST_CASE("translation: a glossary entry whose original has changed is reported") {
  auto files = bilingual(marked());
  const std::string path = "chapters/es/glossary.json";
  files[path] =
      "{\n  \"hbm\": {\"term\": \"HBM\", \"definition\": \"Memoria en el paquete.\"}\n}\n";
  CHECK(small_book::build(files).errors == "");  // not marked, so its state is unknown
  Diagnostics diagnostics;
  const auto text = stamped(*in_memory(files), path, std::nullopt, diagnostics);
  REQUIRE(text);
  files[path] = *text;
  CHECK(has(*text, "\"Memoria en el paquete.\", \"from\": \""));
  CHECK(small_book::build(files).errors == "");
  CHECK(has(translation_status(*in_memory(files), diagnostics),
            "terms                                1         1         0         0"));
  files["chapters/facts/glossary.json"] =
      replace_all(files["chapters/facts/glossary.json"], "on the package", "beside the chip");
  const auto built = small_book::build(files);
  CHECK(has(built.errors,
            "chapters/es/glossary.json:2:10: warning: the original of this entry has changed "
            "[stale-translation]"));
  CHECK(has(translation_status(*in_memory(files), diagnostics),
            "terms                                1         0         1         0"));
  files["chapters/facts/glossary.json"] =
      replace_all(files["chapters/facts/glossary.json"], "\"hbm\"",
                  "\"gpu\": {\"term\": \"GPU\", \"definition\": \"A chip.\"}, \"hbm\"");
  CHECK(has(small_book::build(files).errors,
            "chapters/facts/glossary.json:1:9: warning: not translated in "
            "chapters/es/glossary.json [missing-translation]"));
  const auto again = stamped(*in_memory(files), path, std::nullopt, diagnostics);
  REQUIRE(again);
  CHECK(again->size() == text->size());
  CHECK(to_text(diagnostics, Format::text) == "");
}

TEST_CASE(
    "translation: one that is pending is the original, under one notice and without warnings") {
  const auto changed = replace_all(original, "Text of the end.", "Another end.\n\nAnd more.");
  auto files = bilingual(
      replace_all(marked(), "title: Segundo\n", "title: Segundo\ntranslation: pending\n"), changed);
  const std::string link = "---\ntitle: Primero\n---\nMira [la sección](second.md#only-section).\n";
  files["chapters/es/01-first.md"] = link;
  Diagnostics diagnostics;
  files["chapters/es/01-first.md"] =
      stamped(*in_memory(files), "chapters/es/01-first.md", std::nullopt, diagnostics).value_or("");
  const auto built = small_book::build(files);
  CHECK(built.errors == "");
  const std::string& page = built.site.at("es/second/index.html");
  for (const char* part :
       {"<html lang=\"es\"", "<main id=\"text\" class=\"chapter\" lang=\"en\">",
        "Sin traducir: es el original.", "Another end.", "And more.", "id=\"fig-round\"",
        "<link rel=\"canonical\" href=\"https://example.org/book/second/\"/>"}) {
    INFO(part);
    CHECK(has(page, part));
  }
  CHECK(!has(page, "Texto"));
  CHECK(has(built.site.at("es/first/index.html"),
            "<a href=\"../second/#only-section\">la sección</a>"));
  // The copy from the cache is the same.
  const auto in_cache = [&](const std::string& text) {
    MemoryCache cache(1 << 20);
    std::vector<std::string> languages;
    for (int i = 0; i < 2; ++i) {
      files["chapters/es/second.md"] = text;
      const auto book = load_book(*in_memory(files), diagnostics, &cache);
      languages.push_back(book.value().locales.front().chapters.at(1).language);
    }
    return languages;
  };
  const std::string pending = files["chapters/es/second.md"];
  CHECK(in_cache(pending) == std::vector<std::string>{"en", "en"});
  CHECK(in_cache(marked()) == std::vector<std::string>{"es", "es"});
  files["chapters/es/second.md"] = pending;
  // Its blocks can be marked while it is pending.
  const auto text = stamped(*in_memory(files), "chapters/es/second.md", 4, diagnostics);
  CHECK(to_text(diagnostics, Format::text) == "");
  REQUIRE(text);
  files["chapters/es/second.md"] = replace_all(*text, "translation: pending\n", "");
  CHECK(has(small_book::build(files).site.at("es/second/index.html"), "Texto del principio."));
  files["chapters/es/second.md"] =
      replace_all(*text, "translation: pending\n", "translation: later\n");
  CHECK(has(small_book::build(files).errors, "chapters/es/second.md:3:14: error:"));
  files = bilingual(
      marked(), replace_all(original, "title: Second\n", "title: Second\ntranslation: pending\n"));
  CHECK(has(small_book::build(files).errors,
            "chapters/en/second.md:3:1: error: only a translation can be marked as pending"));
}
