// The form of a new fact, claim or reference, and the resulting file.
#include "generator/tools/forms/entry_form.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "catch.hpp"

#include "small_book.hpp"

using namespace primer;

namespace {

using Kind = SchemaField::Kind;
using Texts = std::vector<std::string>;
using Json = nlohmann::json;

const std::string chips = "chapters/facts/chips.json", claims = "chapters/facts/claims.json",
                  works = "chapters/facts/references.json";

std::vector<FormField> fields_of(std::string_view kind, const std::string& id = {}) {
  return entry_form(*in_memory(small_book::with("")), kind, id);
}

Texts names_of(const std::vector<FormField>& fields) {
  Texts names;
  for (const auto& field : fields) names.push_back(field.schema.name);
  return names;
}

const FormField& field_of(const std::vector<FormField>& fields, const std::string& name) {
  return *std::ranges::find(fields, name, [](const auto& one) { return one.schema.name; });
}

// "field: message" for each mistake, or "made" if the entry was created.
Texts told(std::string_view kind, const Json& values,
           const small_book::Files& files = small_book::with("")) {
  std::vector<FieldFault> faults;
  const auto made = enter_entry(*in_memory(files), kind, values, faults);
  CHECK(made.has_value() == faults.empty());
  Texts all;
  for (const auto& [field, diagnostic] : faults) all.push_back(field + ": " + diagnostic.message);
  return made ? Texts{"made"} : all;
}

EnteredFile made(std::string_view kind, const Json& values) {
  std::vector<FieldFault> faults;
  const auto file = enter_entry(*in_memory(small_book::with("")), kind, values, faults);
  for (const auto& [field, diagnostic] : faults) UNSCOPED_INFO(field << ": " << diagnostic.message);
  REQUIRE(file);
  return *file;
}

const Json a_fact{{"id", {"h100-sxm.link"}},
                  {"file", {"chips.json"}},
                  {"value", {"450 GB/s"}},
                  {"sources", {"nv"}}};

Json changed(Json values, const std::string& name, const Texts& value) {
  values[name] = value;
  return values;
}

const Json paper{{"id", {"dao2022"}},
                 {"type", {"article"}},
                 {"title", {"Flash"}},
                 {"url", {"https://example.org/flash"}},
                 {"authors", {"A. B.", "C. D."}},
                 {"year", {"2022"}},
                 {"checked", {"true"}}};

}  // namespace

TEST_CASE("entry form: the fields of a fact, in the file that has its like") {
  const auto fields = fields_of("fact", "h100-sxm.link.up");
  CHECK(names_of(fields) ==
        Texts{"id", "file", "value", "sources", "kind", "from", "read", "note"});
  CHECK(field_of(fields, "id").value == Texts{"h100-sxm.link.up"});
  CHECK(field_of(fields, "file").value == Texts{"chips.json"});
  CHECK(field_of(fields, "file").schema.options.size() == 8);
  CHECK(field_of(fields, "value").schema.required);
  CHECK_FALSE(field_of(fields, "sources").schema.required);
  CHECK(field_of(fields, "sources").schema.kind == Kind::texts);
  CHECK(field_of(fields, "kind").schema.options == Texts{"sourced", "assumed", "derived"});
  CHECK(std::ranges::none_of(fields, [](const auto& one) { return one.schema.help.empty(); }));
  CHECK(field_of(fields_of("fact", "other.link"), "file").value.empty());
  CHECK(field_of(fields_of("fact", "."), "file").value.empty());
  CHECK(field_of(fields_of("fact"), "id").value.empty());
}

TEST_CASE("entry form: a claim needs its status and month, a reference is written by its schema") {
  const auto claim = fields_of("claim");
  CHECK(names_of(claim) == Texts{"id", "value", "status", "as_of", "sources", "kind", "from",
                                 "said", "by", "read", "note"});
  CHECK(field_of(claim, "status").schema.required);
  const auto reference = fields_of("reference");
  CHECK(names_of(reference) == Texts{"id", "type", "title", "url", "checked", "authors", "year",
                                     "venue", "doi", "arxiv", "level", "chapters", "read",
                                     "accessed"});
  CHECK(std::ranges::none_of(reference, [](const auto& one) {
    return one.schema.help.empty() || one.schema.kind == Kind::elsewhere;
  }));
  CHECK(fields_of("nothing").empty());
}

TEST_CASE("entry form: an entry is inserted in its place, and nothing else changes") {
  auto files = small_book::with("");
  const std::string line =
      "\n  \"h100-sxm.link\": {\"value\": \"450 GB/s\", \"sources\": [\"nv\"]},";
  std::string text = files.at(chips);
  text.insert(text.find("\n  \"h100-sxm.peak"), line);
  CHECK(made("fact", a_fact).path == chips);
  CHECK(made("fact", a_fact).text == text);
  CHECK(made("fact", changed(a_fact, "value", {" 450\n GB/s "})).text == text);

  const auto assumed = made("fact", {{"id", {"line"}},
                                     {"file", {"assumptions.json"}},
                                     {"value", {"64 B"}},
                                     {"kind", {"assumed"}},
                                     {"note", {"usual"}}});
  CHECK(assumed.path == "chapters/facts/assumptions.json");
  CHECK(assumed.text ==
        "{\n  \"line\": {\"value\": \"64 B\", \"kind\": \"assumed\", \"note\": \"usual\"}\n}\n");
  CHECK(told("fact", {{"id", {"h100-sxm.ridge"}},
                      {"file", {"chips.json"}},
                      {"value", {"295 FLOP/B"}},
                      {"kind", {"derived"}},
                      {"from", {"h100-sxm.peak.bf16 / h100-sxm.bandwidth"}}}) == Texts{"made"});

  const auto reference = made("reference", paper);
  CHECK(reference.path == works);
  CHECK(
      reference.text.find("\"dao2022\": {\n    \"type\": \"article\",\n    \"title\": \"Flash\",\n"
                          "    \"authors\": [\"A. B.\", \"C. D.\"],\n    \"year\": 2022,\n"
                          "    \"url\": \"https://example.org/flash\",\n    \"checked\": true\n"
                          "  }") != reference.text.npos);
  const auto claim = made("claim", {{"id", {"rubin-year"}},
                                    {"value", {"2026"}},
                                    {"sources", {"nv"}},
                                    {"status", {"announced"}},
                                    {"as_of", {"2026-11"}},
                                    {"by", {"vendor"}}});
  CHECK(claim.path == claims);
  CHECK(claim.text.find(
            "\"rubin-year\": {\"value\": \"2026\", \"status\": \"announced\", \"as_of\": "
            "\"2026-11\", \"by\": \"vendor\", \"sources\": [\"nv\"]}") != claim.text.npos);
}

TEST_CASE("entry form: errors are at their field, and nothing is created") {
  CHECK(told("fact", changed(a_fact, "id", {"H100 link"})) ==
        Texts{"id: \"H100 link\" is not a valid id: expected lower-case letters, digits, single "
              "hyphens and "
              "dots, beginning with a letter"});
  CHECK(told("fact", changed(a_fact, "id", {"rubin-bandwidth"})) ==
        Texts{"id: \"rubin-bandwidth\" already exists in " + claims});
  CHECK(told("fact", changed(a_fact, "sources", {"nvv"})) ==
        Texts{"sources: no reference has the id \"nvv\""});
  CHECK(told("fact", changed(a_fact, "sources", {})) ==
        Texts{"sources: \"sources\" must have at least 1 entry"});
  CHECK(told("fact", changed(a_fact, "value", {})) == Texts{"value: \"value\" must not be empty"});
  CHECK(told("fact", changed(a_fact, "value", {"450 GB/parsec"})).front().starts_with("value: "));
  CHECK(told("fact", changed(a_fact, "read", {"often"}))
            .front()
            .starts_with("read: \"read\" must be"));
  CHECK(told("fact", changed(changed(a_fact, "kind", {"assumed"}), "sources", {})) ==
        Texts{"note: \"note\" must not be empty"});
  CHECK(told("fact", changed(changed(a_fact, "kind", {"derived"}), "sources", {}))
            .front()
            .starts_with("from: "));
  const Texts both = told("fact", {});
  CHECK(std::ranges::find_if(both, [](const auto& one) { return one.starts_with("id: "); }) !=
        both.end());
  CHECK(both.front().starts_with("file: \"file\" must be one of assumptions.json, chips.json"));
}

TEST_CASE("entry form: invalid dates and addresses, and unchecked works, are errors") {
  CHECK(told("claim", {{"id", {"x"}},
                       {"value", {"1 B"}},
                       {"sources", {"nv"}},
                       {"status", {"announced"}},
                       {"as_of", {"2026-10"}},
                       {"said", {"2026-11"}}})
            .front()
            .starts_with("said: "));
  CHECK(told("claim", {{"id", {"x"}}, {"value", {"1 B"}}, {"sources", {"nv"}}}).size() == 2);
  CHECK(told("reference", changed(paper, "year", {"soon"})) ==
        Texts{"year: \"year\" must be a whole number"});
  CHECK(told("reference", changed(paper, "url", {"ftp://x.org"})) ==
        Texts{"url: \"url\" must be an https:// address"});
  CHECK(told("reference", changed(paper, "url", {"https://u@example.org"}))
            .front()
            .starts_with("url: "));
  CHECK(told("reference", changed(paper, "checked", {})) ==
        Texts{"checked: \"dao2022\" has not been checked against the work itself"});
  CHECK(told("reference", changed(paper, "id", {"nv"})) ==
        Texts{"id: \"nv\" already exists in " + works});
  CHECK(told("reference", changed(paper, "id", {"a.b"})).front().starts_with("id: \"a.b\" is not"));
}

TEST_CASE("entry form: errors in the files belong to the whole form") {
  auto files = small_book::with("");
  files[chips] = "{";
  CHECK(told("fact", a_fact, files).front().starts_with(": "));
  files[chips] = "[]";
  CHECK(told("fact", a_fact, files).front().starts_with(": "));
  std::vector<FieldFault> faults;
  CHECK_FALSE(enter_entry(*in_memory(small_book::with("")), "nothing", a_fact, faults));
}
