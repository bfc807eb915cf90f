// The complete message after each mistake.
#include "generator/core/diagnostic/diagnostic.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "small_book.hpp"

using small_book::errors;

TEST_CASE("diagnostic: an unknown fact suggests the nearest one") {
  CHECK(
      errors("An H100 does [989 TFLOP/s](fact:h100-sxm.peak.bf61).\n") ==
      R"(chapters/en/01-first.md:4:33: error: no fact has the id "h100-sxm.peak.bf61" [unknown-fact]
  An H100 does [989 TFLOP/s](fact:h100-sxm.peak.bf61).
                                  ^^^^^^^^^^^^^^^^^^
  did you mean "h100-sxm.peak.bf16"?
1 error
)");
}

TEST_CASE("diagnostic: a wrong literal says the right value") {
  CHECK(
      errors("\n\tOne\n\n- does [990 TFLOP/s](fact:h100-sxm.peak.bf16)\n") ==
      R"(chapters/en/01-first.md:7:9: error: the text says 990 TFLOP/s, but the value is 989 TFLOP/s [wrong-literal]
  - does [990 TFLOP/s](fact:h100-sxm.peak.bf16)
          ^^^^^^^^^^^
  did you mean "989 TFLOP/s"?
1 error
)");
  CHECK(
      errors("Ridge: [294 FLOP/B](<calc: h100-sxm.peak.bf16 / h100-sxm.bandwidth>).\n") ==
      R"(chapters/en/01-first.md:4:9: error: the text says 294 FLOP/B, but the value is 295 FLOP/B [wrong-literal]
  Ridge: [294 FLOP/B](<calc: h100-sxm.peak.bf16 / h100-sxm.bandwidth>).
          ^^^^^^^^^^
  did you mean "295 FLOP/B"?
1 error
)");
  CHECK(
      errors("It reads [13.5 GB/s](<live: B.out>).\n") ==
      R"(chapters/en/01-first.md:4:11: error: the text says 13.5 GB/s, but the value is 12.5 GB/s [wrong-literal]
  It reads [13.5 GB/s](<live: B.out>).
            ^^^^^^^^^
  did you mean "12.5 GB/s"?
1 error
)");
}

TEST_CASE("diagnostic: what touches a checked number is not left to be read with it") {
  const std::string number = "[3.35 TB/s](fact:h100-sxm.bandwidth)";
  const std::string touching[] = {
      "1" + number,    "-" + number,          "−" + number,
      "0." + number,   "½" + number,          "`1`" + number,
      "$1$" + number,  "1**" + number + "**", number + "k",
      number + "²",    number + ".5",         number + ",000",
      number + "/2",   number + "·10",        number + "`0`",
      number + number, "**" + number + "**0", "[3.35 ~~TB/s~~](fact:h100-sxm.bandwidth)"};
  for (const auto& text : touching) {
    INFO(text);
    CHECK(errors("It reads " + text + " here.\n").find("[wrong-literal]") != std::string::npos);
  }
  const std::string clear[] = {number + '.',          number + ", and",   '(' + number + ')',
                               "**" + number + "**;", number + "-wide",   '"' + number + '"',
                               "“" + number + "”",    "—" + number + "—", number + "?",
                               number + '\n'};
  for (const auto& text : clear) {
    INFO(text);
    CHECK(errors("It reads " + text + " here.\n") == "");
  }
  CHECK(errors("It reads 1[5](calc:5) and [2](calc:2)[3](calc:3).\n").find("[wrong-literal]") !=
        std::string::npos);
}

TEST_CASE("diagnostic: zero is not a default") {
  for (const char* zero : {"0 PB/s", "-0 PB/s", "0 TB/s"}) {
    INFO(zero);
    CHECK(errors("It reads [" + std::string(zero) + "](fact:h100-sxm.bandwidth).\n")
              .find("[wrong-literal]") != std::string::npos);
  }
  CHECK(errors("It is [0](<calc: 1 - 1>) at first.\n") == "");
}

TEST_CASE("diagnostic: a question's own names hide no fact") {
  CHECK(
      errors(
          "```worked\nid: q-x\nask: How much?\ngiven: {h100-sxm.bandwidth: 1 TB/s}\nanswer: h100-sxm.bandwidth\n"
          "expect: 1 TB/s\nwhy: So.\n```\n")
          .find("looks like a fact's id") != std::string::npos);
}

TEST_CASE("diagnostic: the unit of a guess must exist") {
  const auto asked = [](const std::string& unit) {
    return small_book::errors(
        "```predict\nid: q-a\nask: a\nthen: b\nmeasured: gpu.read\nunit: " + unit + "\n```\n");
  };
  CHECK(asked("GB/s") == "");
  CHECK(asked("zzz").find("unknown unit 'zzz' [bad-value]") != std::string::npos);
}

TEST_CASE("diagnostic: a value link whose spaces make it plain text") {
  CHECK(
      errors("It moves [12 B](calc: 3 * 4 B) a step.\n") ==
      R"(chapters/en/01-first.md:4:17: error: this is not a link: a destination with spaces must be between < and > [dead-link]
  It moves [12 B](calc: 3 * 4 B) a step.
                  ^^^^^^^^^^^^^
  did you mean "<calc: 3 * 4 B>"?
1 error
)");
}

TEST_CASE("diagnostic: a missing figure specification") {
  CHECK(
      errors("```figure\nid: fig-x\nspec: ruond\ncaption: C.\nalt: A.\n```\n") ==
      R"(chapters/en/01-first.md:6:7: error: there is no figure specification "figures/specs/ruond.json" [unknown-figure]
  spec: ruond
        ^^^^^
  did you mean "round"?
1 error
)");
}

TEST_CASE("diagnostic: a missing listing region") {
  CHECK(
      errors("```listing\nsource: wasm_kernels/add.cpp#bdy\ncaption: C.\n```\n") ==
      R"(chapters/en/01-first.md:5:30: error: wasm_kernels/add.cpp has no region "bdy" [bad-listing]
  source: wasm_kernels/add.cpp#bdy
                               ^^^
  did you mean "body"?
1 error
)");
}

TEST_CASE("diagnostic: an include outside the book") {
  CHECK(errors("```listing\nsource: ../../etc/passwd\ncaption: C.\n```\n")
            .starts_with("chapters/en/01-first.md:5:9: error: "));
  CHECK(errors("![dot](../../../dot.svg)\n") ==
        R"(chapters/en/01-first.md:4:8: error: images must be under chapters/ [path-outside-book]
  ![dot](../../../dot.svg)
         ^^^^^^^^^^^^^^^^
1 error
)");
}

TEST_CASE("diagnostic: an unknown key of the front matter") {
  auto files = small_book::with("");
  files["chapters/en/01-first.md"] = "---\ntitle: First\nsumary: Text.\n---\n";
  CHECK(small_book::build(files).errors ==
        R"(chapters/en/01-first.md:3:1: error: the front matter has no key "sumary" [unknown-key]
  sumary: Text.
  ^^^^^^
  did you mean "summary"?
1 error
)");
}

TEST_CASE("diagnostic: YAML that the book forbids") {
  CHECK(errors("```figure\nid: fig-x\nid: fig-y\n```\n") ==
        R"(chapters/en/01-first.md:6:1: error: duplicate key "id" [bad-yaml]
  id: fig-y
  ^
1 error
)");
  CHECK(errors("> ```figure\n> id: &x fig-x\n> ```\n") ==
        R"(chapters/en/01-first.md:5:7: error: anchors are not allowed [bad-yaml]
  > id: &x fig-x
        ^
  note: a value that begins with & needs quotation marks
1 error
)");
}

TEST_CASE("diagnostic: a dead cross-reference") {
  CHECK(
      errors("See [Section](second.md#only-sections).\n") ==
      R"(chapters/en/01-first.md:4:25: error: "chapters/en/second.md" has no "only-sections" [dead-link]
  See [Section](second.md#only-sections).
                          ^^^^^^^^^^^^^
  did you mean "only-section"?
1 error
)");
  CHECK(
      errors("See [it](secnd.md).\n") ==
      R"(chapters/en/01-first.md:4:10: error: there is no "chapters/en/secnd.md" in the book [dead-link]
  See [it](secnd.md).
           ^^^^^^^^
  did you mean "second.md"?
1 error
)");
}

TEST_CASE("diagnostic: raw HTML and scripts never pass") {
  CHECK(errors("<script>alert(1)</script>\n") ==
        R"(chapters/en/01-first.md:4:1: error: raw HTML is not allowed [raw-html]
  <script>alert(1)</script>
  ^^^^^^^^^^^^^^^^^^^^^^^^^
  note: write Markdown, or put code in backticks
1 error
)");
  CHECK(errors("A [link](javascript:alert(1)).\n") ==
        R"(chapters/en/01-first.md:4:10: error: unsupported link scheme "javascript:" [unsafe-link]
  A [link](javascript:alert(1)).
           ^^^^^^^^^^^
  note: expected https:, http:, mailto:, fact:, calc:, live:, term:, claim: or a path inside the book
1 error
)");
}

TEST_CASE("diagnostic: a formula that does not parse") {
  CHECK(errors("So $a$ and $\\oops$.\n") ==
        R"(chapters/en/01-first.md:4:13: error: unknown command \oops [bad-maths]
  So $a$ and $\oops$.
              ^^^^^
1 error
)");
}

TEST_CASE("diagnostic: a formula that GitHub would render differently") {
  CHECK(errors("So $I^* = P/B$, $`I^*`$ and\n\n```math\nI^*\n```\n") ==
        R"(chapters/en/01-first.md:4:7: error: on GitHub "*" may begin or end emphasis [bad-maths]
  So $I^* = P/B$, $`I^*`$ and
        ^
  did you mean "I^\ast  = P/B"?
1 error
)");
  CHECK(
      errors("$$\n10\\,000\n$$\n") ==
      R"(chapters/en/01-first.md:5:3: error: GitHub drops the backslash of "\," between dollars [bad-maths]
  10\,000
    ^^
  did you mean "a ```math block"?
1 error
)");
  // The parser drops the backslash, so the place is the start of the formula.
  CHECK(errors("| a |\n|---|\n| x, $`\\|x\\|`$ |\n") ==
        R"(chapters/en/01-first.md:6:8: error: a bar ends the cell of a table on GitHub [bad-maths]
  | x, $`\|x\|`$ |
         ^
  did you mean "\lvert x\rvert"?
1 error
)");
  // A note is not part of the table that refers to it.
  CHECK(errors("| a |\n|---|\n| x[^1] |\n\n[^1]: So $`|x|`$.\n") == "");
}

TEST_CASE("diagnostic: dollars that begin no formula") {
  CHECK(
      errors("Costs $5; the *$n$th* one.\n") ==
      R"(chapters/en/01-first.md:4:16: error: a formula must not touch a letter or digit [bad-maths]
  Costs $5; the *$n$th* one.
                 ^^^
  did you mean "$`n`$"?
1 error
)");
  CHECK(errors("Costs \\$5/\\$6h.\n") == "");
}

TEST_CASE("diagnostic: JSON and GitHub's annotations") {
  primer::Diagnostics diagnostics;
  const primer::Source source("a,b.md", "x\n\twrong, %\n");
  diagnostics.error(primer::Rule::bad_value, source, 3, 5, "50% wrong", "right");
  CHECK(to_text(diagnostics, primer::Format::github) ==
        "::error file=a%2Cb.md,line=2,col=2,endLine=2,endColumn=7,title=bad-value::"
        "50%25 wrong; did you mean \"right\"?%0Arules/#bad-value\n");
  const auto list = nlohmann::json::parse(
      to_text(diagnostics, primer::Format::json, "https://example.org/book/"));
  CHECK(list == nlohmann::json::parse(R"([{"rule": "bad-value", "severity": "error",
    "documentation": "https://example.org/book/rules/#bad-value", "file": "a,b.md", "line": 2,
    "column": 2, "endColumn": 7, "length": 5, "message": "50% wrong", "notes": [],
    "suggestion": "right"}])"));
  CHECK(to_text(diagnostics, primer::Format::text) ==
        "a,b.md:2:2: error: 50% wrong [bad-value]\n  \twrong, %\n  \t^^^^^\n"
        "  did you mean \"right\"?\n1 error\n");
}

TEST_CASE("diagnostic: all chapters' errors, sorted, and no site") {
  auto files = small_book::with("[x](fact:none)\n");
  files["chapters/en/second.md"] = "---\ntitle: Second\n---\n<b>\n\n[](x)\n";
  const auto built = small_book::build(files, 4);
  CHECK(built.site.empty());
  CHECK(built.errors.find("01-first.md:4:10") < built.errors.find("second.md:4:1"));
  CHECK(built.errors.find("second.md:4:1") < built.errors.find("second.md:6:1"));
  CHECK(built.errors.ends_with("3 errors\n"));
}
