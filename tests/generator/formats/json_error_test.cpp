// What is told of a text that is no JSON, and where.
#include "generator/formats/json_error.hpp"

#include "catch.hpp"

namespace {

// The text as a reader sees the message: with "‸" in front of the byte that it names.
std::string told(const std::string& text, std::size_t offset) {
  const auto error = primer::explain_json(text, offset);
  REQUIRE(error.offset <= text.size());
  return text.substr(0, error.offset) + "‸" + text.substr(error.offset) + ": " + error.message;
}
// The parser stops at the first `at` of the text.
std::string stopped(const std::string& text, std::string_view at) {
  REQUIRE(text.find(at) != text.npos);
  return told(text, text.find(at));
}

}  // namespace

TEST_CASE("json error: nothing, too little, too much", "[json]") {
  CHECK(told("", 0) == "‸: the file is empty; an empty JSON file is {}");
  CHECK(told(" \n", 2) == "‸ \n: the file is empty; an empty JSON file is {}");
  CHECK(told("{\"a\": [1", 8) == "{\"a\": ‸[1: this bracket is never closed");
  CHECK(told("{\"a\": [1]", 9) == "‸{\"a\": [1]: this bracket is never closed");
  CHECK(told("{}", 2) == "{}‸: the JSON ends too early");
  CHECK(told("{}", 99) == "{}‸: the JSON ends too early");
  CHECK(stopped("{} x", "x") == "{} ‸x: there is more text after the JSON");
  CHECK(stopped("[1] ]", " ]").find("there is more text") != std::string::npos);
  CHECK(told("x", 0) == "‸x: JSON begins with { or [");
  CHECK(told("  x", 2) == "  ‸x: JSON begins with { or [");
}

TEST_CASE("json error: commas", "[json]") {
  CHECK(stopped("[1, ]", "]") == "[1‸, ]: there is no comma before a closing bracket");
  CHECK(stopped("{\"a\": 1, }", "}") ==
        "{\"a\": 1‸, }: there is no comma before a closing bracket");
  CHECK(stopped("[1 2]", "2") == "[‸1 2]: a comma or a colon is missing after this");
  CHECK(stopped("[1\n2]", "2") == "[‸1\n2]: a comma is missing at the end of this line");
  CHECK(stopped("[\"a\" \"b\"]", "\"b") ==
        "[\"a‸\" \"b\"]: a comma or a colon is missing after this");
  CHECK(stopped("[[] []]", "[]]") == "[[‸] []]: a comma or a colon is missing after this");
  CHECK(stopped("[{} {}]", "{}]") == "[{‸} {}]: a comma or a colon is missing after this");
  CHECK(stopped("[true\n\"x\"]", "\"x") ==
        "[tru‸e\n\"x\"]: a comma is missing at the end of this line");
}

TEST_CASE("json error: what JSON does not have", "[json]") {
  CHECK(stopped("['a']", "'") == "[‸'a']: JSON has double quotation marks only");
  CHECK(stopped("[1, // x\n2]", "/") == "[1, ‸// x\n2]: JSON has no comments");
  CHECK(stopped("[1, # x\n2]", "#") == "[1, ‸# x\n2]: JSON has no comments");
  CHECK(stopped("[1}", "}") == "[1‸}: this bracket closes nothing");
  CHECK(stopped("{\"a\": ]", "]") == "{\"a\": ‸]: this bracket closes nothing");
  CHECK(stopped("[,]", ",") == "[‸,]: this is not valid JSON");
  CHECK(stopped("[1, +2]", "+") == "[1, ‸+2]: this is not valid JSON");
}

TEST_CASE("json error: texts that end with their line, or hold what is no escape", "[json]") {
  CHECK(told("[\"a\nb]", 3) == "[‸\"a\nb]: this quotation mark is not closed in its line");
  CHECK(told("[\"ok\", \"a", 9) == "[\"ok\", ‸\"a: this quotation mark is not closed in its line");
  CHECK(told("[\"a\\qb\"]", 4) ==
        "[\"a\\‸qb\"]: this is not an escape of JSON; a backslash is written \\\\");
  // All of the text is wrong: it stands where none can.
  CHECK(told("[1 \"b\"]", 5) == "[‸1 \"b\"]: a comma or a colon is missing after this");
  CHECK(told("[\"]\", 1 2]", 8) == "[\"]\", ‸1 2]: a comma or a colon is missing after this");
}
