// Where a value stands in a JSON text.
#include "generator/formats/json_place.hpp"

#include "catch.hpp"

namespace {

// The bytes at the place of a value; of an object or an array its bracket.
std::string at(std::string_view text, const primer::JsonPath& path) {
  const auto place = primer::find_value(text, path);
  REQUIRE(place.offset + place.length <= text.size());
  return std::string(text.substr(place.offset, place.length));
}
std::string key(std::string_view text, const primer::JsonPath& path) {
  const auto place = primer::find_value(text, path);
  REQUIRE(place.key_offset + place.key_length <= text.size());
  return std::string(text.substr(place.key_offset, place.key_length));
}

}  // namespace

TEST_CASE("json place: members and elements at any depth", "[json]") {
  const std::string_view text =
      " { \"a\" : 12 , \"b\": [ true, {\"c\": \"x,]}\"}, [], -1.5e3 ] ,\n\"d\":{},\"e\":null }";
  CHECK(at(text, {"a"}) == "12");
  CHECK(at(text, {"b", "0"}) == "true");
  CHECK(at(text, {"b", "1", "c"}) == "\"x,]}\"");
  CHECK(at(text, {"b", "3"}) == "-1.5e3");
  CHECK(at(text, {"e"}) == "null");
  CHECK(at(text, {"b"}) == "[");
  CHECK(at(text, {"d"}) == "{");
  CHECK(primer::find_value(text, {}).offset == 1);
  CHECK(primer::find_value(text, {"d"}).offset == text.find("{}"));
  CHECK(primer::find_value(text, {"b", "2"}).offset == text.find("[]"));
}

TEST_CASE("json place: a member's name in its quotes, an element has none", "[json]") {
  const std::string_view text = R"({"first": [7], "sec\"ond": {"x" : 1}})";
  CHECK(key(text, {"first"}) == "\"first\"");
  CHECK(key(text, {"sec\"ond"}) == "\"sec\\\"ond\"");
  CHECK(key(text, {"sec\"ond", "x"}) == "\"x\"");
  CHECK(key(text, {"first", "0"}) == "7");
  CHECK(key(text, {}) == "{");
}

TEST_CASE("json place: names are compared as they are meant, the last of two counts", "[json]") {
  CHECK(at(R"({"\u0061": 1})", {"a"}) == "1");
  CHECK(at(R"({"ab": 1, "a": 2})", {"a"}) == "2");
  CHECK(at(R"({"xa": 1, "a": 2})", {"a"}) == "2");
  CHECK(at(R"({"a": 1, "a": 2})", {"a"}) == "2");
  CHECK(at(R"({"a": {"b": 1}, "a": {"c": 2}})", {"a", "c"}) == "2");
  CHECK(at(R"({"\\": 1, "\"": 2})", {"\""}) == "2");
  CHECK(at(R"({"0": 5})", {"0"}) == "5");
}

TEST_CASE("json place: of what is not there, the innermost that is", "[json]") {
  const std::string_view text = R"({"a": [1, 2], "b": 3})";
  CHECK(primer::find_value(text, {"x"}).offset == 0);
  CHECK(primer::find_value(text, {"a", "2"}).offset == text.find('['));
  CHECK(at(text, {"b", "c"}) == "3");
  CHECK(at(text, {"a", "1", "c"}) == "2");
  CHECK(at("12", {}) == "12");
  CHECK(at(" \"x\" ", {}) == "\"x\"");
}

TEST_CASE("json place: of text that is no JSON some place within it", "[json]") {
  for (const std::string_view text : {"{", "[", "{\"a\"", "{\"a\":", "[1,", "[1 2", "{\"a\": \"b",
                                      "{\"a\": \"b\\", "[[[", "{]", "[}", "{,}", "[:"}) {
    INFO(text);
    for (const primer::JsonPath& path :
         {primer::JsonPath{}, {"a"}, {"0"}, {"1"}, {"a", "b"}, {"0", "0"}}) {
      const auto place = primer::find_value(text, path);
      CHECK(place.offset <= text.size());
      CHECK(place.length >= 1);
    }
  }
  // Nothing behind the text is read.
  CHECK(primer::find_value(std::string_view("[12345]").substr(0, 3), {"0"}).length == 2);
  CHECK(primer::find_value(std::string_view("  1").substr(0, 2), {}).offset == 2);
}
