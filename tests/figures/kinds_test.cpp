// What the kinds of figures say, computed from facts and profiles.
#include "render_check.hpp"

namespace {

using nlohmann::json;

figures::Facts book_facts() {
  figures::Facts facts;
  for (const char* name : {"chips", "energy", "runs"})
    REQUIRE(facts.load(
        json::parse(support::read_source(std::string("chapters/facts/") + name + ".json"))));
  return facts;
}

json spec(const std::string& name) {
  return json::parse(support::read_source("figures/specs/" + name + ".json"));
}

figures::Rendering drawn(const json& of, const figures::Inputs& inputs) {
  auto drawing = figures::render(of, inputs, {});
  INFO((drawing ? std::string() : drawing.error().message));
  REQUIRE(drawing);
  return *drawing;
}

std::string error_of(const json& of) {
  const auto drawing = figures::render(of, {}, {});
  REQUIRE_FALSE(drawing);
  return drawing.error().message;
}

}  // namespace

TEST_CASE("Figure 5 of the TPU paper: six applications, shares of their roofs", "[roofline]") {
  const figures::Facts facts = book_facts();
  const auto drawing = drawn(spec("tpu-v1-roofline"), {&facts});
  const std::vector<std::pair<std::string, std::string>> published = {
      {"MLP0", "90 %"},  {"MLP1", "85 %"}, {"LSTM0", "85 %"},
      {"LSTM1", "43 %"}, {"CNN0", "93 %"}, {"CNN1", "15 %"}};
  const std::size_t first = drawing.table.rows.size() - published.size();
  for (std::size_t i = 0; i < published.size(); ++i) {
    CHECK(drawing.table.rows[first + i].front() == published[i].first);
    CHECK(drawing.table.rows[first + i].back() == published[i].second);
    CHECK(drawing.svg.find(published[i].second + " of its roof") != std::string::npos);
  }
  CHECK(drawing.svg.find("FLOP") == std::string::npos);
}

TEST_CASE("the memory mountain names what each level delivers", "[sweep]") {
  auto real = figures::parse_profile(support::read_source("figures/profiles/reference-chromium.json"));
  REQUIRE(real);
  const auto drawing = drawn(spec("memory-mountain"), {nullptr, &*real});
  CHECK_THAT(drawing.description, StartsWith("On the reference machine a loop reads"));
  CHECK(drawing.table.rows.size() >= 4);
  const figures::Profile phone = support::profile("phone"), empty = support::profile("empty");
  const auto yours = drawn(spec("memory-mountain"), {nullptr, &*real, &phone});
  CHECK_THAT(yours.description, StartsWith("On your machine a loop reads 38.8 GB/s in 16 KiB"));
  CHECK(yours.svg.find("your machine") != std::string::npos);
  const auto nothing = drawn(spec("memory-mountain"), {nullptr, &empty});
  CHECK(nothing.description == "Nothing has been measured yet.");
}

TEST_CASE("curves are their expressions", "[curves]") {
  json steps = spec("tile-staircase");
  const auto drawing = drawn(steps, {});
  // 1 row costs a tile, 1025 rows cost five.
  CHECK(drawing.table.rows[5] == std::vector<std::string>{"paid for", "1", "256"});
  steps["curves"][0]["y"] = "n * 1 B";
  CHECK(error_of(steps) == "curves[0].y: is in B, the y axis in number");
  steps = spec("tile-staircase");
  steps["curves"][0]["y"] = "m";
  CHECK_THAT(error_of(steps), StartsWith("curves[0].y: unknown name 'm'"));
  steps = spec("tile-staircase");
  steps["x"]["to"] = "0";
  CHECK(error_of(steps) == "x.to: does not lie above from");
  steps = spec("tile-staircase");
  steps.erase("finding");
  CHECK(error_of(steps) == "finding: is missing");
}

TEST_CASE("lengths: a factor goes on from the row above", "[lengths]") {
  const json waterfall = {
      {"kind", "lengths"},
      {"title", "t"},
      {"finding", "f"},
      {"x", {{"title", "rate"}, {"unit", "GFLOP/s"}, {"scale", "log"}}},
      {"rows",
       {{{"label", "naive"}, {"value", "2 GFLOP/s"}}, {{"label", "vector"}, {"factor", "4"}},
        {{"label", "all"}, {"value", "8 GFLOP/s"}, {"of", "16 GFLOP/s"}}}}};
  const auto drawing = drawn(waterfall, {});
  CHECK(drawing.table.rows[1] == std::vector<std::string>{"vector", "× 4"});
  CHECK(drawing.table.rows[2] == std::vector<std::string>{"all", "8 GFLOP/s of 16 GFLOP/s, 50 %"});
  json bad = waterfall;
  bad["rows"].erase(0);
  CHECK(error_of(bad) == "rows[0].factor: has no row above it to go on from");
}

TEST_CASE("number formats: the largest value follows from the bits", "[formats]") {
  const auto drawing = drawn(spec("number-formats"), {});
  const std::vector<std::string> largest = {"3.4 × 10³⁸", "3.4 × 10³⁸", "3.4 × 10³⁸",
                                            "65,504",     "57,344",     "448",
                                            "127",        "6",          "7"};
  for (std::size_t i = 0; i < largest.size(); ++i) CHECK(drawing.table.rows[i][4] == largest[i]);
}
