// Languages that a book defines by their words.
#include "catch.hpp"
#include "generator/core/code/highlight.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

// The HTML of each line, followed by a bar.
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

TEST_CASE("word scanner: block comments nest only in languages that allow it") {
  WordLanguage language{"own"};
  language.block_comments = {{"(*", "*)"}};
  const auto comments = [&](std::string_view code, bool nested) {
    const auto painting = paint_words(language, code, nested);
    std::string marks;
    for (const Paint paint : painting.value()) marks += paint == Paint::comment ? 'c' : '.';
    return marks;
  };
  CHECK(comments("(*a(*b*)c*)d", false) == "cccccccc....");
  CHECK(comments("(*a(*b*)c*)d", true) == "ccccccccccc.");
  CHECK(comments("(* (* *)", true) == "cccccccc");
}

TEST_CASE("word scanner: patterns come first, the longest of them, and never end within a word") {
  WordLanguage language{"own"};
  language.keywords = {"r"};
  language.comments = {"#"};
  language.strings = {"\""};
  language.patterns = {{"string", "r\"[^\"]*\""}, {"attribute", "#\\[[^\\]]*\\]"},
                       {"number", "0b[01_]+"},    {"number", "\\d+(px|em)"},
                       {"keyword", "^%\\w+"},     {"string", "'.'"},
                       {"variable", "'[a-z]+"},   {"comment", ";.*$"},
                       {"type", "[A-Z]\\w*"},     {"function", "[A-Z]+"}};
  const auto all = [&](const std::string& code) { return colours(language, code); };
  CHECK(all("r\"a\\\" r") == "<span class=\"hl-s\">r\"a\\\"</span> <span class=\"hl-k\">r</span>|");
  CHECK(all("#[a] # b") == "<span class=\"hl-p\">#[a]</span> <span class=\"hl-c\"># b</span>|");
  CHECK(all("0b1_0 12px 12pxs") ==
        "<span class=\"hl-n\">0b1_0</span> <span class=\"hl-n\">12px</span> "
        "<span class=\"hl-n\">12pxs</span>|");
  CHECK(all("%a %b\n%c") ==
        "<span class=\"hl-k\">%a</span> <span class=\"hl-o\">%</span>b|"
        "<span class=\"hl-k\">%c</span>|");
  CHECK(all("'ä' 'a' 'a") ==
        "<span class=\"hl-s\">'ä'</span> <span class=\"hl-s\">'a'</span> "
        "<span class=\"hl-v\">'a</span>|");
  CHECK(all("x ; r\nr") == "x <span class=\"hl-c\">; r</span>|<span class=\"hl-k\">r</span>|");
  CHECK(all("ABC ABc xY") == "<span class=\"hl-t\">ABC</span> <span class=\"hl-t\">ABc</span> xY|");
  // A pattern does not match inside another token.
  CHECK(all("\"0b1\"") == "<span class=\"hl-s\">\"0b1\"</span>|");
}

TEST_CASE("word scanner: no pattern takes long, whatever the code") {
  WordLanguage language{"slow"};
  language.patterns = {{"string", "(a|a|aa|a?a)*[^a]b"}, {"string", "(.*.*.*)*!"}};
  std::string line(largest_code_block - 1, '+');
  for (std::size_t i = 0; i < line.size(); i += 2) line[i] = 'a';
  CHECK_FALSE(highlight(language, line));
  // The same in lines of normal length.
  std::string lines = line;
  for (std::size_t i = 79; i < lines.size(); i += 80) lines[i] = '\n';
  CHECK(highlight(language, lines));
}

TEST_CASE("word scanner: an unclosed token extends to the end, and nothing is read beyond it") {
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
  CHECK_THAT(errors, Catch::Contains("\"Zag\" is not a valid id"));
  CHECK_THAT(errors, Catch::Contains("has no key \"keyword\""));
  CHECK_THAT(errors, Catch::Contains("must have at least 2 entries"));
}

TEST_CASE("word scanner: an invalid pattern is reported at its place in book.yaml") {
  auto files = small_book::with("```zig\n0b11 c\"x\"\n```\n");
  const std::string before = files["chapters/book.yaml"];
  const auto with = [&](const std::string& patterns) {
    files["chapters/book.yaml"] = before + "code:\n  zig: {patterns: {" + patterns + "}}\n";
    return small_book::build(files);
  };
  const auto built = with("number: '0b[01]+', string: ['c\"[^\"]*\"']");
  CHECK(built.errors == "");
  CHECK_THAT(
      built.site.at("first/index.html"),
      Catch::Contains("<span class=\"hl-n\">0b11</span> <span class=\"hl-s\">c\"x\"</span>"));
  const auto at = [](const std::string& pattern) {
    const std::string caret(std::string("  zig: {patterns: {number: '").size() + pattern.find('@'),
                            ' ');
    return caret;
  };
  const auto said = [&](std::string pattern) {
    const std::string caret = at(pattern);
    pattern.erase(pattern.find('@'), 1);
    const std::string errors = with("number: '" + pattern + "'").errors;
    INFO(errors);
    CHECK_THAT(errors, Catch::Contains("\n  " + caret + "^"));
    return errors;
  };
  CHECK_THAT(said("a*@?*"), Catch::Contains("nothing to repeat before this"));
  CHECK_THAT(said("ab@\\b"), Catch::Contains("expected d, w, s or one of"));
  CHECK_THAT(said("x[@ä]"), Catch::Contains("only ASCII characters"));
  CHECK_THAT(said("(@?:a)"), Catch::Contains("begins with its first alternative"));
  CHECK_THAT(said("a{2,@1}"), Catch::Contains("below the first"));
  CHECK_THAT(with("number: '(a'").errors, Catch::Contains("missing \")\""));
  CHECK_THAT(with("nummer: 'a'").errors, Catch::Contains("did you mean \"number\"?"));
}

TEST_CASE(
    "word scanner: where patterns take too long the page says nothing of it, the build does") {
  std::string line(30'000, '+');
  for (std::size_t i = 0; i < line.size(); i += 2) line[i] = 'a';
  auto files = small_book::with("```zig\n" + line + "\n```\n");
  files["chapters/book.yaml"] += "code:\n  zig: {patterns: {string: '(.*.*.*)*!'}}\n";
  const auto built = small_book::build(files);
  CHECK_THAT(built.errors, Catch::Contains("the patterns of \"zig\" take too long on this code"));
  CHECK_THAT(built.site.at("first/index.html"),
             Catch::Contains("<code class=\"language-zig\">a+a+"));
}
