// JSON that comes with a book: why it is refused, and where its values stand.
#include "generator/formats/json_file.hpp"

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

// What stands at the place of `path`, or its key.
std::string named_at(const std::string& text, const std::string& path, bool key = false) {
  Diagnostics diagnostics;
  const auto file = parse_json("a.json", text, diagnostics);
  REQUIRE(file);
  const auto place = json_place(*file, path);
  return key ? text.substr(place.key_offset, place.key_length)
             : text.substr(place.offset, place.length);
}

}  // namespace

TEST_CASE("json file: a key twice, wherever it is, is named where it comes again", "[json]") {
  CHECK(why_refused("{\"a\": 1, \"b\": {\"a\": 2}}") == "");
  CHECK(why_refused("[{\"a\": 1}, {\"a\": 2}]") == "");
  CHECK(why_refused("{\"a\": 1,\n \"a\": 2}").find("the key \"a\" is there twice") !=
        std::string::npos);
  CHECK(why_refused("[[{\"a\": 1, \"a\": 2}]]").find("is there twice") != std::string::npos);
}

TEST_CASE("json file: hidden characters are found behind their escapes", "[json]") {
  const std::string mark = "\\u202e";
  CHECK(why_refused("{\"a\": \"\\u00e9\"}") == "");
  CHECK(why_refused("{\"a\": [1, \"x" + mark + "\"]}").find("1:11+9") == 0);
  CHECK(why_refused("{\"b" + mark + "\": 1}").find("1:2+9") == 0);
  CHECK(why_refused("{\"a\": {\"b\": 1, \"c\": \"" + mark + "\"}}").find("1:21+8") == 0);
  CHECK(why_refused("[\"" + mark + "\"]").find("U+202E") != std::string::npos);
}

TEST_CASE("json file: where a value stands that a message names", "[json]") {
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

TEST_CASE("json file: an error is at the value, of what is inside of others at its key", "[json]") {
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
