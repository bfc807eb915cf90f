// Whether a document conforms is what another validator said of it: valijson 1.0.
//
// tests/fixtures/schemas/ holds documents of every schema and, in verdicts.txt, a line a document:
// its file, its number in the file, and the verdicts about its mutants (mutants.hpp), four to a
// hexadecimal digit, the first in the lowest bit; 1 says that the mutant conforms. They were
// recorded when primer still asked valijson, and cannot be again: a changed schema may change a
// verdict by right, and then the document's line goes.
#include <fstream>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "generator/core/formats/schema.hpp"
#include "mutants.hpp"

using namespace primer;

namespace {

const std::string folder = std::string(PRIMER_SOURCE) + "/tests/fixtures/schemas/";

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
  // These schemas are newer than the verdicts. tests/program/own_kernels.test.mjs has kernels that
  // are refused.
  schemas.insert({"block-costs", "configs", "kernels"});
  const auto all = schema_names();
  CHECK(schemas == std::set<std::string>(all.begin(), all.end()));
  CHECK(judged > 10'000);
  CHECK(good > judged / 10);
}
