// Compares the table of allowed members with the readers, the published schema and its reference.
// UPDATE_GOLDENS=1 writes the last two again.
#include "figures/kinds/shapes.hpp"

#include <cstdlib>

#include "figures/draw/rendering.hpp"
#include "figures/kinds/kinds.hpp"
#include "spec_changes.hpp"
#include "spec_schema.hpp"
#include "support.hpp"

namespace {

using nlohmann::json;

const char* const schema_file = "site/static/schemas/figure-spec.json";

void holds(const std::string& file, const std::string& now) {
  if (std::getenv("UPDATE_GOLDENS"))
    std::ofstream(std::string(SOURCE_ROOT) + "/" + file, std::ios::binary) << now;
  CHECK(support::read_source(file) == now);
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
  holds("docs/reference/figure-specs.md", support::SpecReference().whole());
}

TEST_CASE("shapes: what has not its shape is never drawn", "[shapes]") {
  for (json spec : support::further()) {
    support::each_change(spec, spec, [&](const json& changed) {
      if (support::has_shape(changed)) return;
      INFO(changed);
      CHECK_FALSE(figures::render(changed, {}, {}));
    });
  }
}

TEST_CASE("shapes: an error names both members that exclude each other", "[shapes]") {
  const auto fault = [](const json& spec) {
    const auto drawn = figures::render(spec, {}, {});
    return drawn ? std::string() : drawn.error().message;
  };
  std::vector<json> of = support::further();
  of[0]["rows"][1]["value"] = "1";
  CHECK(fault(of[0]) == "rows[1].value: is given, and factor too");
  of[3]["points"][0].erase("kernel");
  CHECK(fault(of[3]) == "points[0].variant: needs kernel");
  of[2]["bars"][0]["profile"] = true;
  CHECK(fault(of[2]) == "bars[0].peak: is given, and profile too");
  of[2]["bars"][0].erase("flops");
  CHECK(fault(of[2]) == "bars[0].profile: needs flops");
  of[2]["bars"][0].erase("bytes");
  CHECK(fault(of[2]) == "bars[0].flops: is missing");
  of[2]["parts"] = json::array();
  CHECK(fault(of[2]) == "parts: are one to six");
}
