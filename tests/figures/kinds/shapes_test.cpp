// The table of what specifications may hold, against the readers, the published schema and its
// reference. UPDATE_GOLDENS=1 writes the last two anew.
#include "figures/kinds/shapes.hpp"

#include <cstdlib>
#include <filesystem>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "figures/draw/rendering.hpp"
#include "figures/kinds/kinds.hpp"
#include "spec_schema.hpp"
#include "support.hpp"

namespace {

using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

const char* const schema_file = "site/static/schemas/figure-spec.json";

void holds(const std::string& file, const std::string& now) {
  if (std::getenv("UPDATE_GOLDENS"))
    std::ofstream(std::string(SOURCE_ROOT) + "/" + file, std::ios::binary) << now;
  CHECK(support::read_source(file) == now);
}

std::map<std::string, json> specs() {
  std::map<std::string, json> out;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(SOURCE_ROOT) + "/figures/specs"))
    out[entry.path().stem()] = json::parse(std::ifstream(entry.path()));
  return out;
}

class Validator {
 public:
  Validator() : text_(json::parse(support::read_source(schema_file))) {
    valijson::SchemaParser().populateSchema(Adapter(text_), schema_);
  }
  bool accepts(const json& spec) { return validator_.validate(schema_, Adapter(spec), nullptr); }

 private:
  json text_;
  valijson::Schema schema_;
  valijson::Validator validator_;
};

bool has_shape(const json& spec) {
  const auto kind = spec.find("kind");
  if (kind == spec.end() || !kind->is_string()) return false;
  const figures::Shape* shape = figures::shape_of(kind->get<std::string>());
  return shape != nullptr && !figures::misshapen(spec, *shape);
}

// One value of each sort, and what is too much.
const std::vector<json>& others() {
  static const std::vector<json> values = {nullptr,
                                           true,
                                           false,
                                           3,
                                           "",
                                           "none such",
                                           json::array(),
                                           json{{"a", 1}},
                                           std::string(601, 'x'),
                                           std::string("\xc3\xa4") + std::string(599, 'x'),
                                           json::array({1, 2}),
                                           std::vector<json>(65, json::object())};
  return values;
}

// Every place of the document in turn is another value, is gone, or has a neighbour that nobody knows;
// of lists the first two items.
template <class See>
void each_change(json& whole, json& part, const See& see) {
  if (part.is_object()) {
    part["no-such-member"] = 1;
    see(whole);
    part.erase("no-such-member");
  }
  if (!part.is_structured()) return;
  const json before = part;
  for (const auto& [name, value] : before.items()) {
    if (part.is_array() && std::stoul(name) > 1) break;
    if (part.is_object()) {
      part.erase(name);
      see(whole);
      part = before;
    }
    json& inner = part.is_object() ? part[name] : part[std::stoul(name)];
    for (const json& other : others()) {
      inner = other;
      see(whole);
    }
    inner = value;
    each_change(whole, inner, see);
  }
}

// Members that no specification of the book has, each beside what it needs.
std::vector<json> further() {
  return {json::parse(R"({"kind": "lengths", "title": "t", "finding": "f", "x": {"title": "x"},
            "rows": [{"label": "a", "value": "1", "to": "2", "of": "3"}, {"label": "b", "factor": "2"}]})"),
          json::parse(R"({"kind": "split", "title": "t", "finding": "f", "scale": "time",
            "rows": [{"label": "a", "compute": "1 s", "memory": "1 s", "overlap": false}]})"),
          json::parse(R"({"kind": "bars", "title": "t", "parts": [{"label": "p"}],
            "bars": [{"label": "a", "flops": ["1 FLOP"], "bytes": ["1 B"], "profile": false,
                      "peak": "1 FLOP/s", "bandwidth": "1 B/s"}]})"),
          json::parse(R"({"kind": "roofline", "title": "t", "profile": {"ceilings": ["simd"]},
            "points": [{"label": "a", "kernel": "k", "params": {"w": "1 MiB", "n": 3}, "variant": "v",
                        "threads": 2, "intensity": "1 FLOP/B"}]})")};
}

}  // namespace

TEST_CASE("shapes: every kind has one, and only kinds have", "[shapes]") {
  std::vector<std::string_view> named, drawn;
  for (const figures::Shape& shape : figures::shapes()) named.push_back(shape.name);
  for (const figures::Kind& kind : figures::kinds()) drawn.push_back(kind.name);
  std::sort(named.begin(), named.end());
  std::sort(drawn.begin(), drawn.end());
  CHECK(named == drawn);
}

TEST_CASE("shapes: schema and reference are made of them", "[shapes]") {
  holds(schema_file, support::SpecSchema().whole().dump(2) + "\n");
  holds("docs/figure_specs.md", support::SpecReference().whole());
}

TEST_CASE("shapes: the schema takes what the readers take", "[shapes]") {
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

TEST_CASE("shapes: the schema refuses what the readers refuse", "[shapes]") {
  Validator schema;
  // What has no member that another one lacks says nothing new.
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
  std::size_t changes = 0, refused = 0;
  for (json& spec : tried) {
    each_change(spec, spec, [&](const json& changed) {
      const bool good = has_shape(changed);
      ++changes, refused += !good;
      if (schema.accepts(changed) == good) return;
      INFO(changed.dump(1));
      CHECK(schema.accepts(changed) == good);
    });
  }
  CHECK(refused > 3000);
  CHECK(changes > refused);
}

TEST_CASE("shapes: what has not its shape is never drawn", "[shapes]") {
  for (json spec : further()) {
    each_change(spec, spec, [&](const json& changed) {
      if (has_shape(changed)) return;
      INFO(changed);
      CHECK_FALSE(figures::render(changed, {}, {}));
    });
  }
}

TEST_CASE("shapes: what may not stand together is said with both names", "[shapes]") {
  const auto fault = [](const json& spec) {
    const auto drawn = figures::render(spec, {}, {});
    return drawn ? std::string() : drawn.error().message;
  };
  std::vector<json> of = further();
  of[0]["rows"][1]["value"] = "1";
  CHECK(fault(of[0]) == "rows[1].value: is given, and factor too");
  of[3]["points"][0].erase("kernel");
  CHECK(fault(of[3]) == "points[0].variant: is only for what has kernel");
  of[2]["bars"][0]["profile"] = true;
  CHECK(fault(of[2]) == "bars[0].peak: is given, and profile too");
  of[2]["bars"][0].erase("flops");
  CHECK(fault(of[2]) == "bars[0].profile: is only for what has flops");
  of[2]["bars"][0].erase("bytes");
  CHECK(fault(of[2]) == "bars[0].flops: is missing");
  of[2]["parts"] = json::array();
  CHECK(fault(of[2]) == "parts: are one to six");
}
