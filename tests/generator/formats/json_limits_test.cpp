// What JSON may hold: a message with a place for everything beyond, and no exception for any text.
#include "generator/formats/json_limits.hpp"

#include "catch.hpp"
#include "generator/formats/json_file.hpp"

using namespace primer;

namespace {

// The first line of what is said, or "" for JSON that is accepted.
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

}  // namespace

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
        "a.json:1:2: error: the name of a member has more than 500 bytes [bad-json]");
  CHECK(says("[\"" + std::string(300'000, 'k') + "\"]") == "");
  CHECK(says("[" + repeated("0,", most_json_values) + "0]") ==
        "a.json:1:1000001: error: the JSON holds more than 500000 values [bad-json]");
  CHECK(says("[" + repeated("[],", most_json_values) + "0]")
            .ends_with("more than 500000 values [bad-json]"));
  CHECK(says(R"({"a": 1, "b": {"c": 1, "c": 2}})") ==
        "a.json:1:24: error: the key \"c\" is there twice [bad-json]");
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
