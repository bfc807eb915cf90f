// Languages that a book describes by their words.
#include "catch.hpp"
#include "generator/code/highlight.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

// The HTML of each line, and a bar behind it.
std::string colours(const WordLanguage& language, const std::string& code) {
  const auto lines = highlight(language, code);
  REQUIRE(lines);
  std::string all;
  for (const auto& line : *lines) all += line + '|';
  return all;
}

const WordLanguage pascal = [] {
  WordLanguage language{"pascal"};
  language.keywords = {"begin", "end"};
  language.types = {"integer"};
  language.constants = {"true"};
  language.comments = {"//"};
  language.block_comments = {{"(*", "*)"}, {"{", "}"}};
  language.strings = {"'", "'''"};
  language.attributes = {"@"};
  language.variables = {"$"};
  language.word_characters = "-";
  language.any_case = true;
  return language;
}();

}  // namespace

TEST_CASE("word scanner: words, numbers, comments and texts have their colours") {
  CHECK(colours(pascal, "BEGIN x") == "<span class=\"hl-k\">BEGIN</span> x|");
  CHECK(colours(pascal, "integer true") ==
        "<span class=\"hl-t\">integer</span> <span class=\"hl-n\">true</span>|");
  CHECK(colours(pascal, "run(1.5e-3)") ==
        "<span class=\"hl-f\">run</span>(<span class=\"hl-n\">1.5e-3</span>)|");
  CHECK(colours(pascal, "1..2") == "<span class=\"hl-n\">1</span>..<span class=\"hl-n\">2</span>|");
  CHECK(colours(pascal, "begin-x @a $b") ==
        "begin-x <span class=\"hl-p\">@a</span> <span class=\"hl-v\">$b</span>|");
  CHECK(colours(pascal, "x // end\nend") ==
        "x <span class=\"hl-c\">// end</span>|<span class=\"hl-k\">end</span>|");
  CHECK(
      colours(pascal, "(* a\nb *)c{d}e") ==
      "<span class=\"hl-c\">(* a</span>|<span class=\"hl-c\">b *)</span>c<span class=\"hl-c\">{d}</span>e|");
  CHECK(colours(pascal, "'a\\'b' 'c\nd") ==
        "<span class=\"hl-s\">'a\\'b'</span> <span class=\"hl-s\">'c</span>|d|");
  CHECK(colours(pascal, "'''a\n'b''' x") ==
        "<span class=\"hl-s\">'''a</span>|<span class=\"hl-s\">'b'''</span> x|");
  CHECK(colours(pascal, "<ä>") ==
        "<span class=\"hl-o\">&lt;</span>ä<span class=\"hl-o\">&gt;</span>|");
}

TEST_CASE("word scanner: what is never closed goes on to the end, and nothing is read beyond it") {
  for (const char* code : {"(*", "(* a", "'", "'\\", "'''\\", "@", "$", "{", "1e", "-"}) {
    INFO(code);
    CHECK(highlight(pascal, code));
  }
  CHECK(!highlight(pascal, std::string(largest_code_block + 1, 'x')));
}

TEST_CASE("word scanner: a book describes its languages in book.yaml") {
  auto files = small_book::with("```zig\nfn x // y\n```\n\n```listing\nsource: src/a.zig#r\n```\n");
  files["chapters/book.yaml"] += "code:\n  zig: {keywords: [fn], comment: //, files: .zig}\n";
  files["src/a.zig"] = "// region: r\nfn z\n// end region: r\n";
  const auto built = small_book::build(files);
  CHECK(built.errors == "");
  const std::string& page = built.site.at("first/index.html");
  CHECK_THAT(page, Catch::Contains("<code class=\"language-zig\"><span class=\"hl-k\">fn</span> x "
                                   "<span class=\"hl-c\">// y</span>"));
  CHECK_THAT(page, Catch::Contains("<span class=\"hl-k\">fn</span> z"));
  files["chapters/book.yaml"] += "  Zag: {}\n  zog: {keyword: [a], block_comments: [[a]]}\n";
  const auto errors = small_book::build(files).errors;
  CHECK_THAT(errors, Catch::Contains("\"Zag\" is not an id"));
  CHECK_THAT(errors, Catch::Contains("has no key \"keyword\""));
  CHECK_THAT(errors, Catch::Contains("must hold at least 2"));
}
