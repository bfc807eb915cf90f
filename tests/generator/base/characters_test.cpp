// Invisible characters in every place where a book can show them, and in words of languages that
// need them.
#include "generator/core/base/characters.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/collect/collection.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/pipeline/build_stats.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

struct Case {
  const char* name;
  std::string bytes;
  const char* json;  // the same as an escape of JSON and YAML
};

const Case hidden[] = {
    {"U+202E", "\u202E", "\\u202e"}, {"U+202A", "\u202A", "\\u202a"},
    {"U+2066", "\u2066", "\\u2066"}, {"U+200E", "\u200E", "\\u200e"},
    {"U+200B", "\u200B", "\\u200b"}, {"U+200D", "\u200D", "\\u200d"},
    {"U+2060", "\u2060", "\\u2060"}, {"U+FEFF", "\uFEFF", "\\ufeff"},
    {"U+FFFF", "\uFFFF", "\\uffff"}, {"U+FDD0", "\uFDD0", "\\ufdd0"},
    {"U+0085", "\u0085", "\\u0085"}, {"U+009B", "\u009B", "\\u009b"},
    {"U+2028", "\u2028", "\\u2028"}, {"U+3164", "\u3164", "\\u3164"},
    {"U+180E", "\u180E", "\\u180e"},
};

const std::string front = "---\ntitle: First\n---\n";

// A file, and a text for it in which % is replaced by the character.
struct Place {
  const char* file;
  std::string text;
  bool escaped;  // written as "\u202e"
};

const Place places[] = {
    {"chapters/en/01-first.md", front + "A wo%rd.\n", false},
    {"chapters/en/01-first.md", front + "## A wo%rd\n", false},
    {"chapters/en/01-first.md", front + "Run `curl a | s%h`.\n", false},
    {"chapters/en/01-first.md", front + "```bash\ncurl a | s%h\n```\n", false},
    {"chapters/en/01-first.md", front + "[A word](https://example.org/%)\n", false},
    {"chapters/en/01-first.md", front + "![A w%rd](dot.svg)\n", false},
    {"chapters/en/01-first.md", front + "A $x%y$.\n", false},
    {"chapters/en/01-first.md", "---\ntitle: Fi%rst\n---\n", false},
    {"chapters/en/01-first.md", "---\ntitle: \"Fi%rst\"\n---\n", true},
    {"chapters/en/01-first.md",
     front + "```quiz\nid: q-x\nask: \"a%b\"\nchoices:\n  - {say: a, why: b, right: true}\n"
             "  - {say: c, why: d}\n```\n",
     true},
    {"chapters/book.yaml",
     "title: \"Sm%all\"\nchapters:\n  - slug: first\n    number: 1\n  - slug: second\n", true},
    {"chapters/book.yaml",
     "title: Sm%all\nchapters:\n  - slug: first\n    number: 1\n  - slug: second\n", false},
    {"chapters/facts/glossary.json", R"({"hbm": {"term": "H%BM", "definition": "Memory."}})",
     false},
    {"chapters/facts/glossary.json", R"({"hbm": {"term": "H%BM", "definition": "Memory."}})", true},
    {"chapters/facts/chips.json", R"({"a%b": {"title": "NVIDIA H100 SXM", "vendor": "NVIDIA"}})",
     true},
    {"figures/profiles/test.json",
     R"({"schema": 1, "created": "2026-11-20", "name": "Te%st", "results": []})", true},
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

std::string with_name(const Place& place, const Case& character) {
  return replace_all(place.text, "%",
                     place.escaped ? std::string(character.json) : character.bytes);
}

std::string errors_in(const std::string& file, const std::string& text) {
  auto files = small_book::with("");
  files[file] = text;
  return small_book::build(files).errors;
}

std::string first_in(std::string_view text, TextKind kind = TextKind::prose) {
  const auto found = first_hidden_character(text, kind);
  return found ? std::to_string(found->offset) + ' ' + found->name : "";
}

}  // namespace

TEST_CASE("characters: an invisible character is an error with its place, wherever it is shown") {
  for (const auto& place : places) {
    for (const auto& character : hidden) {
      INFO(place.file << ' ' << place.text << ' ' << character.name);
      const std::string errors = errors_in(place.file, with_name(place, character));
      CHECK(holds(errors, character.name));
      CHECK(holds(errors, "[hidden-character]"));
      const auto at = errors.find(place.file);
      REQUIRE(at != errors.npos);
      CHECK(errors[at + std::string(place.file).size()] == ':');  // a line and a column
      CHECK(!holds(errors, character.bytes));  // nothing of it reaches the terminal
    }
  }
}

TEST_CASE("characters: a text that must not be empty shows something") {
  for (const char* blank : {" ", "\u00ad", "\u2800", "\u00a0", "\u3000", "\u2003\u00ad"}) {
    INFO(blank);
    CHECK(primer::is_blank(blank));
    auto files = small_book::with("");
    files["chapters/en/01-first.md"] = std::string("---\ntitle: \"") + blank + "\"\n---\nText.\n";
    const std::string errors = small_book::build(files).errors;
    CHECK(errors.find("\"title\" must not be empty") != errors.npos);
  }
  CHECK(primer::is_blank(""));
  for (const char* shown : {"a", "\u00ada", "\u2801", "\u00e9", "-"})
    CHECK_FALSE(primer::is_blank(shown));
}

TEST_CASE("characters: none comes in by an entity of Markdown") {
  for (const char* entity : {"&#x202e;", "&#8238;", "&#x200B;", "&ZeroWidthSpace;", "&lrm;",
                             "&NoBreak;", "&#xFFFF;", "&#x9b;", "&zwj;"}) {
    INFO(entity);
    for (const std::string text :
         {"A word % here.\n", "## A % word\n", "[a % b](second.md)\n", "| a % |\n|---|\n| b |\n",
          "[word](https://example.org/%)\n", "![a % b](dot.svg)\n"}) {
      INFO(text);
      CHECK(holds(small_book::errors(replace_all(text, "%", entity)), "[hidden-character]"));
    }
    CHECK(small_book::errors("Write `" + std::string(entity) + "` for it.\n") == "");
  }
}

TEST_CASE("characters: a listing shows what it holds, or is refused with the place") {
  auto files = small_book::with("```listing\nsource: wasm_kernels/add.cpp#body\n```\n");
  files["wasm_kernels/add.cpp"] =
      "int before;\n// region: body\nint a = 1; /*\u202E*/\n// end region: body\n";
  CHECK(holds(small_book::build(files).errors,
              "wasm_kernels/add.cpp:3:14 contains U+202E (right-to-left override)"));
}

TEST_CASE("characters: joiners and selectors stand where emoji and scripts need them") {
  for (const std::string good :
       {"\U0001F469\u200D\U0001F4BB", "\u2764\uFE0F\u200D\U0001F525", "1\uFE0F\u20E3",
        "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645", "\u0915\u094D\u200D\u0937",
        "\u09B0\u200D\u09CD\u09AF", "\u845B\U000E0100", "so\u00ADfar",
        "\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F", "\u2229\uFE00",
        "\u00B5s, \u0394t"}) {
    INFO(good);
    CHECK(first_in(good) == "");
    CHECK(small_book::errors("A text: " + good + ".\n") == "");
  }
  for (const std::string bad :
       {"a\u200Db", "a\u200Cb", "\u200D", "1\u200D2", "\U0001F469\u200Da", "a\uFE0Fb",
        "a\U000E0100", "a\U000E0067", "\U0001F3F4\U000E0067a", "\u0645\u200Ca"}) {
    INFO(bad);
    CHECK(first_in(bad) != "");
  }
  CHECK(first_in("\u0645\u06CC\u200C\u062E", TextKind::code) == "4 U+200C (zero width non-joiner)");
  CHECK(first_in("a\u00ADb", TextKind::code) != "");
}

TEST_CASE(
    "characters: isolates are closed in their line, in languages that are written right to left") {
  CHECK(prose_of("chapters/he/01-first.md") == TextKind::right_to_left);
  CHECK(prose_of("chapters/fa/pages/home.md") == TextKind::right_to_left);
  CHECK(prose_of("site/locales/ar.json") == TextKind::right_to_left);
  CHECK(prose_of("chapters/en/he.md") == TextKind::prose);
  CHECK(prose_of("chapters/facts/chips.json") == TextKind::prose);
  const auto rtl = [](std::string_view text) { return first_in(text, TextKind::right_to_left); };
  CHECK(rtl("\u05D0 \u2066abc\u2069 \u05D1\u200F") == "");
  CHECK(rtl("\u2067a \u2066b\u2069 c\u2069") == "");
  CHECK(rtl("\u05D0 \u2066abc\nd\u2069") != "");
  CHECK(rtl("abc\u2069") != "");
  CHECK(rtl("\u202Eabc\u202C") != "");
  CHECK(rtl(std::string(3000, 'a') + "\u2066b\u2069") != "");
  CHECK(first_in("\u05D0 \u2066abc\u2069") != "");
}

TEST_CASE("characters: many in one file are reported once, and quickly") {
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "a\u200B";
  const std::string errors = small_book::errors(many + '\n');
  CHECK(holds(errors, "\n20 errors\n"));
}

TEST_CASE("characters: nothing of a message controls a terminal or a log") {
  const std::string evil = "a\x1B[2J\u009B\u202E\n::error file=x::forged\xFF";
  Diagnostics diagnostics;
  Diagnostic d;
  d.file = "chapters/en/" + evil + ".md";
  d.message = "there is no " + evil;
  d.line = d.column = 1;
  d.excerpt = evil;
  d.suggestion = evil;
  d.notes = {evil};
  diagnostics.add(d);
  for (const Format format : {Format::text, Format::github, Format::json}) {
    const std::string text = to_text(diagnostics, format);
    INFO(text);
    for (const char* part : {"\x1B", "\u009B", "\u202E", "\n::error file=x", "\xFF"})
      CHECK(!holds(text, part));
  }
  CHECK(holds(to_text(diagnostics, Format::text), "a<U+001B>[2J<U+009B><U+202E><U+000A>::error"));
  const auto json = nlohmann::json::parse(to_text(diagnostics, Format::json));
  CHECK(holds(json.front().at("message").get<std::string>(), "\u202E"));
  BuildReport report;
  report.pages.push_back({d.file, true, {evil}});
  CHECK(!holds(explanation(report), "\n::error"));
}

TEST_CASE("characters: the page of rules shows invisible characters") {
  const std::string page = rules_page();
  CHECK(is_utf8(page));
  CHECK(holds(page, "A word&lt;U+200B&gt; here."));
  CHECK(holds(page, "A word&lt;U+0000&gt; here."));
}

TEST_CASE("characters: a word of code or a host that mixes scripts is shown with its letters") {
  const std::string said =
      small_book::errors("Call `\u0441opy(a)`.\n\n```python\np\u0430ypal = 1\n```\n");
  CHECK(holds(said,
              "warning: a word of code mixes scripts: it contains \u0441 U+0441 (Cyrillic) "
              "[mixed-scripts]"));
  CHECK(holds(said, "01-first.md:4:7: warning"));
  CHECK(holds(said, "01-first.md:7:1: warning"));
  CHECK(holds(said, "\n2 warnings\n"));
  CHECK(small_book::build(small_book::with("Call `\u0441opy(a)`.\n"))
            .site.contains("first/index.html"));
  const std::string host = small_book::errors("[here](https://g\u043E\u043Egle.com/)\n");
  CHECK(holds(host, "is xn--ggle-55da.com; it contains \u043E U+043E (Cyrillic) [mixed-scripts]"));
  CHECK(holds(small_book::errors("[here](https://b\u00FCcher.example/)\n"),
              "is xn--bcher-kva.example [mixed-scripts]"));
  for (const char* good : {"`\u0394t`", "`\u03C3_x`", "`\u00B5s`", "`\u03BBx`",
                           "`\u043F\u043E\u0442\u043E\u043A`", "`\u5909\u6570x`"}) {
    INFO(good);
    CHECK(small_book::errors(std::string("Take ") + good + ".\n") == "");
  }
  auto files = small_book::with("```listing\nsource: wasm_kernels/add.cpp#body\n```\n");
  files["wasm_kernels/add.cpp"] = "// region: body\nint a;\nint c\u043Fu;\n// end region: body\n";
  CHECK(holds(
      small_book::build(files).errors,
      "warning: a word of code in wasm_kernels/add.cpp:3 mixes scripts: it holds \u043F U+043F (Cyrillic)"));
  CHECK(punycode_host("\u4F8B\u3048.\u30C6\u30B9\u30C8") == "xn--r8jz45g.xn--zckzah");
}
