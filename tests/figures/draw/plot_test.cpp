// A plot draws its data at the positions that the axes give, checked in the SVG.
#include "figures/draw/plot.hpp"

#include <algorithm>
#include <pugixml.hpp>

#include "catch.hpp"

using namespace figures;

namespace {

Plot empty_plot() {
  Plot plot;
  plot.title = "t";
  plot.x = {"x", 0, 10, false, linear_ticks(0, 10, 5)};
  plot.y = {"y", 0, 100, false, linear_ticks(0, 100, 5)};
  return plot;
}
Plot with(PlotSeries series) {
  Plot plot = empty_plot();
  plot.series.push_back(std::move(series));
  return plot;
}
PlotSeries line_of(std::vector<PlotPoint> points) {
  PlotSeries series;
  series.points = std::move(points);
  series.dot = Dot::none;
  series.line = 2;
  return series;
}

struct Picture {
  Rendering drawing;
  pugi::xml_document document;
  explicit Picture(const Plot& plot, Layout width = Layout::wide) {
    Options options;
    options.width = width;
    drawing = draw_plot(plot, options);
    REQUIRE(document.load_string(drawing.svg.c_str()));
  }
  std::size_t count(const std::string& path) const {
    return document.select_nodes(path.c_str()).size();
  }
  std::string value(const std::string& path) const {
    const auto found = document.select_node(path.c_str());
    return found.attribute() ? found.attribute().value() : found.node().text().get();
  }
  double number(const std::string& path) const { return std::stod(value(path)); }
  bool says(const std::string& words) const { return count("//text[. = '" + words + "']") == 1; }
};

const std::string series_path = "//path[@stroke-linejoin='round']";

}  // namespace

TEST_CASE("plot: dots lie where the axes say, linear or logarithmic", "[plot]") {
  PlotSeries dots;
  dots.points = {{0, 0, "", "", 0, 0}, {5, 50, "", "", 0, 0}, {10, 100, "", "", 0, 0}};
  const Picture linear(with(dots));
  REQUIRE(linear.count("//circle") == 3);
  const auto x = [&](const Picture& p, int i) {
    return p.number("(//circle)[" + std::to_string(i) + "]/@cx");
  };
  const auto y = [&](const Picture& p, int i) {
    return p.number("(//circle)[" + std::to_string(i) + "]/@cy");
  };
  CHECK(x(linear, 2) == Approx((x(linear, 1) + x(linear, 3)) / 2).margin(0.02));
  CHECK(y(linear, 2) == Approx((y(linear, 1) + y(linear, 3)) / 2).margin(0.02));
  CHECK(x(linear, 1) < x(linear, 3));
  CHECK(y(linear, 1) > y(linear, 3));
  Plot log = with(dots);
  log.x = {"x", 1, 100, true, log_ticks(1, 100, 10, 5)};
  log.series[0].points = {{1, 0, "", "", 0, 0}, {10, 0, "", "", 0, 0}, {100, 0, "", "", 0, 0}};
  const Picture decades(log);
  CHECK(x(decades, 2) == Approx((x(decades, 1) + x(decades, 3)) / 2).margin(0.02));
}

TEST_CASE("plot: the form of a dot", "[plot]") {
  const auto drawn = [](Dot dot) {
    PlotSeries series;
    series.points = {{5, 50, "", "", 0, 0}};
    series.dot = dot;
    series.hue = Hue::compute;
    return Picture(with(series));
  };
  CHECK(drawn(Dot::none).count("//circle | //path[@fill]") == 0);
  CHECK(drawn(Dot::full).value("//circle/@fill") == drawn(Dot::hollow).value("//circle/@stroke"));
  CHECK(drawn(Dot::full).value("//circle/@stroke") == drawn(Dot::hollow).value("//circle/@fill"));
  CHECK(drawn(Dot::full).value("//circle/@fill") == colour_of(Hue::compute, palette(Theme::css)));
  for (const Dot dot : {Dot::diamond, Dot::triangle}) {
    CHECK(drawn(dot).count("//circle") == 0);
    CHECK(drawn(dot).count("//path[@fill]") == 1);
  }
  CHECK(drawn(Dot::diamond).value("//path[@fill]/@d") !=
        drawn(Dot::triangle).value("//path[@fill]/@d"));
}

TEST_CASE("plot: dots on a line of many are small, and smaller on the narrow sheet", "[plot]") {
  const auto radius = [](std::size_t count, double line, Layout width) {
    PlotSeries series;
    for (std::size_t i = 0; i < count; ++i)
      series.points.push_back({static_cast<double>(i) / 2, 50, "", "", 0, 0});
    series.line = line;
    return Picture(with(series), width).number("//circle/@r");
  };
  CHECK(radius(12, 2, Layout::wide) == 5);
  CHECK(radius(13, 2, Layout::wide) == 2.5);
  CHECK(radius(13, 0, Layout::wide) == 5);
  CHECK(radius(12, 2, Layout::narrow) == 4.5);
}

TEST_CASE("plot: a line keeps its corners and drops invisible points", "[plot]") {
  const auto steps_of = [](const std::vector<PlotPoint>& points) {
    const std::string data = Picture(with(line_of(points))).value(series_path + "/@d");
    return std::count_if(data.begin(), data.end(),
                         [](char c) { return c == 'l' || c == 'h' || c == 'v'; });
  };
  const auto p = [](double x, double y) { return PlotPoint{x, y, "", "", 0, 0}; };
  CHECK(steps_of({p(0, 0), p(10, 100)}) == 1);
  CHECK(steps_of({p(0, 0), p(2, 20), p(5, 50), p(10, 100)}) == 1);
  CHECK(steps_of({p(0, 0), p(5, 100), p(10, 0)}) == 2);
  CHECK(steps_of({p(0, 0), p(2, 50), p(4, 0), p(6, 50), p(8, 0), p(10, 50)}) == 5);
  CHECK(steps_of({p(0, 0), p(1, 0), p(2, 50), p(9, 50), p(10, 0)}) == 4);
  CHECK(Picture(with(line_of({p(5, 5)}))).count(series_path) == 0);
  CHECK(Picture(with(line_of({}))).count(series_path) == 0);
}

TEST_CASE("plot: a line's width, dashes and steps", "[plot]") {
  PlotSeries series =
      line_of({{0, 0, "", "", 0, 0}, {5, 50, "", "", 0, 0}, {10, 100, "", "", 0, 0}});
  CHECK(Picture(with(series)).value(series_path + "/@stroke-width") == "2");
  CHECK(Picture(with(series)).count(series_path + "[@stroke-dasharray]") == 0);
  series.dashed = true;
  CHECK(Picture(with(series)).count(series_path + "[@stroke-dasharray]") == 1);
  series.steps = true;
  const std::string data = Picture(with(series)).value(series_path + "/@d");
  CHECK(std::count(data.begin(), data.end(), 'h') == 2);
  CHECK(std::count(data.begin(), data.end(), 'v') == 2);
  CHECK(data.find('l') == data.npos);
  series.line = 0;
  CHECK(Picture(with(series)).count(series_path) == 0);
}

TEST_CASE("plot: a spread is drawn where it can be seen", "[plot]") {
  const auto spreads = [](double low, double high) {
    PlotSeries series;
    series.points = {{5, 50, "", "", low, high}};
    series.hue = Hue::compute;
    const std::string color(colour_of(Hue::compute, palette(Theme::css)));
    return Picture(with(series)).count("//line[@stroke='" + color + "']");
  };
  CHECK(spreads(20, 80) == 1);
  CHECK(spreads(50, 50) == 0);
  CHECK(spreads(80, 20) == 0);
  CHECK(spreads(49.5, 50.5) == 0);
}

TEST_CASE("plot: bands have two sides, rules cross the whole plot", "[plot]") {
  const std::vector<PlotPoint> up = {{0, 80, "", "", 0, 0},
                                     {2.5, 80, "", "", 0, 0},
                                     {10, 80, "", "", 0, 0}},
                               low = {{0, 20, "", "", 0, 0},
                                      {2.5, 20, "", "", 0, 0},
                                      {10, 20, "", "", 0, 0}};
  const auto bands = [](PlotBand band) {
    Plot plot = empty_plot();
    plot.bands.push_back(std::move(band));
    return Picture(plot).count("//path[@fill-opacity]");
  };
  CHECK(bands({up, low, "", Hue::teal}) == 1);
  CHECK(bands({{}, low, "", Hue::teal}) == 0);
  CHECK(bands({up, {}, "", Hue::teal}) == 0);
  Plot plot = empty_plot();
  plot.rules = {{5, true, "down", Hue::ink}, {50, false, "across", Hue::ink}};
  plot.bands = {{up, low, "between", Hue::teal}};
  const Picture picture(plot);
  const std::string first = "(//line[@stroke-dasharray='2 4'])[1]",
                    second = "(//line[@stroke-dasharray='2 4'])[2]";
  CHECK(picture.number(first + "/@x1") == picture.number(first + "/@x2"));
  CHECK(picture.number(first + "/@y1") < picture.number(first + "/@y2"));
  CHECK(picture.number(second + "/@y1") == picture.number(second + "/@y2"));
  CHECK(picture.number(second + "/@x1") < picture.number(second + "/@x2"));
  for (const char* words : {"down", "across", "between"}) CHECK(picture.says(words));
  CHECK(picture.drawing.omitted.empty());
}

TEST_CASE("plot: points, lines and an empty plot have their words", "[plot]") {
  Plot plot = empty_plot();
  plot.empty = "nothing here";
  CHECK(Picture(plot).says("nothing here"));
  plot.empty.clear();
  CHECK(Picture(plot).count("//text") == Picture(empty_plot()).count("//text"));
  PlotSeries series = line_of({{0, 10, "", "", 0, 0}, {10, 90, "", "", 0, 0}});
  series.label = "a line";
  plot = with(series);
  plot.empty = "nothing here";
  series = {};
  series.points = {{5, 20, "a point", "its note", 0, 0}, {8, 30, "", "", 0, 0}};
  plot.series.push_back(series);
  const Picture picture(plot);
  CHECK_FALSE(picture.says("nothing here"));
  for (const char* words : {"a line", "a point", "its note"}) CHECK(picture.says(words));
  CHECK(picture.drawing.omitted.empty());
  CHECK(picture.says("x"));
  CHECK(picture.says("y"));
}

TEST_CASE("plot: a role's hue, and a hue's colour", "[plot]") {
  const Palette& colors = palette(Theme::css);
  const std::pair<const char*, std::string_view> roles[] = {
      {"compute", colors.compute}, {"bandwidth", colors.bandwidth}, {"context", colors.reference},
      {"teal", colors.teal},       {"ochre", colors.ochre},         {"ink", colors.ink},
      {"other", colors.ink}};
  for (const auto& [role, color] : roles) CHECK(colour_of(hue_of(role), colors) == color);
  CHECK(colour_of(Hue::reader, colors) == colors.reader);
}
