// A claim keeps its number and its status, however it is phrased.
#include "catch.hpp"
#include "small_book.hpp"

namespace {

small_book::Files book_with(const std::string& body) {
  auto book = small_book::with(body);
  book["chapters/facts/claims.json"] = R"({
    "cl": {"value": "22 TB/s", "as_of": "2026-11", "said": "2026-03", "status": "announced", "by": "vendor",
           "sources": ["nv"], "read": "secondary"},
    "gain": {"value": "16×", "as_of": "2026-11", "status": "simulated", "sources": ["nv"]},
    "twice": {"value": "44 TB/s", "kind": "derived", "from": "cl * 2"}})";
  book["chapters/facts/assumptions.json"] = R"({
    "int8": {"value": "1979 Top/s", "kind": "assumed", "note": "n"},
    "few": {"value": "5 tokens", "kind": "assumed", "note": "n"},
    "layers": {"value": "12", "kind": "assumed", "note": "n"}})";
  return book;
}

std::string errors(const std::string& body) { return small_book::build(book_with(body)).errors; }

std::string html(const std::string& body) {
  const auto built = small_book::build(book_with(body));
  REQUIRE(built.errors == "");
  return built.site.at("first/index.html");
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("claim: its text is its number, or words that say none") {
  for (const char* text :
       {"99 TB/s now", "now 99 TB/s", "22 TB/s now", "²² TB/s", "٩٩ TB/s", "about ½", "⑨",
        "Ⅻ racks", "𝟗𝟗 TB/s", "ninety-nine TB/s", "ninety-nine GB", "ninety %", "ninety×",
        "two million", "99 `TB/s`", "measured", "Shipping today", "it was *simulated*"}) {
    INFO(text);
    CHECK(has(errors("It has [" + std::string(text) + "](claim:cl).\n"), "[wrong-literal]"));
  }
  for (const char* text :
       {"22 TB/s", "22.0 TB/s", "announced", "the memory of its chips, this year", "a day ago",
        "one GPU", "más rápido", "mir wichtig"}) {
    INFO(text);
    CHECK(errors("It has [" + std::string(text) + "](claim:cl).\n") == "");
  }
}

TEST_CASE("claim: one count cannot replace another") {
  for (const char* link :
       {"[1979 TFLOP/s](fact:int8)", "[5 GPUs](fact:few)", "[5 images](fact:few)",
        "[5 times](fact:few)", "[16 GPUs](claim:gain)", "[3.96 PFLOP/s](<calc: 2 * int8>)",
        "[10 rows](<calc: 2 * few>)", "[8](<calc: few + 3 GPUs>)"}) {
    INFO(link);
    const std::string found = errors("It has " + std::string(link) + ".\n");
    CHECK((has(found, "[wrong-literal]") || has(found, "[bad-expression]")));
  }
  CHECK(
      errors(
          "It has [1979 Top/s](fact:int8), [5 tok](fact:few), [5](fact:few), [12 layers](fact:layers), [16×](claim:gain), "
          "[591 op/B](<calc: int8 / h100-sxm.bandwidth>).\n") == "");
  const auto worked = [](const std::string& fields) {
    return errors("```worked\nid: q-x\nask: How much?\n" + fields + "why: So.\n```\n");
  };
  CHECK(has(worked("answer: 5 op\nexpect: 5 FLOP\n"),
            "the text says 5 FLOP, but it counts op, not FLOP"));
  CHECK(has(worked("given: {n: few}\nanswer: 2 * n\nexpect: 10 GPUs\n"), "[wrong-literal]"));
  CHECK(worked("given: {n: few}\nanswer: 2 * n\nexpect: 10 tokens\n") == "");
  CHECK(has(worked("given: {cl: 99 TB/s}\nanswer: cl\nexpect: 99 TB/s\n"), "is the id of a fact"));
}

TEST_CASE("claim: what a calculation names changes its value") {
  for (const char* link : {"[0 TB/s](<calc: 0 * h100-sxm.bandwidth>)",
                           "[5 TB/s](<calc: 5 TB/s + 0 * h100-sxm.bandwidth>)",
                           "[5](<calc: 5 * h100-sxm.bandwidth / h100-sxm.bandwidth>)",
                           "[5](<calc: 5 * (h100-sxm.bandwidth / (1 TB/s)) ^ 0>)"}) {
    INFO(link);
    CHECK(has(errors("It has " + std::string(link) + ".\n"),
              "the value does not depend on h100-sxm.bandwidth"));
  }
  // Only one value decides a minimum, but each of them could.
  CHECK(errors("It has [3.35 TB/s](<calc: min(h100-sxm.bandwidth, 22 TB/s)>), "
               "[22 TB/s](<calc: max(h100-sxm.bandwidth, cl)>).\n") == "");
}

TEST_CASE("claim: one digit of an answer is enough within the tolerance of its question") {
  const auto worked = [](const std::string& fields) {
    return errors("```worked\nid: q-x\nask: How much?\n" + fields + "why: So.\n```\n");
  };
  for (const char* expect : {"0.2", "0.3"}) {
    INFO(expect);
    CHECK(has(worked("answer: 1 / 4\nexpect: " + std::string(expect) + '\n'),
              std::string(expect) + " is 20 % off the answer, 0.250 [wrong-literal]"));
    CHECK(worked("answer: 1 / 4\ntolerance: 25 %\nexpect: " + std::string(expect) + '\n') == "");
  }
  CHECK(worked("answer: 1 / 4\nexpect: 0.25\n") == "");
  CHECK(worked("answer: 1 / 3\nexpect: 0.33\n") == "");
  CHECK(worked("answer: 0.0147\nexpect: 0.015\n") == "");
  CHECK(worked("answer: 2.01\nexpect: 2\n") == "");
  CHECK(worked("answer: 5 - 5\nexpect: 0\n") == "");
  CHECK(has(worked("answer: 1 / 4\nexpect: 0.25\ntolerance: much\n"),
            "expected a tolerance such as"));
}

TEST_CASE("claim: its status appears with its number") {
  CHECK(has(html("Of [44 TB/s](fact:twice).\n"), "Announced by the vendor, as of 2026-11."));
  CHECK(has(html("Of [44 TB/s](claim:twice).\n"), "announced 2026-03, second hand"));
  CHECK(has(html("Of [22 TB/s](<calc: cl>).\n"), "cl. Announced by the vendor, as of 2026-11."));
  CHECK(has(html("Of [352 TB/s](<calc: cl * gain>).\n"), "Simulated, as of 2026-11."));
  CHECK(has(html("Of [88 TB/s](<calc: 2 * twice>).\n"), "Announced by the vendor"));
  CHECK_FALSE(has(html("Of [6.7 TB/s](<calc: 2 * h100-sxm.bandwidth>).\n"), "nnounced"));
  CHECK(has(html("Of [22 TB/s](<live: cl>).\n"), "announced 2026-03, second hand"));
  CHECK(has(
      html(
          "```worked\nid: q-x\nask: How much?\ngiven: {b: twice}\nanswer: 2 * b\nexpect: 88 TB/s\nwhy: So.\n```\n"),
      "<strong>88\u202FTB/s</strong> <span class=\"claim-badge\""));
}

TEST_CASE("claim: a name defined by a figure is not a fact") {
  auto book = book_with("```figure\nid: fig-x\nspec: x\ncaption: C.\nalt: A.\n```\n");
  book["figures/specs/x.json"] =
      R"({"kind": "split", "title": "T", "finding": "f", "given": {"h100-sxm.bandwidth": "1 TB/s"},
          "rows": [{"label": "a", "compute": "1 s"}]})";
  CHECK(has(small_book::build(book).errors, "is the name of something else"));
}

TEST_CASE("claim: no number comes from an unchecked work") {
  auto book = book_with("");
  auto& works = book["chapters/facts/references.json"];
  works.replace(works.find("true"), 4, "false");
  CHECK(has(small_book::build(book).errors, "\"nv\" has not been checked against the work itself"));
}
