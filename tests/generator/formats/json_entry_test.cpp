// Entries inserted into a JSON file: the existing text keeps its bytes.
#include "generator/core/formats/json_entry.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"

using namespace primer;

namespace {

std::string with(const std::string& text, const std::string& id) {
  return with_json_entries(text, {{id, '"' + id + "\": 0"}});
}

}  // namespace

TEST_CASE("json entries: a new one follows those before it in the alphabet, on a separate line",
          "[json]") {
  const std::string text = "{\n  \"b\": {},\n  \"b.c\": {},\n\n  \"d\": {}\n}\n";
  CHECK(with(text, "a") == "{\n  \"a\": 0,\n  \"b\": {},\n  \"b.c\": {},\n\n  \"d\": {}\n}\n");
  CHECK(with(text, "b.d") == "{\n  \"b\": {},\n  \"b.c\": {},\n  \"b.d\": 0,\n\n  \"d\": {}\n}\n");
  CHECK(with(text, "e") == "{\n  \"b\": {},\n  \"b.c\": {},\n\n  \"d\": {},\n  \"e\": 0\n}\n");
  CHECK(with("{\n    \"b\": 1,\n    \"d\": 2\n}", "c") ==
        "{\n    \"b\": 1,\n    \"c\": 0,\n    \"d\": 2\n}");
  CHECK(with("{\"b\": 1, \"d\": 2}", "e") == "{\"b\": 1, \"d\": 2, \"e\": 0}");
  CHECK(with("{}\n", "c") == "{\n  \"c\": 0\n}\n");
  CHECK(with("{\n\n}", "c") == "{\n  \"c\": 0\n}");
}

TEST_CASE("json entries: in a file that is not sorted, after the nearest one before it", "[json]") {
  const std::string text = "{\n  \"x.b\": 1,\n  \"x.a\": 2,\n  \"c\": 3\n}\n";
  CHECK(with(text, "x.aa") == "{\n  \"x.b\": 1,\n  \"x.a\": 2,\n  \"x.aa\": 0,\n  \"c\": 3\n}\n");
  CHECK(with(text, "d") == "{\n  \"x.b\": 1,\n  \"x.a\": 2,\n  \"c\": 3,\n  \"d\": 0\n}\n");
  CHECK(
      with_json_entries(text, {{"d", "\"d\": 0"}, {"e", "\"e\": 0"}, {"x.c", "\"x.c\": 0"}}) ==
      "{\n  \"x.b\": 1,\n  \"x.c\": 0,\n  \"x.a\": 2,\n  \"c\": 3,\n  \"d\": 0,\n  \"e\": 0\n}\n");
  CHECK(with_json_entries("{}", {{"a", "\"a\": 0"}, {"b", "\"b\": 0"}}) ==
        "{\n  \"a\": 0,\n  \"b\": 0\n}");
  CHECK(with_json_entries(text, {}) == text);
}

TEST_CASE("json entries: of another edition those come over that are not there", "[json]") {
  const std::string text = "{\n  \"a\": 1,\n  \"d\": 4\n}\n";
  const std::string other = "{\n  \"a\": 9,\n  \"b\":  {\"x\": 1},\n  \"c\": 3\n}\n";
  CHECK(with_entries_of(text, other) ==
        "{\n  \"a\": 1,\n  \"b\":  {\"x\": 1},\n  \"c\": 3,\n  \"d\": 4\n}\n");
  CHECK(with_entries_of(text, other, "b") == "{\n  \"a\": 1,\n  \"c\": 3,\n  \"d\": 4\n}\n");
  CHECK(with_entries_of(text, text) == text);
}

TEST_CASE("json entries: names and values may hold brackets and commas", "[json]") {
  CHECK(with("{ \"b,}\": {\"x\": [1, 2]} ,\n\n  \"a\": \"},\" }\n", "b,~") ==
        "{ \"b,}\": {\"x\": [1, 2]}, \"b,~\": 0 ,\n\n  \"a\": \"},\" }\n");
  CHECK(with("{ \"b\": 1 ,\n  \"a\": \"},\" }", "aa") ==
        "{ \"b\": 1 ,\n  \"a\": \"},\",\n  \"aa\": 0 }");
}

TEST_CASE("json entries: written as the book writes them", "[json]") {
  const nlohmann::json members{
      {"b", "x\",\"y"}, {"a", {"one", "a\",", "two"}}, {"n", 3}, {"not there", 1}};
  const std::vector<std::string> order{"b", "c", "a", "n"};
  CHECK(written_entry("i.d", order, members, false) ==
        R"("i.d": {"b": "x\",\"y", "a": ["one", "a\",", "two"], "n": 3})");
  CHECK(written_entry("i.d", order, members, true) ==
        "\"i.d\": {\n    \"b\": \"x\\\",\\\"y\",\n    \"a\": [\"one\", \"a\\\",\", \"two\"],\n"
        "    \"n\": 3\n  }");
}
