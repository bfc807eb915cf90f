// JSON files of a book: the reasons for rejecting them, and the positions of their values.
#include "generator/core/formats/json.hpp"

#include "catch.hpp"

using namespace primer;

namespace {

// "line:column+length: message" of each error.
std::string why_refused(const std::string& text, const std::string& path = "a.json") {
  Diagnostics diagnostics;
  const auto file = parse_json(path, text, diagnostics);
  std::string out;
  for (const auto& d : diagnostics.sorted())
    out += std::to_string(d.line) + ":" + std::to_string(d.column) + "+" +
           std::to_string(d.length) + ": " + d.message;
  CHECK(out.empty() == file.has_value());
  return out;
}

// The text at the position of `path`, or its key.
std::string named_at(const std::string& text, const std::string& path, bool key = false) {
  Diagnostics diagnostics;
  const auto file = parse_json("a.json", text, diagnostics);
  REQUIRE(file);
  const auto place = json_place(*file, path);
  return key ? text.substr(place.key_offset, place.key_length)
             : text.substr(place.offset, place.length);
}

// The text with the error as the author sees it: "‸" is in front of the byte that the message
// points at.
std::string told(const std::string& text) {
  Diagnostics diagnostics;
  const auto file = parse_json("a.json", text, diagnostics);
  REQUIRE_FALSE(file);
  const auto all = diagnostics.sorted();
  REQUIRE(all.size() == 1);
  std::size_t at = 0;
  for (int line = 1; line < all[0].line; ++line) at = text.find('\n', at) + 1;
  at += static_cast<std::size_t>(all[0].column) - 1;
  return text.substr(0, at) + "‸" + text.substr(at) + ": " + all[0].message;
}

// The first line of the message, or "" for valid JSON.
std::string says(const std::string& text) {
  Diagnostics diagnostics;
  const auto file = parse_json("a.json", text, diagnostics);
  CHECK(file.has_value() == diagnostics.empty());
  const std::string all = to_text(diagnostics, Format::text);
  return all.substr(0, all.find('\n'));
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

JsonFile parsed(const std::string& text) {
  Diagnostics diagnostics;
  auto file = parse_json("a.json", text, diagnostics);
  REQUIRE(file);
  return std::move(*file);
}

// The bytes at the position of a value; for an object or an array its bracket.
std::string at(const std::string& text, const JsonPath& path) {
  const auto place = json_place(parsed(text), path);
  REQUIRE(place.offset + place.length <= text.size());
  return text.substr(place.offset, place.length);
}
std::string key(const std::string& text, const JsonPath& path) {
  const auto place = json_place(parsed(text), path);
  REQUIRE(place.key_offset + place.key_length <= text.size());
  return text.substr(place.key_offset, place.key_length);
}

}  // namespace

TEST_CASE("json file: a key twice, wherever it is, is named where it comes again", "[json]") {
  CHECK(why_refused("{\"a\": 1, \"b\": {\"a\": 2}}") == "");
  CHECK(why_refused("[{\"a\": 1}, {\"a\": 2}]") == "");
  CHECK(why_refused("{\"a\": 1,\n \"a\": 2}").find("duplicate key \"a\"") != std::string::npos);
  CHECK(why_refused("[[{\"a\": 1, \"a\": 2}]]").find("duplicate key") != std::string::npos);
}

TEST_CASE("json file: hidden characters are found behind their escapes", "[json]") {
  const std::string mark = "\\u202e";
  CHECK(why_refused("{\"a\": \"\\u00e9\"}") == "");
  CHECK(why_refused("{\"a\": [1, \"x" + mark + "\"]}").find("1:11+9") == 0);
  CHECK(why_refused("{\"b" + mark + "\": 1}").find("1:2+9") == 0);
  CHECK(why_refused("{\"a\": {\"b\": 1, \"c\": \"" + mark + "\"}}").find("1:21+8") == 0);
  CHECK(why_refused("[\"" + mark + "\"]").find("U+202E") != std::string::npos);
}

TEST_CASE("json file: the position of a value that a message names", "[json]") {
  const std::string text =
      R"({"h.peak.x": {"value": "1"}, "h": {"peak": 2}, "list": [10, {"b": [20]}], "l[0]": 3})";
  CHECK(named_at(text, "h.peak.x.value") == "\"1\"");
  CHECK(named_at(text, "h.peak") == "2");
  CHECK(named_at(text, "list[0]") == "10");
  CHECK(named_at(text, "list[1].b[0]") == "20");
  CHECK(named_at(text, "list[2]") == "[");
  CHECK(named_at(text, "list[x]") == "[");
  CHECK(named_at(text, "list[]") == "[");
  CHECK(named_at(text, "list[99999999]") == "[");
  CHECK(named_at(text, "list[1].b.c") == "[");
  CHECK(named_at(text, "list[1].missing") == "{");
  CHECK(named_at(text, "l[0]") == "3");
  CHECK(named_at(text, "h.pea") == "{");
  CHECK(named_at(text, "missing") == "{");
  CHECK(named_at(text, "") == "{");
  CHECK(named_at(text, "h.peak.x", true) == "\"h.peak.x\"");
  CHECK(named_at("[5]", "[0]") == "5");
}

TEST_CASE("json file: an error is at the value, or at the key of a nested one", "[json]") {
  Diagnostics diagnostics;
  const auto file =
      parse_json("a.json", R"({"text": "x", "list": [1], "object": {}})", diagnostics);
  REQUIRE(file);
  const auto column = [&](const char* path) {
    Diagnostics found;
    json_error(*file, path, "m", found);
    return found.sorted().at(0).column;
  };
  CHECK(column("text") == 10);
  CHECK(column("list") == 15);
  CHECK(column("list[0]") == 24);
  CHECK(column("object") == 28);
}

TEST_CASE("json error: nothing, too little, too much", "[json]") {
  CHECK(told("") == "‸: the file is empty; an empty JSON file is {}");
  CHECK(told(" \n") == "‸ \n: the file is empty; an empty JSON file is {}");
  CHECK(told("{\"a\": [1") == "{\"a\": ‸[1: this bracket is never closed");
  CHECK(told("{\"a\": [1]") == "‸{\"a\": [1]: this bracket is never closed");
  CHECK(told("{} x") == "{} ‸x: unexpected text after the end of the JSON");
  CHECK(told("[1] ]").find("unexpected text after the end") != std::string::npos);
  CHECK(told("x") == "‸x: expected { or [ at the start of the JSON");
  CHECK(told("  x") == "  ‸x: expected { or [ at the start of the JSON");
}

TEST_CASE("json error: commas", "[json]") {
  CHECK(told("[1, ]") == "[1‸, ]: trailing comma before \"]\"");
  CHECK(told("{\"a\": 1, }") == "{\"a\": 1‸, }: trailing comma before \"}\"");
  CHECK(told("[1 2]") == "[‸1 2]: missing comma or colon after this");
  CHECK(told("[1\n2]") == "[‸1\n2]: missing comma at the end of this line");
  CHECK(told("[\"a\" \"b\"]") == "[\"a‸\" \"b\"]: missing comma or colon after this");
  CHECK(told("[[] []]") == "[[‸] []]: missing comma or colon after this");
  CHECK(told("[{} {}]") == "[{‸} {}]: missing comma or colon after this");
  CHECK(told("[true\n\"x\"]") == "[tru‸e\n\"x\"]: missing comma at the end of this line");
}

TEST_CASE("json error: what JSON does not have", "[json]") {
  CHECK(told("['a']") == "[‸'a']: JSON allows only double quotation marks");
  CHECK(told("[1, // x\n2]") == "[1, ‸// x\n2]: JSON has no comments");
  CHECK(told("[1, # x\n2]") == "[1, ‸# x\n2]: JSON has no comments");
  CHECK(told("[1}") == "[1‸}: this bracket has no opening bracket");
  CHECK(told("{\"a\": ]") == "{\"a\": ‸]: this bracket has no opening bracket");
  CHECK(told("[,]") == "[‸,]: this is not valid JSON");
  CHECK(told("[1, +2]") == "[1, ‸+2]: this is not valid JSON");
  CHECK(told("[1, tru]") == "[1, ‸tru]: this is not valid JSON");
  CHECK(told("[1 234]") == "[‸1 234]: missing comma or colon after this");
}

TEST_CASE("json error: unclosed texts, and invalid escapes", "[json]") {
  CHECK(told("[\"a\nb]") == "[‸\"a\nb]: this quotation mark is not closed on its line");
  CHECK(told("[\"ok\", \"a") == "[\"ok\", ‸\"a: this quotation mark is not closed on its line");
  CHECK(told("[\"a\\qb\"]") == "[\"a\\‸qb\"]: invalid escape in JSON; write a backslash as \\\\");
  // The whole text is wrong, because no text is allowed there.
  CHECK(told("[1 \"b\"]") == "[‸1 \"b\"]: missing comma or colon after this");
  CHECK(told("[\"]\", 1 2]") == "[\"]\", ‸1 2]: missing comma or colon after this");
}

TEST_CASE("json: a number that no double holds is an error at its place") {
  CHECK(says(R"({"a": 1e308, "b": -1e-999, "c": 123456789012345678901234567890})") == "");
  CHECK(says("{\"a\":\n [1, 1e999]}") ==
        "a.json:2:6: error: the number 1e999 is too large [bad-json]");
  CHECK(says(R"({"a": -1E+400})") ==
        "a.json:1:7: error: the number -1E+400 is too large [bad-json]");
  CHECK(says("[" + std::string(5000, '9') + "]") ==
        "a.json:1:2: error: the number here is too large [bad-json]");
  CHECK(says(R"({"a": "1e999"})") == "");
  CHECK(says(R"({"1e999": "\"1e999"})") == "");
}

TEST_CASE("json: names, depth and values have limits") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(says(nested(deepest_json)) == "");
  CHECK(says(nested(deepest_json + 1)) ==
        "a.json:1:65: error: the JSON nests more than 64 deep [bad-json]");
  CHECK(says(std::string(1'000'000, '[')) ==
        "a.json:1:65: error: the JSON nests more than 64 deep [bad-json]");
  CHECK(says(repeated("{\"a\":", 100'000))
            .ends_with("error: the JSON nests more than 64 deep [bad-json]"));
  CHECK(says("{\"" + std::string(longest_json_name, 'k') + "\": 1}") == "");
  CHECK(says("{\"" + std::string(longest_json_name + 1, 'k') + "\" : 1}") ==
        "a.json:1:2: error: a key has more than 500 bytes [bad-json]");
  CHECK(says("[\"" + std::string(300'000, 'k') + "\"]") == "");
  CHECK(says("[" + repeated("0,", most_json_values) + "0]") ==
        "a.json:1:1000000: error: the JSON holds more than 500000 values [bad-json]");
  CHECK(says("[" + repeated("[],", most_json_values) + "0]")
            .ends_with("more than 500000 values [bad-json]"));
  CHECK(says(R"({"a": [[], 1, }, "a": 1e999)") ==
        "a.json:1:13: error: trailing comma before \"}\" [bad-json]");
  CHECK(says(R"({"a": 1, "b": {"c": 1, "c": 2}})") ==
        "a.json:1:24: error: duplicate key \"c\" [bad-json]");
}

TEST_CASE("json: a reader that meets anything gives a value or a message") {
  const std::string text = R"({"a": [1, -2.5e3, "x\u00e9\"", {"b": null}], "c": true, "d": ""})";
  REQUIRE(says(text) == "");
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char* put :
         {"", "\"", "\\", "{", "]", ",", "-", "e999", "\x01", "\xff", "\\ud800"}) {
      std::string changed = text;
      changed.replace(at, 1, put);
      INFO(changed);
      CHECK_NOTHROW(says(changed));
      changed = text.substr(0, at) + put;
      CHECK_NOTHROW(says(changed));
    }
  }
}

TEST_CASE("json place: members and elements at any depth", "[json]") {
  const std::string text =
      " { \"a\" : 12 , \"b\": [ true, {\"c\": \"x,]}\"}, [], -1.5e3 ] ,\n\"d\":{},\"e\":null }";
  CHECK(at(text, {"a"}) == "12");
  CHECK(at(text, {"b", "0"}) == "true");
  CHECK(at(text, {"b", "1", "c"}) == "\"x,]}\"");
  CHECK(at(text, {"b", "3"}) == "-1.5e3");
  CHECK(at(text, {"e"}) == "null");
  CHECK(at(text, {"b"}) == "[");
  CHECK(at(text, {"d"}) == "{");
  CHECK(json_place(parsed(text), JsonPath{}).offset == 1);
  CHECK(json_place(parsed(text), JsonPath{"d"}).offset == text.find("{}"));
  CHECK(json_place(parsed(text), JsonPath{"b", "2"}).offset == text.find("[]"));
}

TEST_CASE("json place: a member's name in its quotes, an element has none", "[json]") {
  const std::string text = R"({"first": [7], "sec\"ond": {"x" : 1}})";
  CHECK(key(text, {"first"}) == "\"first\"");
  CHECK(key(text, {"sec\"ond"}) == "\"sec\\\"ond\"");
  CHECK(key(text, {"sec\"ond", "x"}) == "\"x\"");
  CHECK(key(text, {"first", "0"}) == "7");
  CHECK(key(text, {}) == "{");
}

TEST_CASE("json place: names are compared after decoding escapes", "[json]") {
  CHECK(at(R"({"\u0061": 1})", {"a"}) == "1");
  CHECK(at(R"({"ab": 1, "a": 2})", {"a"}) == "2");
  CHECK(at(R"({"xa": 1, "a": 2})", {"a"}) == "2");
  CHECK(at(R"({"a": {"a": 1}, "b": {"a": 2}})", {"b", "a"}) == "2");
  CHECK(at(R"({"a": {"b\"c": "x, }"}, "a2": [[2]]})", {"a", "b\"c"}) == R"("x, }")");
  CHECK(at(R"({"a": 0, "a2": [[2]]})", {"a2", "0", "0"}) == "2");
  CHECK(at(R"({"\\": 1, "\"": 2})", {"\""}) == "2");
  CHECK(at(R"({"0": 5})", {"0"}) == "5");
}

TEST_CASE("json place: for a missing value, its innermost existing parent", "[json]") {
  const std::string text = R"({"a": [1, 2], "b": 3})";
  CHECK(json_place(parsed(text), JsonPath{"x"}).offset == 0);
  CHECK(json_place(parsed(text), JsonPath{"a", "2"}).offset == text.find('['));
  CHECK(at(text, {"b", "c"}) == "3");
  CHECK(at(text, {"a", "1", "c"}) == "2");
  CHECK(at("12", {}) == "12");
  CHECK(at(" \"x\" ", {}) == "\"x\"");
}
