// The published JSON Schemas accept what the repository holds, and reject what the readers reject.
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "support.hpp"

namespace {

using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

json load(const std::string& path) { return json::parse(support::read_source(path)); }

bool accepts(const std::string& schema_name, const json& document) {
  const json text = load("site/static/schemas/" + schema_name + ".json");
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(Adapter(text), schema);
  valijson::Validator validator;
  return validator.validate(schema, Adapter(document), nullptr);
}

}  // namespace

TEST_CASE("schemas accept the repository's files") {
  for (const char* name : {"assumptions", "chips", "claims", "energy", "links", "models", "runs"}) {
    INFO(name);
    CHECK(accepts("facts", load(std::string("chapters/facts/") + name + ".json")));
  }
  CHECK(accepts("references", load("chapters/facts/references.json")));
  CHECK(accepts("glossary", load("chapters/facts/glossary.json")));
  for (const char* name : {"empty", "phone", "big", "contrary", "bare"}) {
    INFO(name);
    CHECK(accepts("profile", load(std::string("tests/fixtures/profiles/") + name + ".json")));
  }
}

TEST_CASE("schemas reject what the readers reject") {
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
