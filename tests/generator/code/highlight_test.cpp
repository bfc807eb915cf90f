#include "generator/core/code/highlight.hpp"

#include <algorithm>
#include <thread>

#include "catch.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/code/highlight_query.hpp"
#include "generator/core/formats/text_pattern.hpp"

using namespace primer;

namespace {

// <k|const> for <span class="hl-k">const</span>: short enough to read.
std::string colours(std::string_view language, std::string_view code) {
  const auto lines = highlight(language, code);
  if (!lines) return lines.error().message + " -> " + lines.error().suggestion;
  std::string all = join(*lines, "\n");
  for (const char letter : std::string("ktfsncovpd")) {
    const std::string span = std::string("<span class=\"hl-") + letter + "\">";
    all = replace_all(std::move(all), span, std::string("<") + letter + "|");
  }
  return replace_all(std::move(all), "</span>", ">");
}

bool found(std::string_view pattern, std::string_view text) {
  const auto parsed = TextPattern::parse(pattern);
  REQUIRE(parsed);
  return parsed->found_in(text);
}

HighlightQuery json_query(std::string_view query) {
  for (const Grammar& grammar : grammars()) {
    if (grammar.name != "json") continue;
    auto compiled = HighlightQuery::compile({"json", grammar.language, query});
    REQUIRE(compiled);
    return std::move(compiled.value());
  }
  FAIL("there is no json grammar");
  std::abort();
}

}  // namespace

TEST_CASE("a diff shows what was added and what was removed", "[highlight]") {
  CHECK(colours("diff", "- old\n+ new\n same\n") == "<d|- old>\n<s|+ new>\n same");
  CHECK(
      colours("diff", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- was\n+++ is\n-a<b") ==
      "<c|diff --git a/x b/x>\n<c|--- a/x>\n<c|+++ b/x>\n<c|@@ -1 +1 @@>\n<d|--- was>\n"
      "<s|+++ is>\n<d|-a&lt;b>");
}

TEST_CASE("C++ is coloured, escaped, and closed at each line's end", "[highlight]") {
  CHECK(colours("cpp", R"(#include <cstdint>
[[nodiscard]] float dot(const float* a, int n = 8) {
  /* two
     lines & < */
  for (int i = 0; i < n; ++i) s += a[i] >> 2;  // s
  return static_cast<float>(this->y) + f('\n');
}
template <class T> struct Foo { T t; };
)") == R"(<p|#include> <s|&lt;cstdint&gt;>
<p|[[nodiscard]]> <t|float> <f|dot>(<k|const> <t|float><o|*> <v|a>, <t|int> <v|n> <o|=> <n|8>) {
  <c|/* two>
     <c|lines &amp; &lt; */>
  <k|for> (<t|int> i <o|=> <n|0>; i <o|&lt;> n; <o|++>i) s <o|+=> a[i] <o|&gt;&gt;> <n|2>;  <c|// s>
  <k|return> <f|static_cast>&lt;<t|float>&gt;(<k|this><o|-&gt;>y) <o|+> <f|f>(<s|'\n'>);
}
<k|template> &lt;<k|class> <t|T>&gt; <k|struct> <t|Foo> { <t|T> t; };)");
}

TEST_CASE("the other languages", "[highlight]") {
  CHECK(colours("cuda", "__global__ void axpy(int n) {\n  __shared__ float t[32];\n}") ==
        "<k|__global__> <t|void> <f|axpy>(<t|int> <v|n>) {\n"
        "  <k|__shared__> <t|float> t[<n|32>];\n}");
  CHECK(colours("c", "int f(void) { return sizeof(int); }") ==
        "<t|int> <f|f>(<t|void>) { <k|return> <k|sizeof>(<t|int>); }");
  CHECK(colours("python", "def f(self, x=2):\n    return np.dot(x, Y) not in z  # no") ==
        "<k|def> <f|f>(<k|self>, <v|x><o|=><n|2>):\n"
        "    <k|return> np.<f|dot>(x, <n|Y>) <k|not in> z  <c|# no>");
  CHECK(colours("sh", "for f in *.c; do echo \"x ${f}\" | wc -l; done") ==
        "<k|for> f <k|in> *.c; <k|do> <f|echo> <s|\"x> <v|${f}><s|\"> <o||> <f|wc> <n|-l>; "
        "<k|done>");
  CHECK(colours("js", "const f = (a) => `x ${a}` + /re/g;") ==
        "<k|const> <f|f> <o|=> (<v|a>) <o|=&gt;> <s|`x> ${a}<s|`> <o|+> <s|/re/g>;");
  CHECK(colours("json", "{\"a\": [1, true, \"x\\n\"]}") ==
        "{<t|\"a\">: [<n|1>, <n|true>, <s|\"x\\n\">]}");
  CHECK(colours("console", "$ primer build --stats\nbuilt <3> pages\n") ==
        "<p|$> <f|primer> build <n|--stats>\nbuilt &lt;3&gt; pages");
}

TEST_CASE("languages of other books", "[highlight]") {
  CHECK(
      colours(
          "rust",
          "pub fn area(r: &Rect) -> u32 {\n    let x = 2; // two\n    println!(\"{}\", r.w * x);\n}") ==
      R"(<k|pub> <k|fn> <f|area>(<v|r>: <o|&amp;><t|Rect>) -&gt; <t|u32> {
    <k|let> x = <n|2>; <c|// two>
    <f|println!>(<s|"{}">, r.w <o|*> x);
})");
  CHECK(colours("rs", "use std::io;") == colours("rust", "use std::io;"));
  CHECK(colours("go",
                "package main\n\nfunc add(a int) (int, error) {\n\treturn a + 1, nil // one\n}") ==
        R"(<k|package> main

<k|func> add(a <t|int>) (<t|int>, <t|error>) {
	<k|return> a <o|+> <n|1>, <n|nil> <c|// one>
})");
  CHECK(
      colours("java", "class A {\n  static int f(String s) { return s.length() + 1; } // one\n}") ==
      R"(<k|class> <t|A> {
  <k|static> <t|int> <f|f>(<t|String> s) { <k|return> s.<f|length>() + <n|1>; } <c|// one>
})");
  CHECK(colours("toml", "[package]\nname = \"a\" # one\nn = 2") == R"([<t|package>]
<t|name> <o|=> <s|"a"> <c|# one>
<t|n> <o|=> <n|2>)");
  CHECK(colours("ts", "interface P { x: number }\nconst f = (p: P): string => `${p.x}`; // one") ==
        R"(<k|interface> <t|P> { x: <t|number> }
<k|const> <f|f> <o|=> (<v|p>: <t|P>): <t|string> <o|=&gt;> <s|`>${p.x}<s|`>; <c|// one>)");
}

TEST_CASE("WGSL", "[highlight]") {
  CHECK(colours("wgsl",
                "@compute @workgroup_size(8)\nfn main(id: vec3<u32>) {\n"
                "  let x = 1.5e-3f; /* a /* b */ c */ y[0x1F] = max(x, 2u); // z\n}") ==
        "<p|@compute> <p|@workgroup_size>(<n|8>)\n"
        "<k|fn> <f|main>(id: <t|vec3><o|&lt;><t|u32><o|&gt;>) {\n"
        "  <k|let> x <o|=> <n|1.5e-3f>; <c|/* a /* b */ c */> y[<n|0x1F>] <o|=> "
        "<f|max>(x, <n|2u>); <c|// z>\n}");
  CHECK(colours("wgsl", "1. 2.f 3.x 0X1F") == "<n|1.> <n|2.f> <n|3.>x <n|0X1F>");
  CHECK(colours("wgsl", "/* never\nclosed") == "<c|/* never>\n<c|closed>");
}

TEST_CASE("languages of the word scanner", "[highlight]") {
  CHECK(colours("julia",
                "function f!(a::Vector{Float64}) # one\n  @inbounds a[1] = 2e-3; b = a'\nend\n"
                "#= a #= b =# c =# \"\"\"x\n\"y\" \"\"\"") ==
        "<k|function> <f|f!>(a::<t|Vector>{<t|Float64>}) <c|# one>\n"
        "  <p|@inbounds> a[<n|1>] <o|=> <n|2e-3>; b <o|=> a'\n<k|end>\n"
        "<c|#= a #= b =# c =#> <s|\"\"\"x>\n<s|\"y\" \"\"\">");
  CHECK(colours("makefile", "all: a.o # one\n\t$(CC) -o $@ $<\nifeq ($(A),1)\nA := 2") ==
        "<f|all:> a.o <c|# one>\n\t<v|$(CC)> -o <v|$@> <v|$&lt;>\n"
        "<k|ifeq> (<v|$(A)>,<n|1>)\nA :<o|=> <n|2>");
  CHECK(colours("r", "x.y <- if (TRUE) f(2L) else NULL %in% 'a' # one") ==
        "x.y <o|&lt;-> <k|if> (<n|TRUE>) <f|f>(<n|2L>) <k|else> <n|NULL> <o|%in%> <s|'a'> "
        "<c|# one>");
  CHECK(colours("zig", "pub fn main() !void { const a: u8 = @intCast(0x1F); } // one") ==
        "<k|pub> <k|fn> <f|main>() <o|!><t|void> { <k|const> a: <t|u8> <o|=> "
        "<p|@intCast>(<n|0x1F>); } <c|// one>");
}

TEST_CASE("plain and unknown languages", "[highlight]") {
  CHECK(colours("yaml", "a: <b>\r\n\ttwo \x01") == "a: &lt;b&gt;\n\ttwo \xEF\xBF\xBD");
  CHECK(colours("text", "") == "");
  CHECK(colours("pyhton", "") == "unknown language \"pyhton\" -> python");
  CHECK(highlights("cuda"));
  CHECK_FALSE(highlights("pyhton"));
}

TEST_CASE("too much code is refused", "[highlight]") {
  const auto lines = highlight("text", std::string(largest_code_block + 3, 'x'));
  REQUIRE_FALSE(lines);
  CHECK(lines.error().message == "a code block has at most 32 KiB");
  CHECK(lines.error().length == 3);
}

TEST_CASE("code made to hurt the parser comes back whole", "[highlight]") {
  for (const char* language : {"c", "cpp", "python", "bash", "javascript", "json", "wgsl", "rust",
                               "go", "java", "toml", "typescript", "julia", "make", "r", "zig"}) {
    for (const std::string piece : {"{(", "a<", "\"", "`${", "[", ")", "x=(\n", "/*", "<<A\n"}) {
      INFO(language << " " << piece);
      std::string code;
      while (code.size() < 4000) code += piece;
      const auto lines = highlight(language, code);
      CHECK((lines && lines->size() == split_lines(code).size()));
    }
  }
}

TEST_CASE("broken code keeps its text", "[highlight]") {
  CHECK(colours("cpp", "}}} int ((( \"open") == "}}} <t|int> ((( \"open");
}

TEST_CASE("every language's query fits its grammar", "[highlight]") {
  for (const Grammar& grammar : grammars()) {
    INFO(grammar.name);
    const auto query = HighlightQuery::compile(grammar);
    REQUIRE(query);
    // JavaScript's two patterns about names that are not local. TypeScript has them, too.
    const bool script = grammar.name == "javascript" || grammar.name == "typescript";
    CHECK(query->disabled() == (script ? 2 : 0));
  }
}

TEST_CASE("conditions of a query", "[highlight]") {
  const std::string code = "[\"aa\", 12, \"b\"]";
  const auto painted = [&](std::string_view query) {
    const auto painting = json_query(query).paint(code);
    REQUIRE(painting);
    return painted_lines(code, *painting).front();
  };
  CHECK(painted("((string) @string (#match? @string \"^.a+.$\"))") ==
        "[<span class=\"hl-s\">\"aa\"</span>, 12, \"b\"]");
  CHECK(painted("((number) @number (#eq? @number \"12\"))") ==
        "[\"aa\", <span class=\"hl-n\">12</span>, \"b\"]");
  CHECK(painted("((number) @number (#any-of? @number \"13\" \"14\"))") == code);
}

TEST_CASE("a pattern with a condition that is not understood is left out", "[highlight]") {
  for (const char* query :
       {"((string) @string (#is-not? local))", "((string) @string (#match? @string \"\\\\ba\"))",
        "(array (string) @string (number) @number (#eq? @string @number))"}) {
    INFO(query);
    const HighlightQuery compiled = json_query(query);
    CHECK(compiled.disabled() == 1);
    CHECK(compiled.paint("[\"aa\", 1]").value() == Painting(9, Paint::none));
  }
}

TEST_CASE("a query that does not fit its grammar says where", "[highlight]") {
  const auto wrong =
      HighlightQuery::compile({"json",
                               std::find_if(grammars().begin(), grammars().end(),
                                            [](const Grammar& one) { return one.name == "json"; })
                                   ->language,
                               "(null) (nul)"});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message == "the highlighting query of json does not fit the grammar");
  CHECK(wrong.error().offset == 8);
}

TEST_CASE("patterns match like regular expressions", "[highlight]") {
  CHECK(found("^[A-Z][A-Z\\d_]*$", "MR"));
  CHECK(found("^[A-Z][A-Z\\d_]*$", "K_2"));
  CHECK_FALSE(found("^[A-Z][A-Z\\d_]*$", "Mr"));
  CHECK(found("^(abs|all)$", "all"));
  CHECK_FALSE(found("^(abs|all)$", "alls"));
  CHECK(found("b+c", "abbbcd"));
  CHECK_FALSE(found("b+c", "ac"));
  CHECK(found("a(bc|d)*e?$", "abcdbc"));
  CHECK(found("\\w\\.", "x."));
  CHECK(found("", ""));
  CHECK(found("^a{2}$", "aa"));
  CHECK_FALSE(found("^a{2}$", "aaa"));
  CHECK(found("^(ab?){2,3}$", "abaab"));
  CHECK_FALSE(found("^(ab?){2,3}$", "a"));
  CHECK(found("^a{1,}$", "aaaa"));
  CHECK(found("^[^#]+(#[a-z]+)?$", "a/b.cpp#c"));
  CHECK_FALSE(found("^[^#]+(#[a-z]+)?$", "a#b#c"));
  CHECK(found("^[a-z]+(-[a-z]+)*$", "a-bc-d"));
  CHECK_FALSE(found("^[a-z]+(-[a-z]+)*$", "a--b"));
  CHECK(found("^(a(b|cd)|e)$", "acd"));
  CHECK(found("x|^a$", "a"));
  CHECK_FALSE(found("^a$", "a\nb"));
  CHECK(found("()*", ""));
  for (const char* refused : {"[a", "(a", "a)", "\\b", "^*", "(?:a)", "{2}", "a{2", "a{3,2}",
                              "a{9999}", "((a{99}){99}){99}", "[b-a]"}) {
    INFO(refused);
    CHECK_FALSE(TextPattern::parse(refused));
  }
}

TEST_CASE("a pattern takes time in proportion to its text, and no call for each character",
          "[highlight]") {
  const std::string long_text(300'000, 'a');
  CHECK_FALSE(found("^(a*)*b$", long_text));
  CHECK_FALSE(found("^(a|aa)+b$", long_text));
  CHECK(found("^[a-z]+(-[a-z]+)*$", long_text));
  CHECK_FALSE(TextPattern::parse(std::string(100'000, '(')));
  CHECK_FALSE(TextPattern::parse(std::string(100'000, 'a')));
}

TEST_CASE("a pattern's predicates must hold for every capture", "[highlight]") {
  const std::string code = "{\"a\": \"b\", \"c\": \"b\", \"a\": \"d\"}";
  const auto painting = json_query(
                            "((pair key: (string) @type value: (string) @string) "
                            "(#eq? @type \"\\\"a\\\"\") (#match? @string \"b\"))")
                            .paint(code);
  REQUIRE(painting);
  CHECK(painted_lines(code, *painting).front() ==
        "{<span class=\"hl-t\">\"a\"</span>: <span class=\"hl-s\">\"b\"</span>, "
        "\"c\": \"b\", \"a\": \"d\"}");
}

TEST_CASE("several threads get the same lines", "[highlight]") {
  const std::string code = "static int f(int x) { return x; }\n";
  const std::string expected = colours("cpp", code);
  std::vector<std::string> results(8);
  std::vector<std::thread> threads;
  for (std::string& result : results) {
    threads.emplace_back([&] { result = colours("cpp", code); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& result : results) CHECK(result == expected);
}
