// Numbers and texts of each kind of figure, computed from facts and profiles.
#include "render_check.hpp"

namespace {

using nlohmann::json;

figures::Facts book_facts() {
  figures::Facts facts;
  for (const char* name : {"assumptions", "chips", "energy", "models", "runs"})
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
  auto real =
      figures::parse_profile(support::read_source("figures/profiles/reference-chromium.json"));
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

TEST_CASE("a sweep along threads says what the last of them gained", "[sweep]") {
  const auto on = [](int threads, double rate) {
    return json{{"kernel", "peak.fma"},  {"params", {{"chains", 12}}},
                {"threads", threads},    {"status", "measured"},
                {"unit", "GFLOP/s"},     {"best", rate},
                {"median", rate},        {"mad", 0.1},
                {"samples", 15},         {"verified", true},
                {"flags", json::array()}};
  };
  const auto profile_of = [](const json& results) {
    const auto parsed = figures::parse_profile(json{{"schema", 1}, {"results", results}}.dump());
    REQUIRE(parsed);
    return *parsed;
  };
  const figures::Profile many = profile_of({on(1, 50), on(2, 100), on(4, 150), on(8, 140)});
  const auto drawing = drawn(spec("core-scaling"), {nullptr, nullptr, &many});
  CHECK_THAT(drawing.description, StartsWith("On your machine compute reaches 50 GFLOP/s with 1 "
                                             "thread and 150 GFLOP/s with 4 threads, 3 times"));
  CHECK(drawing.table.rows[3] == std::vector<std::string>{"compute", "8", "2.8×", "140 GFLOP/s"});
  // A single point is not a curve.
  const figures::Profile one = profile_of(json::array({on(1, 50)}));
  CHECK(drawn(spec("core-scaling"), {nullptr, &one}).description ==
        "Nothing has been measured yet.");
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
  CHECK(error_of(steps) == "x.to: must be above from");
  steps = spec("tile-staircase");
  steps.erase("finding");
  CHECK(error_of(steps) == "finding: is missing");
}

TEST_CASE("curves have so many labels, and so many lines, as find a place", "[curves]") {
  const auto many = [](int curves, int named, bool steps) {
    json of = {{"kind", "curves"},
               {"title", "c"},
               {"finding", "f"},
               {"y", {{"title", "y"}}},
               {"x", {{"name", "n"}, {"title", "x"}, {"from", "1"}, {"to", "2000"}}},
               {"curves", json::array()}};
    for (int i = 0; i < curves; ++i) {
      // With steps, each curve is a zigzag that shows all of its corners.
      const std::string y = steps ? "n * 0.618 - floor(n * 0.618) + " + std::to_string(i)
                                  : std::to_string(i) + " * n";
      of["curves"].push_back({{"y", y},
                              {"steps", steps},
                              {"label", i < named ? "a" + std::to_string(i) + " word" : ""}});
    }
    return of;
  };
  CHECK(error_of(many(64, 41, false)) == "spec: has 41 labels, at most 40 fit: remove some");
  CHECK(drawn(many(64, 40, false), {}).svg.ends_with("</svg>"));
  json stops = many(1, 0, false);
  stops["trails"] = json::array({{{"label", "t"}, {"stops", json::array()}}});
  for (int i = 1; i <= 40; ++i)
    stops["trails"][0]["stops"].push_back({{"label", "s"}, {"x", std::to_string(i)}, {"y", "1"}});
  CHECK(error_of(stops).starts_with("spec: has 41 labels"));
  CHECK(error_of(many(64, 0, true)) ==
        "spec: the figure is too large: show fewer lines and points");
}

TEST_CASE("lengths: a factor continues from the row above", "[lengths]") {
  const json waterfall = {{"kind", "lengths"},
                          {"title", "t"},
                          {"finding", "f"},
                          {"x", {{"title", "rate"}, {"unit", "GFLOP/s"}, {"scale", "log"}}},
                          {"marks", "dots"},
                          {"rows",
                           {{{"label", "naive"}, {"value", "2 GFLOP/s"}},
                            {{"label", "vector"}, {"factor", "4"}},
                            {{"label", "all"}, {"value", "8 GFLOP/s"}, {"of", "16 GFLOP/s"}}}}};
  const auto drawing = drawn(waterfall, {});
  CHECK(drawing.table.rows[1] == std::vector<std::string>{"vector", "× 4"});
  CHECK(drawing.table.rows[2] == std::vector<std::string>{"all", "8 GFLOP/s of 16 GFLOP/s, 50 %"});
  json bad = waterfall;
  bad["rows"].erase(0);
  CHECK(error_of(bad) == "rows[0].factor: needs a row above it");
}

TEST_CASE("lengths: no bar on a logarithmic axis, where only dots are true", "[lengths]") {
  json of = {{"kind", "lengths"},
             {"title", "t"},
             {"finding", "f"},
             {"x", {{"title", "rate"}, {"unit", "GFLOP/s"}, {"scale", "log"}}},
             {"rows", {{{"label", "naive"}, {"value", "2 GFLOP/s"}}}}};
  const auto refused = figures::render(of, {}, {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().path == "x.scale");
  CHECK(refused.error().message.ends_with("use \"marks\": \"dots\""));
  of["marks"] = "dots";
  const auto dots = drawn(of, {});
  CHECK(dots.svg.find("<circle") != std::string::npos);
  CHECK(dots.svg.find("<rect") == std::string::npos);
  of["marks"] = "bars";
  of["x"]["scale"] = "linear";
  CHECK(drawn(of, {}).svg.find("<rect") != std::string::npos);
}

TEST_CASE("bars of bytes are hatched: they are not arithmetic in grey either", "[lengths]") {
  json of = {{"kind", "lengths"},
             {"title", "t"},
             {"finding", "f"},
             {"x", {{"title", "time"}, {"unit", "s"}}},
             {"rows", {{{"label", "bytes"}, {"value", "2 s"}, {"role", "bandwidth"}}}}};
  CHECK(drawn(of, {}).svg.find("stroke-opacity") != std::string::npos);
  of["rows"][0]["role"] = "compute";
  CHECK(drawn(of, {}).svg.find("stroke-opacity") == std::string::npos);
}

TEST_CASE("lanes: spans follow one another, in time that a length can say", "[lanes]") {
  json of = {{"kind", "lanes"},
             {"title", "t"},
             {"finding", "the second waits for {wait | ms | 2}"},
             {"given", {{"wait", "2 ms"}}},
             {"x", {{"title", "time"}, {"unit", "ms"}, {"to", "10 ms"}}},
             {"lanes",
              {{{"label", "first"}, {"spans", {{{"from", "0 ms"}, {"to", "10 ms"}}}}},
               {{"label", "second"},
                {"spans",
                 {{{"label", "waits"}, {"role", "idle"}, {"from", "0 ms"}, {"to", "wait"}},
                  {{"role", "bandwidth"}, {"from", "wait"}, {"to", "3 * wait"}}}}}}}};
  const auto drawing = drawn(of, {});
  CHECK(drawing.description == "the second waits for 2.0 ms");
  CHECK(drawing.table.rows[1] == std::vector<std::string>{"second", "waits", "0 ms", "2 ms"});
  CHECK(drawing.table.rows[2] == std::vector<std::string>{"second", "", "2 ms", "6 ms"});
  const auto refusal = [&](const char* pointer, const char* value) {
    json bad = of;
    bad[json::json_pointer(pointer)] = value;
    return error_of(bad);
  };
  CHECK(refusal("/lanes/1/spans/1/from", "1 ms") ==
        "lanes[1].spans[1].from: overlaps the previous span");
  CHECK(refusal("/lanes/0/spans/0/to", "0 ms") == "lanes[0].spans[0].to: must be after from");
  CHECK(refusal("/lanes/0/spans/0/to", "1 B") == "lanes[0].spans[0].to: '1 B' is in B, not in s");
  CHECK(refusal("/x/scale", "log") ==
        "x.scale: spans need a linear axis, because their length is the time");
}

TEST_CASE("lanes: idle time is an outline, and labels are drawn where they fit", "[lanes]") {
  json of = {{"kind", "lanes"},
             {"title", "t"},
             {"finding", "f"},
             {"x", {{"title", "cycles"}, {"to", "100"}}},
             {"lanes",
              {{{"label", "a"},
                {"spans",
                 {{{"label", "long enough"}, {"role", "compute"}, {"from", "0"}, {"to", "1"}},
                  {{"role", "idle"}, {"from", "50"}, {"to", "100"}}}}}}}};
  const std::string short_one = drawn(of, {}).svg;
  CHECK(short_one.find("long enough") == std::string::npos);
  CHECK(short_one.find("<rect") == short_one.rfind("<rect"));
  of["lanes"][0]["spans"][0]["to"] = "50";
  of["lanes"][0]["spans"][1]["role"] = "context";
  const std::string long_one = drawn(of, {}).svg;
  CHECK(long_one.find("long enough") != std::string::npos);
  CHECK(long_one.find("<rect") != long_one.rfind("<rect"));
}

TEST_CASE("cells: parts follow one another in a block, what they leave is empty", "[cells]") {
  json of = {{"kind", "cells"},
             {"title", "t"},
             {"finding", "{full | | 2} of 8"},
             {"given", {{"full", "5.5"}}},
             {"cell", "GiB"},
             {"panels",
              {{{"label", "memory"},
                {"says", "one line\nanother"},
                {"columns", 4},
                {"rows", 2},
                {"blocks",
                 {{{"columns", 4},
                   {"rows", 2},
                   {"parts",
                    {{{"label", "weights"}, {"cells", "full"}},
                     {{"label", "cache"}, {"role", "bandwidth"}}}}}}},
                {"arrows", {{{"to_x", 4}, {"to_y", 2}}}}}}}};
  const auto drawing = drawn(of, {});
  CHECK(drawing.table.columns.back() == "GiB");
  CHECK(drawing.table.rows[0] == std::vector<std::string>{"memory", "", "weights", "5.5"});
  CHECK(drawing.table.rows[1] == std::vector<std::string>{"memory", "", "cache", "2.5"});
  CHECK(drawing.svg.find(">another<") != std::string::npos);
  // A cell is 30 px: a whole row of the first part, then one and a half cells of the second row.
  CHECK(drawing.svg.find("m8 34h120v30h-120zm0 30h45v30h-45z") != std::string::npos);
  CHECK(drawing.svg.find("m53 64h75v30h-75z") != std::string::npos);
  const auto refusal = [&](const char* pointer, const json& value) {
    json bad = of;
    bad[json::json_pointer(pointer)] = value;
    return error_of(bad);
  };
  CHECK(refusal("/panels/0/blocks/0/parts/0/cells", "8.5") ==
        "panels[0].blocks[0].parts[0].cells: is not between 0 and the cells left in the block");
  CHECK(refusal("/panels/0/blocks/0/x", 1) ==
        "panels[0].blocks[0].x: the block's columns do not fit its panel");
  CHECK(refusal("/panels/0/blocks/0/rows", 3) ==
        "panels[0].blocks[0].y: the block's rows do not fit its panel");
  CHECK(refusal("/panels/0/blocks/0/columns", 1.5) ==
        "panels[0].blocks[0].columns: must be a whole number above 0");
  CHECK(refusal("/panels/0/rows", 65) == "panels[0].rows: is not between 0 and 64");
  CHECK(refusal("/panels/0/arrows/0/to_x", 5) ==
        "panels[0].arrows[0].to_x: or the other end of the arrow is outside its panel");
}

TEST_CASE("cells: narrow, panels stand below each other", "[cells]") {
  const json panel = {{"label", "p"},
                      {"columns", 4},
                      {"rows", 2},
                      {"blocks", {{{"columns", 4}, {"rows", 2}, {"parts", json::array()}}}}};
  json of = {{"kind", "cells"}, {"title", "t"}, {"finding", "f"}, {"panels", {panel}}};
  figures::Options narrow;
  narrow.width = figures::Layout::narrow;
  const auto one = figures::render(of, {}, narrow);
  of["panels"].push_back(panel);
  const auto two = figures::render(of, {}, narrow);
  REQUIRE((one && two));
  CHECK(two->height == 2 * one->height);
  const auto wide = drawn(of, {});
  of["panels"].erase(1);
  CHECK(wide.height == drawn(of, {}).height);
}

TEST_CASE("squares: areas in proportion, from small to large", "[squares]") {
  json of = {{"kind", "squares"},
             {"title", "t"},
             {"finding", "f"},
             {"unit", "s"},
             {"rows",
              {{{"label", "a"}, {"value", "1 s"}, {"role", "compute"}},
               {{"label", "b"}, {"value", "16 s"}, {"role", "bandwidth"}}}}};
  const auto drawing = drawn(of, {});
  CHECK(drawing.width == drawing.height);
  CHECK(drawing.table.rows[1] == std::vector<std::string>{"b", "16 s", "16 ×"});
  // The whole is 919 px wide, and a sixteenth of its area is 919 / 4 px wide.
  CHECK(drawing.svg.find("h229.8") != std::string::npos);
  std::swap(of["rows"][0], of["rows"][1]);
  CHECK(error_of(of) ==
        "rows[1].value: is smaller than the one above: sort rows from small to large");
}

TEST_CASE("machine: a tensor core has the rows that its rate makes", "[machine]") {
  const figures::Facts facts = book_facts();
  const auto drawing = drawn(spec("gpu-zoom"), {&facts});
  CHECK(drawing.description.find("the tensor core is 16 such rows") != std::string::npos);
  json of = spec("gpu-zoom");
  of["shared"] = "9 * 64 KiB";
  const auto refused = figures::render(of, {&facts}, {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "shared: is not at most eight times a part's registers");
}

TEST_CASE("the smallest words of a picture", "[figures]") {
  CHECK(figures::smallest_text("<text font-size=\"14\"/><text font-size=\"11.25\"/>") == 11.25);
  CHECK(figures::smallest_text("<svg/>") > figures::least_text);
  const auto drawing = drawn(spec("number-formats"), {});
  CHECK(figures::smallest_text(drawing.svg) >= figures::least_text);
}

TEST_CASE("number formats: the largest value follows from the bits", "[formats]") {
  const auto drawing = drawn(spec("number-formats"), {});
  const std::vector<std::string> largest = {
      "3.4 × 10³⁸", "3.4 × 10³⁸", "3.4 × 10³⁸", "65,504", "57,344", "448", "127", "6", "7"};
  for (std::size_t i = 0; i < largest.size(); ++i) CHECK(drawing.table.rows[i][4] == largest[i]);
}

TEST_CASE("layers: FLOP, bytes and which side of the ridge", "[layers]") {
  const figures::Facts facts = book_facts();
  const auto drawing = drawn(spec("block-kernels"), {&facts});
  REQUIRE(drawing.table.rows.size() == 12);
  // 6 · 8192 · 768² FLOP over 2 B · (4 · 8192 · 768 + 3 · 768²).
  CHECK(drawing.table.rows[1] == std::vector<std::string>{"attention", "query, key, value",
                                                          "matmul", "29.0 GFLOP", "53.9 MB", "538",
                                                          "at least 29.3 µs, compute-bound"});
  CHECK(drawing.table.rows[3].back().find("memory-bound") != std::string::npos);
  json lost = spec("block-kernels");
  lost["layers"][0]["kernels"][1]["does"] = "gemm";
  CHECK(error_of(lost) == "layers[0].kernels[1].does: unknown value 'gemm'");
  lost["layers"][0]["kernels"][1]["does"] = "product";
  CHECK_THAT(error_of(lost), StartsWith("given.N: unknown name 'gpt2-batch.sequences'"));
  lost.erase("given");
  lost["finding"] = "f";
  lost.erase("machine");
  lost["layers"][0]["kernels"][0]["flops"] = "1 FLOP";
  lost["layers"][0]["kernels"][0]["bytes"] = "1 FLOP";
  CHECK(error_of(lost) == "layers[0].kernels[0].bytes: '1 FLOP' is in FLOP, not in B");
}

TEST_CASE("split: with overlap the longer lane counts, without it both do", "[split]") {
  json split = json::parse(R"({"kind": "split", "title": "t", "finding": "f",
    "machine": {"label": "M", "peak": "10 FLOP/s", "bandwidth": "2 B/s"},
    "rows": [{"label": "both", "flops": "20 FLOP", "bytes": "6 B", "overhead": "1 s"},
             {"label": "one by one", "compute": "2 s", "memory": "1 s", "overlap": false},
             {"label": "launch", "flops": "1 FLOP", "overhead": "5 s"}]})");
  const auto drawing = drawn(split, {});
  CHECK(drawing.table.rows[0] ==
        std::vector<std::string>{"both", "1 s", "3 s", "2 s", "4 s", "memory-bound"});
  CHECK(drawing.table.rows[1][4] == "3 s");
  CHECK(drawing.table.rows[1][5] == "compute-bound");
  CHECK(drawing.table.rows[2][5] == "launch-bound");
  // If times are equal, the launch counts first, then the arithmetic.
  json ties = split;
  ties["rows"] = json::parse(R"([
    {"label": "a", "compute": "2 s", "memory": "1 s", "overhead": "2 s"},
    {"label": "b", "compute": "1 s", "memory": "2 s", "overhead": "2 s"},
    {"label": "c", "compute": "2 s", "memory": "2 s"}])");
  const auto equal = drawn(ties, {}).table.rows;
  CHECK(equal[0][5] == "launch-bound");
  CHECK(equal[1][5] == "launch-bound");
  CHECK(equal[2][5] == "compute-bound");
  split["rows"][0]["compute"] = "1 s";
  CHECK(error_of(split) == "rows[0].compute: is given, and flops too");
  split["rows"][0].erase("compute");
  split.erase("machine");
  CHECK(error_of(split) == "rows[0].flops: needs the spec's member machine");
  split["rows"] = json::parse(R"([{"label": "measured", "compute": "1 FLOP / P.fma"}])");
  CHECK(drawn(split, {}).table.rows[0][1] == "not measured");
}

TEST_CASE("tiles: a piece's size and use follow from the loops", "[tiles]") {
  const figures::Facts facts = book_facts();
  const auto drawing = drawn(spec("matmul-tiles"), {&facts});
  CHECK(drawing.table.rows[0] == std::vector<std::string>{"k in steps of 256", "B, 256 × 960",
                                                          "960 KiB", "L2", "960 times"});
  CHECK(drawing.table.rows[1] ==
        std::vector<std::string>{"m in steps of 6", "A, 6 × 256", "6 KiB", "L1", "960 times"});
  CHECK(drawing.table.rows[2][4] == "256 times");
  json bad = spec("matmul-tiles");
  bad["element"] = "4 B";
  bad["loops"][1]["by"] = "961";
  CHECK(error_of(bad) == "loops[1].by: is more than the 960 that are left");
  bad["loops"][1]["by"] = "2.5";
  CHECK(error_of(bad) == "loops[1].by: must be a whole number above 0");
  bad["loops"][1]["by"] = "96";
  bad["loops"][1]["over"] = "i";
  CHECK(error_of(bad) == "loops[1].over: unknown value 'i'");
  bad["loops"][1].erase("over");
  CHECK(error_of(bad) == "loops[1].over: is missing");
}

TEST_CASE("hierarchy: what each level must be asked per byte", "[hierarchy]") {
  const json machine = json::parse(R"({"kind": "hierarchy", "title": "t", "finding": "f",
    "units": "lanes", "peak": "100 GFLOP/s",
    "levels": [{"label": "memory", "holds": "16 GiB", "delivers": "20 GB/s"},
               {"label": "L1", "holds": "48 KiB", "count": "4", "delivers": "400 GB/s"}]})");
  const auto drawing = drawn(machine, {});
  CHECK(drawing.table.rows[0] == std::vector<std::string>{"memory", "16 GiB", "20 GB/s", "5"});
  CHECK(drawing.table.rows[1] == std::vector<std::string>{"L1", "4 × 48 KiB", "400 GB/s", "0.25"});
  json bad = machine;
  bad["levels"].erase(1);
  CHECK(error_of(bad) == "levels: are two to six");
}

TEST_CASE("given values may use each other, in any order", "[spec]") {
  json steps = spec("time-split");
  steps["finding"] = "f";
  steps["machine"] = {{"label", "M"}, {"peak", "a"}, {"bandwidth", "b"}};
  steps["given"] = {{"a", "b * 1 FLOP / (1 B)"}, {"b", "c * 1 B/s"}, {"c", "2"}};
  steps["rows"] = json::parse(R"([{"label": "r", "bytes": "8 B"}])");
  CHECK(drawn(steps, {}).table.rows[0][2] == "4 s");
  steps["given"]["c"] = "d";
  CHECK(error_of(steps) == "given.c: unknown name 'd'");
  steps["given"]["c"] = "a * 1";
  CHECK_THAT(error_of(steps), StartsWith("given.a: unknown name"));
  // A result that was not measured keeps its name and is reported as not measured.
  steps["given"]["c"] = "P.fma / 1 FLOP * 1 s";
  CHECK(drawn(steps, {}).table.rows[0][1] == "not measured");
}

TEST_CASE("a trail joins its stops, what was not measured is left out", "[curves]") {
  const figures::Catalogue catalogue = support::catalogue();
  json trail = json::parse(R"({"kind": "curves", "title": "t", "finding": "f",
    "x": {"title": "size"}, "y": {"title": "rate", "unit": "GFLOP/s"},
    "trails": [{"label": "way", "stops": [{"label": "one", "x": "1", "y": "1 GFLOP/s"},
                                          {"label": "two", "x": "2", "y": "4 GFLOP/s"}]}]})");
  const auto drawing = drawn(trail, {});
  CHECK(drawing.table.rows[1] == std::vector<std::string>{"way two", "2", "4"});
  trail["trails"][0]["stops"][1]["y"] = "P.fma";
  const auto nothing = drawn(trail, {nullptr, nullptr, nullptr, &catalogue});
  CHECK(nothing.table.rows[0] == std::vector<std::string>{"way", "not measured", ""});
  trail["trails"][0]["stops"][1]["y"] = "1 B";
  CHECK(error_of(trail) == "trails[0].stops[1].y: is in B, not in FLOP/s");
}

TEST_CASE("goldens of diagrams", "[figures]") {
  const figures::Facts facts = book_facts();
  figures::Options narrow;
  narrow.width = figures::Layout::narrow;
  narrow.theme = figures::Theme::light;
  for (const std::string name :
       {"block-kernels", "time-split", "matmul-tiles", "gpu-hierarchy", "tpu-tiles", "patches"}) {
    check::golden(name + "-wide.svg", drawn(spec(name), {&facts}).svg);
    const auto drawing = figures::render(spec(name), {&facts}, narrow);
    REQUIRE(drawing);
    check::golden(name + "-narrow.svg", drawing->svg);
  }
}

TEST_CASE("a wall draws each column for which its rates were measured", "[wall]") {
  const figures::Facts facts = book_facts();
  figures::Profile machine = support::profile("phone");
  const auto whole = drawn(spec("to-scale"), {&facts, &machine});
  CHECK(whole.height > 10'000);
  CHECK(whole.svg.find("not measured") == std::string::npos);
  std::erase_if(machine.roofs, [](const figures::Roof& roof) { return roof.is_bandwidth(); });
  std::erase_if(machine.levels, [](const figures::Level& level) { return level.name == "out"; });
  const auto half = drawn(spec("to-scale"), {&facts, &machine});
  CHECK(half.height > 10'000);
  CHECK(half.svg.find("not measured") != std::string::npos);
  CHECK(half.table.rows.front().back() != "not measured");
  CHECK(half.table.rows.back().back() == "not measured");
}
