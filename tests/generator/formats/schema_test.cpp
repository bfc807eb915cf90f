// primer checks with the published schemas, and its messages describe what they reject.
#include "generator/core/formats/schema.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "catch.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/formats/text_pattern.hpp"
#include "generator/core/index/index.hpp"

using namespace primer;
using nlohmann::json;

namespace {

std::string says(const char* name, const std::string& yaml) {
  const Source source("a.yaml", yaml);
  Diagnostics diagnostics;
  const auto document = parse_yaml(extract_lines(source, 1, source.line_count()), diagnostics);
  REQUIRE(document);
  const bool good = conforms(name, "the whole", *document, source, diagnostics);
  CHECK(good == diagnostics.empty());
  std::string all;
  for (const auto& d : diagnostics.sorted()) {
    all += std::to_string(d.line) + ':' + std::to_string(d.column) + ' ' + d.message + '\n';
  }
  return all;
}

}  // namespace

TEST_CASE("schema: each published one but that of figures is compiled in, and no other") {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(PRIMER_SOURCE) / "site/static/schemas")) {
    if (entry.path().stem() == "figure-spec") continue;
    files.push_back(entry.path().stem().string());
    INFO(files.back());
    CHECK(schema(files.back()) == nlohmann::json::parse(std::ifstream(entry.path())));
  }
  std::sort(files.begin(), files.end());
  CHECK(files == schema_names());
}

TEST_CASE("schema: a text in YAML may look like a number, a flag may not look like a text") {
  CHECK(says("front-matter", "title: 2024\nsummary: true\n") == "");
  CHECK(says("book", "title: T\nchapters:\n  - slug: a\n    number: 1\n  - b\n") == "");
  CHECK(says("book", "title: T\nchapters:\n  - slug: a\n    number: -1\n") ==
        "4:13 \"number\" must be at least 0\n");
  CHECK(says("book", "title: T\nchapters:\n  - slug: a\n    number: \"1\"\n") ==
        "4:13 \"number\" must be a whole number\n");
  CHECK(says("block-bench", "id: b\ntry: T.\nkernels: [a]\nquick: \"true\"\n") ==
        "4:8 \"quick\" must be true or false\n");
}

TEST_CASE("schema: texts of any length do not take the checker down") {
  CHECK(says("block-figure",
             "id: a\nspec: s\ncaption: c\nalt: " + std::string(300'000, 'a') + "\n") == "");
  CHECK(says("block-figure",
             "id: " + std::string(300'000, 'a') + "\nspec: s\ncaption: c\nalt: a\n") ==
        "1:5 \"id\" must have at most 100 characters\n");
  CHECK(says("block-figure", "id: " + std::string(90, '-') + "\nspec: s\ncaption: c\nalt: a\n")
            .find("is not a valid id") != std::string::npos);
}

TEST_CASE("schema: a text has its form from the first to the last byte, however long it is") {
  // Text after the first thousand bytes counts, too.
  const std::string way_out = std::string(200, 'b') + ("/" + std::string(199, 'c')) +
                              ("/" + std::string(199, 'c')) + ("/" + std::string(199, 'c')) +
                              ("/" + std::string(199, 'c')) + "/../../../pwned";
  CHECK(says("front-matter", "title: x\naliases: [\"" + way_out + "\"]\n") ==
        "2:11 an item of \"aliases\" must have at most 200 characters\n");
  CHECK(says("front-matter", "title: x\naliases: [\"a/../b\"]\n").find("must have the form") !=
        std::string::npos);
  CHECK(says("front-matter", "title: x\naliases: [a/b]\n") == "");
}

namespace {

std::string says_of_json(const char* name, const std::string& text) {
  Diagnostics diagnostics;
  const auto file = parse_json("a.json", text, diagnostics);
  const bool good = file && conforms(name, "the file", *file, diagnostics);
  CHECK(good == diagnostics.empty());
  const std::string all = to_text(diagnostics, Format::text);
  return all.substr(0, all.find('\n'));
}

bool fits(const nlohmann::json& schema, const std::string& text) {
  Diagnostics diagnostics;
  const auto file = parse_json("a.json", text, diagnostics);
  return file && explain(schema, "it", file->tree, false, file->source, diagnostics);
}

bool accepts(const char* name, const nlohmann::json& document) {
  return fits(schema(name), document.dump());
}

nlohmann::json json_in(const std::string& path) {
  return nlohmann::json::parse(std::ifstream(std::string(PRIMER_SOURCE) + '/' + path));
}

// Calls for every schema within a schema, including the whole.
void for_each_schema(const nlohmann::json& schema,
                     const std::function<void(const nlohmann::json&)>& call) {
  if (!schema.is_object()) return;
  call(schema);
  for (const auto& [key, value] : schema.items()) {
    if (key == "properties") {
      for (const auto& member : value) for_each_schema(member, call);
    } else if (value.is_array()) {
      for (const auto& one : value) for_each_schema(one, call);
    } else {
      for_each_schema(value, call);
    }
  }
}

}  // namespace

TEST_CASE("schema: what fits none of several shapes has its own place, and a choice has any type") {
  CHECK(says("front-matter", "title: x\ntakeaway: \"\"\n") ==
        "2:11 \"takeaway\" must not be empty\n");
  CHECK(says("front-matter", "title: x\ntakeaway: []\n") ==
        "2:11 \"takeaway\" must have at least 1 entry\n");
  CHECK(says("front-matter", "title: x\ntakeaway: {a: b}\n") ==
        "2:11 \"takeaway\" must be text or a list\n");
  CHECK(says_of_json("facts", R"({"a": {"value": "1 B", "sources": ["nv"], "read": {}}})") ==
        "a.json:1:51: error: \"read\" must be one of primary, quoted, device, secondary "
        "[bad-value]");
}

TEST_CASE("schema: names of members have forms, too, and no length takes the checker down") {
  for (const char* name : {"facts", "glossary", "references"}) {
    INFO(name);
    CHECK(says_of_json(name, "{\"" + std::string(200'000, 'a') + "\": {}}") ==
          "a.json:1:2: error: a key has more than 500 bytes [bad-json]");
    CHECK(says_of_json(name, "{\"" + std::string(400, 'a') + "\": {}}")
              .find("the key must have at most 100 characters") != std::string::npos);
    CHECK(says_of_json(name, R"({"../x": {}})").find("is not a valid id") != std::string::npos);
    CHECK(says_of_json(name, R"({"constructor": {}})") ==
          "a.json:1:2: error: \"constructor\" is reserved: every JavaScript object has a member "
          "with this name [bad-id]");
    CHECK(says_of_json(name, R"({"__proto__": {}})").find("is not a valid id") !=
          std::string::npos);
  }
  const std::string fact = R"({"a": {"value": "1 B", "sources": ["%"]}})";
  CHECK(says_of_json("facts", replace_all(fact, "%", "nv")) == "");
  CHECK(says_of_json("facts", replace_all(fact, "%", "N v")).find("is not a valid id") !=
        std::string::npos);
}

TEST_CASE("schema: the validator supports every keyword that they use") {
  const std::set<std::string> understood = {"$schema",
                                            "title",
                                            "description",
                                            "type",
                                            "properties",
                                            "required",
                                            "additionalProperties",
                                            "items",
                                            "enum",
                                            "const",
                                            "pattern",
                                            "minLength",
                                            "maxLength",
                                            "propertyNames",
                                            "minimum",
                                            "maximum",
                                            "minItems",
                                            "maxItems",
                                            "oneOf",
                                            "anyOf",
                                            "exclusiveMinimum",
                                            "if",
                                            "then",
                                            "else",
                                            "not"};
  std::size_t forms = 0;
  for (const auto& name : schema_names()) {
    INFO(name);
    for_each_schema(schema(name), [&](const nlohmann::json& one) {
      for (const auto& [key, value] : one.items())
        CHECK(understood.contains(key));  // "format" is not supported
      if (!one.contains("pattern")) return;
      ++forms;
      CHECK(TextPattern::parse(one.at("pattern").get<std::string>()));
    });
  }
  CHECK(forms > 20);
}

TEST_CASE("schema: forms decide which alternative is meant") {
  const auto schema = nlohmann::json::parse(R"({"oneOf": [
      {"type": "string", "pattern": "^a$"},
      {"type": "object", "properties": {"b": {"type": "string", "pattern": "^b+$"}}}]})");
  const auto holds = [&](const char* text) { return fits(schema, text); };
  CHECK(holds("\"a\""));
  CHECK_FALSE(holds("\"b\""));
  CHECK(holds(R"({"b": "bb"})"));
  CHECK_FALSE(holds(R"({"b": "bbc"})"));
  CHECK(holds(R"({"c": "anything"})"));
}

TEST_CASE("schema: a comment instead of a value is named where several shapes are possible") {
  CHECK(
      says("book", "title: T\nauthors: # nobody\n").find("\"authors\" is empty; it must be text") !=
      std::string::npos);
}

TEST_CASE("schema: whole numbers have 64 bits, and a constant has its type") {
  CHECK(says("book", "title: T\nchapters:\n  - slug: a\n    number: 99999999999999999999\n") ==
        "4:13 \"number\" must be at most 9999\n");
  CHECK(says("book", "title: T\nchapters:\n  - slug: a\n    number: 1.5\n") ==
        "4:13 \"number\" must be a whole number\n");
  CHECK(says_of_json("profile", R"({"schema": "1"})") ==
        "a.json:1:12: error: \"schema\" must be 1, without quotation marks [bad-value]");
  CHECK(says_of_json("profile", R"({"schema": 2})") ==
        "a.json:1:12: error: \"schema\" must be 1 [bad-value]");
}

TEST_CASE("schema: parts may be named, joined and excluded, as the figures' schema does") {
  const auto schema = nlohmann::json::parse(R"({"allOf": [{"$ref": "#/definitions/one"},
      {"if": {"required": ["b"]}, "then": {"required": ["a"]}}], "maxProperties": 2,
      "definitions": {"one": {"type": "object", "not": {"required": ["c", "d"]},
                              "properties": {"a": {"not": {"const": false}}}}}})");
  CHECK(fits(schema, R"({"a": 1})"));
  CHECK(fits(schema, R"({"a": 1, "b": 1})"));
  CHECK(fits(schema, R"({"c": 1})"));
  CHECK_FALSE(fits(schema, R"({"b": 1})"));
  CHECK_FALSE(fits(schema, R"({"a": false})"));
  CHECK_FALSE(fits(schema, R"({"c": 1, "d": 1})"));
  CHECK_FALSE(fits(schema, R"({"a": 1, "b": 1, "c": 1})"));
  CHECK_FALSE(fits(schema, R"([])"));
}

TEST_CASE("schema: all accept the repository's files") {
  for (const char* name : {"assumptions", "chips", "claims", "energy", "links", "models", "runs"}) {
    INFO(name);
    CHECK(accepts("facts", json_in(std::string("chapters/facts/") + name + ".json")));
  }
  CHECK(accepts("references", json_in("chapters/facts/references.json")));
  CHECK(accepts("glossary", json_in("chapters/facts/glossary.json")));
  for (const char* name : {"empty", "phone", "big", "contrary", "bare"}) {
    INFO(name);
    CHECK(accepts("profile", json_in(std::string("tests/fixtures/profiles/") + name + ".json")));
  }
}

TEST_CASE("schema: they reject what the readers reject") {
  CHECK_FALSE(accepts("facts", json::parse(R"({"a": {"value": "3 TB/s"}})")));
  CHECK_FALSE(accepts("facts", json::parse(R"({"A": {"title": "x"}})")));
  CHECK_FALSE(
      accepts("facts", json::parse(R"({"a": {"value": "3", "sources": ["x"], "notes": "n"}})")));
  CHECK(accepts("facts", json::parse(R"({"a": {"value": "3", "sources": ["x"], "as_of": "2026-11",
    "status": "simulated", "said": "2025-09", "by": "independent"}})")));
  CHECK_FALSE(accepts("facts", json::parse(R"({"a": {"value": "3", "sources": ["x"],
    "status": "rumoured", "as_of": "2026-11"}})")));
  CHECK_FALSE(accepts("facts", json::parse(R"({"a": {"value": "3", "sources": ["x"],
    "status": "announced", "as_of": "2026-11", "said": "January"}})")));
  CHECK_FALSE(accepts("profile", json::parse(R"({"schema": 2})")));
  CHECK_FALSE(accepts("profile", json::parse(R"({"schema": 1, "clock_ghz": -1})")));
  CHECK_FALSE(accepts("profile", json::parse(R"({"schema": 1, "results": [
    {"kernel": "a", "params": {}, "status": "measured"}]})")));
  CHECK_FALSE(accepts("block-verdict", json::parse(R"({"id": "v", "on": "B"})")));
  CHECK(accepts("block-quiz", json::parse(R"({"id": "q-a", "ask": "?", "choices": [
    {"say": "a", "why": "b", "right": true}, {"say": "c", "why": "d"}]})")));
}
