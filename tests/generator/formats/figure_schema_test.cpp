// The published schema of figure specs accepts exactly the specs that the readers accept.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "catch.hpp"
#include "generator/core/formats/schema.hpp"
#include "rounds.hpp"
#include "tests/figures/kinds/spec_changes.hpp"

namespace {

using nlohmann::json;
using support::each_change;
using support::further;
using support::has_shape;

const std::string repository = PRIMER_SOURCE;

std::map<std::string, json> specs() {
  std::map<std::string, json> out;
  for (const auto& entry : std::filesystem::directory_iterator(repository + "/figures/specs"))
    out[entry.path().stem()] = json::parse(std::ifstream(entry.path()));
  return out;
}

class Validator {
 public:
  bool accepts(const json& spec) {
    primer::Diagnostics diagnostics;
    const auto file = primer::parse_json("spec.json", spec.dump(), diagnostics);
    return file && primer::explain(schema_, "it", file->tree, false, file->source, diagnostics);
  }

 private:
  json schema_ = json::parse(std::ifstream(repository + "/site/static/schemas/figure-spec.json"));
};

}  // namespace

TEST_CASE("figure schema: it takes what the readers take", "[shapes]") {
  Validator schema;
  for (const auto& [name, spec] : specs()) {
    INFO(name);
    CHECK(has_shape(spec));
    CHECK(schema.accepts(spec));
  }
  for (const json& spec : further()) {
    INFO(spec);
    CHECK(has_shape(spec));
    CHECK(schema.accepts(spec));
  }
}

TEST_CASE("figure schema: it refuses what the readers refuse", "[shapes]") {
  Validator schema;
  // A case without a member that another case lacks adds nothing.
  std::set<std::string> seen;
  std::vector<json> tried = further();
  for (const auto& [name, spec] : specs()) {
    const json flat = spec.flatten();
    bool is_new = false;
    for (const auto& [path, value] : flat.items()) {
      std::string steps = spec["kind"];
      for (const char c : path)
        if (c < '0' || c > '9') steps += c;
      is_new = seen.insert(steps).second || is_new;
    }
    if (is_new) tried.push_back(spec);
  }
  const std::size_t one_in = static_cast<std::size_t>(rounds("ONE_IN", 3, 1));
  std::size_t seen_changes = 0, changes = 0, refused = 0;
  for (json& spec : tried) {
    each_change(spec, spec, [&](const json& changed) {
      if (++seen_changes % one_in != 0) return;
      const bool good = has_shape(changed);
      ++changes, refused += !good;
      if (schema.accepts(changed) == good) return;
      INFO(changed.dump(1));
      CHECK(schema.accepts(changed) == good);
    });
  }
  CHECK(refused > 3000 / one_in);
  CHECK(changes > refused);
}
