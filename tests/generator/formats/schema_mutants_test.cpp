// Compares verdicts about documents with those of another validator, valijson 1.0.
//
// tests/fixtures/recorded_verdicts/ has documents for every schema. Each line of verdicts.txt has a
// document's file, its number in the file, and the verdicts about its mutants (mutants.hpp): four
// per hexadecimal digit, the first in the lowest bit, and 1 if the mutant conforms. The verdicts
// were recorded when primer still used valijson and cannot be recorded again. If a changed schema
// rightly changes a verdict, remove the document's line.
#include <fstream>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "generator/core/formats/schema.hpp"
#include "mutants.hpp"

using namespace primer;

namespace {

const std::string folder = std::string(PRIMER_SOURCE) + "/tests/fixtures/recorded_verdicts/";

std::string text_of(const std::string& name) {
  std::ifstream file(folder + name, std::ios::binary);
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The documents of one file.
struct Documents {
  bool yaml;
  JsonFile file;
  std::vector<Yaml> all;
};

Documents documents_in(const std::string& name) {
  const std::string text = text_of(name);
  Diagnostics diagnostics;
  if (name.ends_with(".json")) {
    auto file = parse_json(name, text, diagnostics);
    REQUIRE(file);
    auto all = file->tree.items;
    return {false, std::move(*file), std::move(all)};
  }
  Source source(name, text);
  auto tree = parse_yaml(extract_lines(source, 1, source.line_count()), diagnostics);
  REQUIRE(tree);
  auto all = tree->items;
  return {true, {std::move(source), {}, std::move(*tree)}, std::move(all)};
}

bool bit(const std::string& digits, std::size_t i) {
  const char digit = digits.at(i / 4);
  const int value = digit <= '9' ? digit - '0' : digit - 'a' + 10;
  return (value >> (i % 4) & 1) != 0;
}

}  // namespace

TEST_CASE("schema: mutants of documents are judged as by another validator", "[schema]") {
  std::istringstream lines(text_of("verdicts.txt"));
  std::string name, digits;
  std::size_t number = 0, judged = 0, good = 0;
  std::set<std::string> schemas;
  while (lines >> name >> number >> digits) {
    const Documents documents = documents_in(name);
    const std::string schema_name = name.substr(0, name.find('.'));
    schemas.insert(schema_name);
    const auto judge = [&](const Yaml& document) {
      Diagnostics diagnostics;
      return explain(schema(schema_name), "it", document, documents.yaml, documents.file.source,
                     diagnostics);
    };
    const Yaml& document = documents.all.at(number);
    INFO(name << ' ' << number);
    CHECK(judge(document));
    mutants::for_each(document, documents.yaml, digits.size() * 4,
                      [&](std::size_t i, const Yaml& mutant) {
                        const bool now = judge(mutant);
                        ++judged, good += now;
                        if (now == bit(digits, i)) return;
                        INFO("mutant " << i);
                        CHECK(now == bit(digits, i));
                      });
  }
  // These schemas are newer than the verdicts. tests/program/own_kernels.test.mjs tests rejected
  // kernels.
  schemas.insert({"block-costs", "configs", "kernels"});
  const auto all = schema_names();
  CHECK(schemas == std::set<std::string>(all.begin(), all.end()));
  CHECK(judged > 10'000);
  CHECK(good > judged / 10);
}
