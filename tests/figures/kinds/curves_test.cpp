// Points and trails of curves: which machine they belong to, where they are, and what the table
// reports.
#include <nlohmann/json.hpp>

#include "figures/draw/rendering.hpp"
#include "render_check.hpp"

namespace {

using nlohmann::json;
using Rows = std::vector<std::vector<std::string>>;

json curves(const json& members) {
  json spec = {{"kind", "curves"},
               {"title", "t"},
               {"finding", "f"},
               {"x", {{"name", "n"}, {"title", "x"}, {"from", "1"}, {"to", "9"}}},
               {"y", {{"title", "y"}, {"unit", "GFLOP/s"}}}};
  spec.update(members);
  return spec;
}

figures::Rendering drawn_curves(const json& members, const figures::Inputs& inputs = {}) {
  const auto drawing = figures::render(curves(members), inputs, {});
  INFO((drawing ? std::string() : drawing.error().message));
  REQUIRE(drawing);
  return *drawing;
}

std::string refusal(const json& members) {
  const auto drawing = figures::render(curves(members), {}, {});
  return drawing ? "" : drawing.error().message;
}

std::size_t count(const figures::Rendering& drawing, const char* path) {
  pugi::xml_document document;
  REQUIRE(document.load_string(drawing.svg.c_str()));
  return document.select_nodes(path).size();
}

}  // namespace

TEST_CASE("curves: a line is sampled to both ends, a row for each quarter", "[curves]") {
  const auto drawing = drawn_curves({{"curves", {{{"label", "c"}, {"y", "n * 1 GFLOP/s"}}}}});
  CHECK(drawing.table.columns == std::vector<std::string>{"", "x", "y, GFLOP/s"});
  CHECK(drawing.table.rows ==
        Rows{{"c", "1", "1"}, {"c", "3", "3"}, {"c", "5", "5"}, {"c", "7", "7"}, {"c", "9", "9"}});
  const auto steps =
      drawn_curves({{"x", {{"name", "n"}, {"title", "x"}, {"from", "0.5"}, {"to", "4"}}},
                    {"curves", {{{"label", "c"}, {"y", "n * 1 GFLOP/s"}, {"steps", true}}}}});
  CHECK(steps.table.rows ==
        Rows{{"c", "1", "1"}, {"c", "2", "2"}, {"c", "3", "3"}, {"c", "4", "4"}});
  const auto logarithmic = drawn_curves(
      {{"x", {{"name", "n"}, {"title", "x"}, {"from", "1"}, {"to", "16"}, {"scale", "log"}}},
       {"curves", {{{"label", "c"}, {"y", "n * 1 GFLOP/s"}}}}});
  CHECK(logarithmic.table.rows[2] == std::vector<std::string>{"c", "4", "4"});
}

TEST_CASE("curves: a year keeps its four digits in the table", "[curves]") {
  const auto drawing = drawn_curves(
      {{"x", {{"name", "n"}, {"title", "year"}, {"from", "2016.4"}, {"to", "2027.6"}}},
       {"trails",
        {{{"label", "way"},
          {"stops",
           {{{"x", "2017"}, {"y", "1 GFLOP/s"}}, {{"x", "2025"}, {"y", "2.345 GFLOP/s"}}}}}}}});
  CHECK(drawing.table.rows == Rows{{"way", "2017", "1"}, {"way", "2025", "2.35"}});
}

TEST_CASE("curves: a logarithmic axis has no position for values of zero or less", "[curves]") {
  const json y = {{"title", "y"}, {"unit", "GFLOP/s"}, {"scale", "log"}};
  const auto drawing =
      drawn_curves({{"y", y}, {"curves", {{{"label", "c"}, {"y", "(n - 5) * 1 GFLOP/s"}}}}});
  REQUIRE_FALSE(drawing.table.rows.empty());
  for (const auto& row : drawing.table.rows) CHECK(std::stod(row[2]) > 0);
  const auto none = drawn_curves({{"y", y}, {"curves", {{{"label", "c"}, {"y", "0 GFLOP/s"}}}}});
  CHECK(none.table.rows == Rows{{"c", "not measured", ""}});
  const auto points = drawn_curves({{"y", y},
                                    {"points",
                                     {{{"label", "p"}, {"x", "2"}, {"y", "0 GFLOP/s"}},
                                      {{"label", "q"}, {"x", "2"}, {"y", "1 GFLOP/s"}}}}});
  CHECK(points.table.rows == Rows{{"p", "not measured", ""}, {"q", "2", "1"}});
}

TEST_CASE("curves: the dot of a point says where it is from", "[curves]") {
  const auto with = [](const char* badge) {
    json point = {{"label", "p"}, {"x", "2"}, {"y", "3 GFLOP/s"}};
    if (*badge != '\0') point["badge"] = badge;
    return drawn_curves({{"points", {point}}});
  };
  CHECK(count(with(""), "//circle") == 0);
  CHECK(count(with("shipping"), "//circle") == 0);
  CHECK(count(with("announced"), "//circle") == 1);
  CHECK(count(with("measured"), "//circle") == 1);
  CHECK(with("announced").svg != with("measured").svg);
  CHECK(with("").table.rows == Rows{{"p", "2", "3"}});
}

TEST_CASE("curves: a measured point is the reader's, the reference machine's behind it",
          "[curves]") {
  const figures::Catalogue catalogue = support::catalogue();
  const figures::Profile phone = support::profile("phone"), big = support::profile("big"),
                         empty = support::profile("empty");
  const json peak = {{"points", {{{"label", "p"}, {"x", "2"}, {"y", "P.simd"}}}}};
  const json fixed = {{"points", {{{"label", "p"}, {"x", "2"}, {"y", "3 GFLOP/s"}}}}};
  const auto theirs = drawn_curves(peak, {nullptr, &phone, nullptr, &catalogue}).table.rows;
  REQUIRE(theirs.size() == 1);
  CHECK(theirs[0] == std::vector<std::string>{"p", "2", "14.3"});
  const auto both = drawn_curves(peak, {nullptr, &phone, &big, &catalogue}).table.rows;
  REQUIRE(both.size() == 2);
  CHECK(both[0] == std::vector<std::string>{"p (reference machine)", "2", "14.3"});
  CHECK(both[1][0] == "p");
  CHECK(drawn_curves(peak, {nullptr, &phone, &empty, &catalogue}).table.rows == theirs);
  CHECK(drawn_curves(peak, {nullptr, &empty, nullptr, &catalogue}).table.rows ==
        Rows{{"p", "not measured", ""}});
  CHECK(drawn_curves(peak, {nullptr, nullptr, &phone, &catalogue}).table.rows == theirs);
  // A result that is not a measurement belongs to no machine.
  CHECK(drawn_curves(fixed, {nullptr, &phone, &big, &catalogue}).table.rows ==
        Rows{{"p", "2", "3"}});
}

TEST_CASE("curves: a trail is the reader's when every stop of it is", "[curves]") {
  const figures::Catalogue catalogue = support::catalogue();
  const figures::Profile phone = support::profile("phone"), empty = support::profile("empty");
  const auto trail = [](const char* second) {
    return json{{"trails",
                 {{{"label", "way"},
                   {"stops",
                    {{{"label", "a"}, {"x", "1"}, {"y", "P.simd"}},
                     {{"label", "b"}, {"x", "2"}, {"y", second}}}}}}}};
  };
  CHECK(drawn_curves(trail("P.scalar"), {nullptr, &phone, nullptr, &catalogue}).table.rows ==
        Rows{{"way a", "1", "14.3"}, {"way b", "2", "3.47"}});
  const auto both = drawn_curves(trail("P.scalar"), {nullptr, &phone, &phone, &catalogue});
  CHECK(both.table.rows.size() == 4);
  CHECK(both.table.rows[2][0] == "way a");
  CHECK(both.table.rows[3][0] == "way b");
  const auto without = drawn_curves(trail("P.i8dot"), {nullptr, &phone, nullptr, &catalogue});
  CHECK(without.table.rows.back()[1] == "not measured");
  CHECK(drawn_curves(trail("P.scalar"), {nullptr, &empty, &empty, &catalogue}).table.rows ==
        Rows{{"way", "not measured", ""}});
  json bare = trail("P.scalar");
  const auto dots = count(drawn_curves(bare, {nullptr, &phone, nullptr, &catalogue}), "//circle");
  bare["trails"][0]["dots"] = false;
  CHECK(dots == 2);
  CHECK(count(drawn_curves(bare, {nullptr, &phone, nullptr, &catalogue}), "//circle") == 0);
}

TEST_CASE("curves: a point beyond the axis widens it, a rule beyond it is left out", "[curves]") {
  const auto rules = [](const json& rule) {
    return count(drawn_curves({{"rules", {rule}},
                               {"points", {{{"label", "p"}, {"x", "2"}, {"y", "3 GFLOP/s"}}}}}),
                 "//line[@stroke-dasharray='2 4']");
  };
  CHECK(rules({{"at", "5"}}) == 1);
  CHECK(rules({{"at", "5"}, {"axis", "x"}}) == 1);
  CHECK(rules({{"at", "500"}}) == 0);
  CHECK(rules({{"at", "-500"}}) == 0);
  CHECK(rules({{"at", "3 GFLOP/s"}, {"axis", "y"}}) == 1);
  CHECK(rules({{"at", "300 GFLOP/s"}, {"axis", "y"}}) == 0);
  const auto wide = drawn_curves({{"points", {{{"label", "p"}, {"x", "200"}, {"y", "3 GFLOP/s"}}}},
                                  {"rules", {{{"at", "150"}}}}});
  CHECK(count(wide, "//line[@stroke-dasharray='2 4']") == 1);
  check::geometry(wide);
}

TEST_CASE("curves: a point or a line in another unit is an error", "[curves]") {
  CHECK(refusal({{"points", {{{"label", "p"}, {"x", "1 B"}, {"y", "3 GFLOP/s"}}}}})
            .find("points[0].x: is in B") == 0);
  CHECK(refusal({{"points", {{{"label", "p"}, {"x", "1"}, {"y", "3 GB/s"}}}}})
            .find("points[0].y: is in") == 0);
  CHECK(refusal({{"points", {{{"label", "p"}, {"x", "1 +"}, {"y", "3 GFLOP/s"}}}}})
            .find("points[0].x") == 0);
  CHECK(refusal({{"curves", {{{"label", "c"}, {"y", "n +"}}}}}).find("curves[0].y") == 0);
  CHECK(refusal({{"x", {{"title", "x"}}}, {"curves", {{{"label", "c"}, {"y", "1 GFLOP/s"}}}}})
            .find("needs an x axis") != std::string::npos);
  CHECK(refusal({{"bands", {{{"label", "b"}, {"upper", "1 GFLOP/s"}, {"lower", "1 B"}}}}})
            .find("bands[0].lower: is in B") == 0);
}
