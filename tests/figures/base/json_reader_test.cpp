// Members of malformed JSON: the first problem becomes the only error, and reading continues.
#include "figures/base/json_reader.hpp"

#include "catch.hpp"

using figures::Error;
using figures::Members;
using nlohmann::json;

namespace {

struct Read {
  json object;
  std::optional<Error> error;
  std::string message() const { return error ? error->message : ""; }
};

// The errors that `ask` receives about the object's members.
template <class Ask>
std::string told(const char* text, const Ask& ask, const std::string& path = "") {
  Read read{json::parse(text), {}};
  const Members members(read.object, path, read.error);
  ask(members);
  return read.message();
}

}  // namespace

TEST_CASE("json reader: absent and null are the same", "[json]") {
  std::optional<Error> error;
  const json object = json::parse(R"({"none": null, "text": "x"})");
  const Members members(object, "", error);
  CHECK_FALSE(members.has("none"));
  CHECK_FALSE(members.has("missing"));
  CHECK(members.has("text"));
  CHECK(members.text("none") == "");
  CHECK(members.number("none", 7) == 7);
  CHECK(members.integer("missing", 3, 10) == 3);
  CHECK_FALSE(members.flag("none"));
  CHECK(members.array("missing", 1) == nullptr);
  CHECK(members.object("missing") == nullptr);
  CHECK(members.texts("missing", 1).empty());
  CHECK_FALSE(error);
}

TEST_CASE("json reader: existing members are read unchanged", "[json]") {
  std::optional<Error> error;
  const json object = json::parse(
      R"({"t": "a\tb\u007f\u001f ", "n": 1e18, "zero": 0, "i": 8, "yes": true, "no": false,
          "list": [1, 2], "o": {"a": 1}, "words": ["x", "y"]})");
  const Members members(object, "", error);
  CHECK(members.text("t") == "a b   ");
  CHECK(members.required_text("t") == "a b   ");
  CHECK(members.number("n") == 1e18);
  CHECK(members.number("zero", 5) == 0);
  CHECK(members.integer("i", 0, 8) == 8);
  CHECK(members.flag("yes"));
  CHECK_FALSE(members.flag("no"));
  CHECK(members.array("list", 2)->size() == 2);
  CHECK(members.object("o")->size() == 1);
  CHECK(members.texts("words", 2) == std::vector<std::string>{"x", "y"});
  CHECK_FALSE(error);
}

TEST_CASE("json reader: each wrong member by its name", "[json]") {
  CHECK(told("[]", [](const Members&) {}) == "this is not an object");
  CHECK(told(
            "[]", [](const Members& m) { CHECK(m.find("a") == nullptr); }, "a[2]") ==
        "a[2] is not an object");
  CHECK(told(R"({"a": 1})", [](const Members& m) { CHECK(m.text("a") == ""); }) ==
        "a is not a text");
  CHECK(told(R"({"a": ""})", [](const Members& m) { CHECK(m.required_text("a") == ""); }) ==
        "a is missing");
  CHECK(told("{}", [](const Members& m) { m.required_text("a"); }, "b") == "b.a is missing");
  CHECK(told(R"({"a": "12345"})", [](const Members& m) { CHECK(m.text("a", 4) == ""); }) ==
        "a is too long");
  CHECK(told(R"({"a": "12345"})", [](const Members& m) { CHECK(m.text("a", 5) == "12345"); }) ==
        "");
  CHECK(told(R"({"a": "1"})", [](const Members& m) { CHECK(m.number("a", 4) == 4); }) ==
        "a is not a number");
  CHECK(told(R"({"a": 1})", [](const Members& m) { CHECK_FALSE(m.flag("a")); }) ==
        "a is neither true nor false");
  CHECK(told(R"({"a": {}})", [](const Members& m) { CHECK(m.array("a", 9) == nullptr); }) ==
        "a is not a list");
  CHECK(told(R"({"a": [1, 2]})", [](const Members& m) { CHECK(m.array("a", 1) == nullptr); }) ==
        "a has too many entries");
  CHECK(told(R"({"a": []})", [](const Members& m) { CHECK(m.object("a") == nullptr); }) ==
        "a is not an object");
}

TEST_CASE("json reader: numbers are neither negative nor beyond 10^18", "[json]") {
  const auto number = [](const char* text) {
    return told(text, [](const Members& m) { CHECK(m.number("a", 2) == 2); });
  };
  CHECK(number(R"({"a": -1})") == "a is negative or too large");
  CHECK(number(R"({"a": 1.1e18})") == "a is negative or too large");
  const auto integer = [](const char* text) {
    return told(text, [](const Members& m) { CHECK(m.integer("a", 2, 8) == 2); });
  };
  CHECK(integer(R"({"a": 1.5})") == "a is not a whole number in range");
  CHECK(integer(R"({"a": 9})") == "a is not a whole number in range");
  CHECK(integer(R"({"a": 8.5})") == "a is not a whole number in range");
}

TEST_CASE("json reader: a list of texts holds nothing else", "[json]") {
  const std::string largest(500, 'x'), larger(501, 'x');
  const auto texts = [](const json& list) {
    return told(json{{"a", list}}.dump().c_str(), [](const Members& m) { m.texts("a", 2); });
  };
  CHECK(texts({"x", 1}) == "a has something that is not text");
  CHECK(texts({larger}) == "a has something that is not text");
  CHECK(texts({largest}) == "");
  CHECK(texts({"x", "y", "z"}) == "a has too many entries");
}

TEST_CASE("json reader: the first error stays, with its place and its code", "[json]") {
  std::optional<Error> error;
  const json object = json::parse(R"({"a": 1})");
  const Members members(object, "results[3]", error);
  CHECK(members.path("a") == "results[3].a");
  CHECK(members.path("a", 2) == "results[3].a[2]");
  CHECK(members.path("") == "results[3]");
  members.fail("a", "is odd", figures::Code::unknown_member);
  members.fail("b", "is even");
  REQUIRE(error);
  CHECK(error->message == "results[3].a is odd");
  CHECK(error->path == "results[3].a");
  CHECK((error->code == figures::Code::unknown_member));
}
