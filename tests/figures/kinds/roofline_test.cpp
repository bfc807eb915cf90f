#include "render_check.hpp"

namespace {

using nlohmann::json;

figures::Facts round_machine() {
  figures::Facts facts;
  REQUIRE(facts.load(json::parse(R"({
    "round-machine.peak": {"value": "100 TFLOP/s", "kind": "assumed", "note": "round"},
    "round-machine.bandwidth": {"value": "1 TB/s", "kind": "assumed", "note": "round"}})")));
  return facts;
}

json spec(const char* name) {
  return json::parse(support::read_source(std::string("figures/specs/") + name + ".json"));
}

figures::Profile reference() {
  auto parsed =
      figures::parse_profile(support::read_source("tests/fixtures/figures/reference.json"));
  REQUIRE(parsed);
  return *parsed;
}

figures::Rendering drawn(const json& of, const figures::Inputs& inputs,
                         figures::Options options = {}) {
  auto drawing = figures::render(of, inputs, options);
  INFO((drawing ? std::string() : drawing.error().message));
  REQUIRE(drawing);
  return *drawing;
}

std::string error_of(const json& of) {
  const figures::Facts facts = round_machine();
  const auto drawing = figures::render(of, {&facts, nullptr, nullptr}, {});
  REQUIRE_FALSE(drawing);
  return drawing.error().message +
         (drawing.error().suggestion.empty() ? "" : " -> " + drawing.error().suggestion);
}

}  // namespace

TEST_CASE("the canonical roofline states its finding", "[roofline]") {
  const figures::Facts facts = round_machine();
  const auto drawing = drawn(spec("canonical"), {&facts, nullptr, nullptr});
  CHECK(drawing.description ==
        "The machine reaches 100 TFLOP/s and reads 1 TB/s; the two meet at its ridge, 100 FLOP/B. "
        "Left of the ridge, memory-bound: vector add (0.0833 FLOP/B, 83.3 GFLOP/s, 0.083 % of "
        "the ceiling). Right of it, compute-bound: matmul (200 FLOP/B, "
        "100 TFLOP/s, 100 % of the ceiling).");
  CHECK(drawing.table.rows[2] == std::vector<std::string>{"ridge", "100 FLOP/B", "", ""});
  CHECK(drawing.svg.find("ridge 100 FLOP/B") != std::string::npos);
  CHECK(drawing.svg.find("var(--bandwidth)") != std::string::npos);
}

TEST_CASE("goldens", "[roofline]") {
  const figures::Facts facts = round_machine();
  const figures::Profile base = reference(), phone = support::profile("phone");
  figures::Options narrow;
  narrow.width = figures::Layout::narrow;
  narrow.theme = figures::Theme::light;
  check::golden("canonical-wide.svg", drawn(spec("canonical"), {&facts, nullptr, nullptr}).svg);
  check::golden("canonical-narrow.svg",
                drawn(spec("canonical"), {&facts, nullptr, nullptr}, narrow).svg);
  check::golden("reference-wide.svg",
                drawn(spec("roofline-reference"), {&facts, &base, nullptr}).svg);
  check::golden("reference-phone-narrow.svg",
                drawn(spec("roofline-reference"), {&facts, &base, &phone}, narrow).svg);
}

TEST_CASE("the reader's machine is drawn over the reference in grey", "[roofline]") {
  const figures::Facts facts = round_machine();
  const figures::Profile base = reference(), phone = support::profile("phone");
  const auto alone = drawn(spec("roofline-reference"), {&facts, &base, nullptr});
  const auto both = drawn(spec("roofline-reference"), {&facts, &base, &phone});
  CHECK(alone.svg.find("var(--reader)") == std::string::npos);
  CHECK(both.svg.find("var(--reader)") != std::string::npos);
  CHECK(both.svg.find("var(--reference)") != std::string::npos);
  CHECK_THAT(both.description, StartsWith("Your machine reaches 14.3 GFLOP/s and reads 9 GB/s"));
}

TEST_CASE("an empty profile is as good as none", "[roofline]") {
  const figures::Facts facts = round_machine();
  const figures::Profile base = reference(), empty = support::profile("empty");
  const auto with = drawn(spec("roofline-reference"), {&facts, &base, &empty});
  const auto without = drawn(spec("roofline-reference"), {&facts, &base, nullptr});
  CHECK(with.svg == without.svg);
  const auto nothing = drawn(spec("roofline-reference"), {&facts, &empty, nullptr});
  CHECK(nothing.description == "An empty roofline: no machine has been measured yet.");
}

TEST_CASE("the reader's GPU is drawn next to the published chip", "[roofline]") {
  figures::Facts facts;
  REQUIRE(facts.load(json::parse(support::read_source("chapters/facts/chips.json"))));
  const figures::Profile base = reference(), gpu = support::profile("gpu");
  const auto drawing = drawn(spec("gpu-roofline"), {&facts, &base, &gpu});
  CHECK_THAT(drawing.description, StartsWith("Your GPU reaches 39.4 TFLOP/s and reads 452 GB/s"));
  const auto row = [&](const std::string& name) {
    for (const auto& one : drawing.table.rows)
      if (one.front() == name) return one;
    return std::vector<std::string>{};
  };
  CHECK(row("your GPU: ceiling, fp32")[2] == "20.2 TFLOP/s");
  CHECK(row("H100: bandwidth")[2] == "3.35 TB/s");
  // Each matmul is below the ceiling of its format: 11.8 of 20.2, 14.6 of 39.4 TFLOP/s.
  CHECK(row("tuned matmul")[3] == "58 %");
  CHECK(row("fp16 matmul")[3] == "37 %");
  CHECK(row("reference machine: ridge").empty());

  // Without fp16, the machine's own ridge counts, and the table reports the missing result.
  figures::Profile plain = gpu;
  plain.roofs.erase(plain.roofs.begin() + 1);
  plain.results.pop_back();
  const auto without = drawn(spec("gpu-roofline"), {&facts, &base, &plain});
  CHECK_THAT(without.description, StartsWith("Your GPU reaches 20.2 TFLOP/s"));
  CHECK(without.table.rows.back() ==
        std::vector<std::string>{"fp16 matmul", "", "not measured", ""});
}

TEST_CASE("a program that plays a GPU changes no picture", "[roofline]") {
  figures::Facts facts;
  REQUIRE(facts.load(json::parse(support::read_source("chapters/facts/chips.json"))));
  const figures::Profile base = reference(), phone = support::profile("phone");
  figures::Profile program = support::profile("gpu");
  program.devices.front().state = "software";
  const auto published = drawn(spec("gpu-roofline"), {&facts, &base, nullptr});
  const auto with_program = drawn(spec("gpu-roofline"), {&facts, &base, &program});
  CHECK(with_program.svg == published.svg);
  CHECK(with_program.table.rows == published.table.rows);
  // A GPU is not drawn either if the figure does not ask for one, or if half of its roofs are
  // missing.
  const figures::Profile gpu = support::profile("gpu");
  CHECK(drawn(spec("roofline-reference"), {&facts, &base, &gpu}).svg ==
        drawn(spec("roofline-reference"), {&facts, &base, nullptr}).svg);
  figures::Profile half = gpu;
  half.roofs.pop_back();
  CHECK(drawn(spec("gpu-roofline"), {&facts, &base, &half}).svg == published.svg);
  // The processor's roofs do not move.
  half.roofs.insert(half.roofs.end(), phone.roofs.begin(), phone.roofs.end());
  half.devices.insert(half.devices.end(), phone.devices.begin(), phone.devices.end());
  CHECK(drawn(spec("gpu-roofline"), {&facts, &base, &half}).svg ==
        drawn(spec("gpu-roofline"), {&facts, &base, &phone}).svg);
}

TEST_CASE("an error has the path of the member that it is about", "[roofline]") {
  const auto fault = [](const json& of) {
    const figures::Facts facts = round_machine();
    return figures::render(of, {&facts, nullptr, nullptr}, {}).error();
  };
  json bad = spec("canonical");
  bad["points"][1]["it's: long"] = "x";
  CHECK(fault(bad).path == "points[1].it's: long");
  CHECK(fault(bad).code == figures::Code::unknown_member);
  bad = spec("canonical");
  bad["points"][0]["intensity"] = "'unknown member'";
  CHECK(fault(bad).path == "points[0].intensity");
  CHECK(fault(bad).code != figures::Code::unknown_member);
  bad = spec("canonical");
  bad["a: b"] = 1;
  CHECK(fault(bad).path == "a: b");
  CHECK(fault(json{{"kind", "rofline"}}).path == "kind");
  CHECK(fault(json::array()).path == "");
}

TEST_CASE("a figure has at most twelve machines", "[roofline]") {
  json many = spec("canonical");
  many.erase("points");
  const json machine = many["machines"][0];
  for (int i = 1; i < 12; ++i) {
    many["machines"].push_back(machine);
    many["machines"].back()["role"] = "context";
  }
  const figures::Facts facts = round_machine();
  CHECK(figures::render(many, {&facts, nullptr, nullptr}, {}));
  many["machines"].push_back(many["machines"].back());
  CHECK(error_of(many) == "machines: is not a list of at most 12 objects");
}

TEST_CASE("with many machines, all but the first show only their names, even if roofs coincide",
          "[roofline]") {
  json of = {{"kind", "roofline"}, {"title", "t"}, {"machines", json::array()}};
  const std::vector<std::pair<double, double>> roofs = {
      {58.7, 24.9}, {71.4, 56.1}, {70, 55.5}, {58.9, 33.4}};
  for (const auto& [peak, bandwidth] : roofs)
    of["machines"].push_back(
        {{"label", "AMD EPYC, Chromium " + std::to_string(of["machines"].size())},
         {"peak", std::to_string(peak) + " GFLOP/s"},
         {"bandwidth", std::to_string(bandwidth) + " GB/s"},
         {"role", of["machines"].empty() ? "subject" : "context"}});
  figures::Options narrow;
  narrow.width = figures::Layout::narrow;
  for (const figures::Options& options : {figures::Options{}, narrow}) {
    const auto drawing = drawn(of, {}, options);
    check::geometry(drawing);
    check::labels_apart(drawing);
    check::nothing_struck_through(drawing);
    CHECK(drawing.omitted.empty());
    for (const char* said : {"Chromium 3", "24.9 GB/s", "58.7 GFLOP/s"})
      CHECK(drawing.svg.find(said) != std::string::npos);
    for (const char* unsaid : {">56.1 GB/s", ", 71.4 GFLOP/s", ">ridge 1.27"})
      CHECK(drawing.svg.find(unsaid) == std::string::npos);
  }
}

TEST_CASE("no roof is drawn outside of the axes", "[roofline]") {
  const figures::Facts facts = round_machine();
  for (const json& x : {json{0.01, 30000}, json{1000, 30000}, json{0.01, 1}}) {
    json of = spec("canonical");
    of["x"] = x;
    of.erase("points");
    const auto drawing = drawn(of, {&facts, nullptr, nullptr});
    pugi::xml_document document;
    REQUIRE(document.load_string(drawing.svg.c_str()));
    const figures::Box page{0, 0, drawing.width, drawing.height};
    INFO(of.dump());
    for (const auto& found : document.select_nodes("//line")) {
      const pugi::xml_node line = found.node();
      for (const auto& [across, down] : {std::pair{"x1", "y1"}, {"x2", "y2"}})
        CHECK(
            page.contains({line.attribute(across).as_double(), line.attribute(down).as_double()}));
    }
  }
}

TEST_CASE("an error names the place and the nearest name", "[roofline]") {
  json bad = spec("canonical");
  bad["machine"] = 1;
  CHECK(error_of(bad) == "spec: unknown member 'machine' -> machines");
  bad = spec("canonical");
  bad["points"][1]["intensitty"] = "x";
  CHECK(error_of(bad) == "points[1]: unknown member 'intensitty' -> intensity");
  bad = spec("canonical");
  bad["points"][0]["intensity"] = "3 GB/s";
  CHECK(error_of(bad) == "points[0].intensity: '3 GB/s' is in B/s, not in FLOP/B");
  bad = spec("canonical");
  bad["kind"] = "rofline";
  CHECK(error_of(bad) == "kind: unknown kind 'rofline' -> roofline");
  CHECK(error_of(json::array()) == "spec: is not an object");
  CHECK(error_of(json::object()) == "kind: is missing");
  CHECK(error_of(json{{"knid", "roofline"}}) == "spec: unknown member 'knid' -> kind");
  bad = spec("canonical");
  bad["titel"] = bad["title"];
  bad.erase("title");
  CHECK(error_of(bad) == "spec: unknown member 'titel' -> title");
}

TEST_CASE("hostile specs and profiles end in an error or a picture", "[roofline]") {
  const figures::Facts facts = round_machine();
  const figures::Profile base = reference();
  const json good = spec("roofline-reference");
  const std::vector<json> values = {nullptr,
                                    -1,
                                    1e308,
                                    "",
                                    "1/0",
                                    json::array(),
                                    json::object(),
                                    true,
                                    0,
                                    json(1000, 'x'),
                                    "\xff<svg onload=1>"};
  const json flat = good.flatten();
  for (const auto& [path, old] : flat.items()) {
    for (const json& value : values) {
      json changed = flat;
      changed[path] = value;
      json whole;
      try {
        whole = changed.unflatten();
      } catch (const json::exception&) {
        continue;
      }
      const auto drawing = figures::render(whole, {&facts, &base, &base}, {});
      if (drawing) CHECK(drawing->svg.find("<svg onload") == std::string::npos);
    }
  }
  for (const double value : {0.0, -5.0, 1e-300, 1e300, 1e-5, 9e8}) {
    figures::Profile wild = base;
    for (figures::Roof& roof : wild.roofs) roof.value = value;
    for (figures::Measurement& result : wild.results) result.median = result.mad = value;
    wild.devices[0].name = std::string(5000, '<') + "\xf0\x9f\x98\x80\xe2\x80\xae";
    figures::Options narrow;
    narrow.width = figures::Layout::narrow;
    check::geometry(drawn(good, {&facts, &base, &wild}, narrow));
  }
}

TEST_CASE("two bills: counting arithmetic misjudges an H100", "[bars]") {
  figures::Facts facts;
  REQUIRE(facts.load(json::parse(support::read_source("chapters/facts/chips.json"))));
  const figures::Profile base = reference();
  const auto drawing = drawn(spec("two-bills"), {&facts, &base, nullptr});
  CHECK(drawing.table.rows[0][3] == "0.56 %");
  CHECK(drawing.table.rows[2][3] == "44 %");  // four passes over the scores
  CHECK(drawing.table.rows[3][3] == "3.2 %");
  const auto nobody = drawn(spec("two-bills"), {&facts, nullptr, nullptr});
  CHECK(nobody.table.rows[3][1] == "not measured");
}

TEST_CASE("the ladder says how much of the roof each step reaches", "[bars]") {
  const figures::Profile base = reference(), bare = support::profile("bare");
  const auto drawing = drawn(spec("ladder"), {nullptr, &base, nullptr});
  CHECK_THAT(drawing.description, StartsWith("The highest rung is packed with 98 % of the roof."));
  const auto yours = drawn(spec("ladder"), {nullptr, &base, &bare});
  CHECK(yours.table.rows[4] ==
        std::vector<std::string>{"packed", "not measured", "", "44.6 GFLOP/s"});
}

TEST_CASE("bars: each part is a rectangle as long as its share of the bar", "[bars]") {
  const json of = json::parse(R"({"kind": "bars", "title": "Shares",
    "parts": [{"label": "one", "role": "compute"}, {"label": "two", "role": "bandwidth"}],
    "bars": [{"label": "a", "flops": ["30 FLOP", "10 FLOP"]}, {"label": "b", "flops": ["0 FLOP", "5 FLOP"]}]})");
  const auto drawing = drawn(of, {nullptr, nullptr, nullptr});
  pugi::xml_document document;
  REQUIRE(document.load_string(drawing.svg.c_str()));
  std::map<double, std::vector<std::pair<std::string, double>>> bars;
  for (const auto& found : document.select_nodes("//rect[@height and @y > 25]")) {
    const pugi::xml_node part = found.node();
    if (part.attribute("width").as_double() > 14)  // no key
      bars[part.attribute("y").as_double()].emplace_back(part.attribute("fill").value(),
                                                         part.attribute("width").as_double());
  }
  REQUIRE(bars.size() == 2);
  const auto& first = bars.begin()->second;
  const auto& second = bars.rbegin()->second;
  REQUIRE(first.size() == 3);  // the bar, then its parts
  CHECK_THAT((first[1].second + 1) / first[0].second, WithinAbs(0.75, 0.01));
  CHECK_THAT((first[2].second + 1) / first[0].second, WithinAbs(0.25, 0.01));
  REQUIRE(second.size() == 2);
  CHECK_THAT((second[1].second + 1) / second[0].second, WithinAbs(1, 0.01));
  CHECK(second[1].first == first[2].first);
}
