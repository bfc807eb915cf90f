// Compares number formats with their bits, decoded one by one, and with published numbers.
#include "figures/models/knobs/number_formats.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <pugixml.hpp>
#include <random>
#include <vector>

#include "figures/models/render.hpp"
#include "published.hpp"
#include "render_check.hpp"

namespace {

using namespace figures::models;

const NumberFormat& format_of(std::string_view id) {
  for (const NumberFormat& format : number_formats)
    if (format.id == id) return format;
  FAIL(id);
  return number_formats[0];
}

// The value of a code without its sign, from its bits; infinity or NaN if it stands for that.
double decoded(const NumberFormat& format, unsigned code) {
  const int fraction = static_cast<int>(code & ((1u << format.mantissa) - 1));
  const int field = static_cast<int>(code >> format.mantissa);
  if (format.exponent == 0) return fraction;
  const int bias = (1 << (format.exponent - 1)) - 1, top = (1 << format.exponent) - 1;
  const bool full = fraction == (1 << format.mantissa) - 1;
  if (field == top && format.codes == Codes::ieee) return std::numeric_limits<double>::infinity();
  if (field == top && format.codes == Codes::one_nan && full)
    return std::numeric_limits<double>::quiet_NaN();
  const double share = std::ldexp(fraction, -format.mantissa);
  return field == 0 ? std::ldexp(share, 1 - bias) : std::ldexp(1 + share, field - bias);
}

// All codes that are numbers, from zero up. The index is the code.
std::vector<double> numbers_of(const NumberFormat& format) {
  std::vector<double> all;
  for (unsigned code = 0; code < 1u << (format.bits() - 1); ++code)
    if (const double value = decoded(format, code); std::isfinite(value)) all.push_back(value);
  return all;
}

double nearest(const std::vector<double>& all, double x) {
  const double size = std::fabs(x);
  const auto above = std::lower_bound(all.begin(), all.end(), size);
  double found = all.back();
  if (above != all.end() && above != all.begin()) {
    const double low = above[-1], high = *above;
    const bool even = (above - all.begin()) % 2 == 0;
    const bool up = size - low > high - size || (size - low == high - size && even);
    found = up ? high : low;
  } else if (above == all.begin()) {
    found = all.front();
  }
  return x < 0 ? -found : found;
}

std::map<std::string, double> explored(const nlohmann::json& params) {
  return published::run("number-explorer", params);
}

double error_of(const char* format, const nlohmann::json& more = nlohmann::json::object()) {
  nlohmann::json params = {{"format", format}, {"outlier", 1}};
  params.update(more);
  return 100 * explored(params).at("relative error of " + std::string(format_of(format).label));
}

}  // namespace

TEST_CASE("what each format can say, cell by cell", "[models]") {
  const struct {
    const char* id;
    int bits;
    double largest, normal, least, distinct;
  } table[] = {{"tf32", 19, 3.4012e38, 1.1755e-38, 1.1479e-41, 522239},
               {"bf16", 16, 3.3895e38, 1.1755e-38, 9.1835e-41, 65279},
               {"fp16", 16, 65504, 6.1035e-5, 5.9605e-8, 63487},
               {"e5m2", 8, 57344, 6.1035e-5, 1.5259e-5, 247},
               {"e4m3", 8, 448, 0.015625, 0.001953125, 253},
               {"e2m1", 4, 6, 1, 0.5, 15},
               {"int8", 8, 127, 1, 1, 255},
               {"int4", 4, 7, 1, 1, 15},
               {"mxfp8", 8, 448, 0.015625, 0.001953125, 253},
               {"mxfp4", 4, 6, 1, 0.5, 15},
               {"nvfp4", 4, 6, 1, 0.5, 15}};
  CHECK(std::size(table) == std::size(number_formats));
  for (const auto& row : table) {
    INFO(row.id);
    const NumberFormat& format = format_of(row.id);
    CHECK(format.bits() == row.bits);
    CHECK_THAT(format.largest(), WithinRel(row.largest, 5e-5));
    CHECK_THAT(format.least_normal(), WithinRel(row.normal, 5e-5));
    CHECK_THAT(format.least(), WithinRel(row.least, 5e-5));
    CHECK(format.distinct() == row.distinct);
  }
  CHECK(numbers_of(format_of("e2m1")) == std::vector<double>{0, 0.5, 1, 1.5, 2, 3, 4, 6});
}

TEST_CASE("rounding finds the nearest of all codes, and the even one of two", "[models]") {
  for (const NumberFormat& format : number_formats) {
    INFO(format.id);
    const std::vector<double> all = numbers_of(format);
    CHECK(static_cast<double>(2 * all.size() - 1) == format.distinct());
    CHECK(all.back() == format.largest());
    CHECK(all[1] == format.least());
    std::mt19937 random(3);
    bool right = true, exact = true, spaced = true;
    const auto check = [&](double x) {
      right = right && format.rounded(x, nullptr) == nearest(all, x);
    };
    for (int i = 0; i < 20000; ++i) {
      const std::size_t at = random() % (all.size() - 1);
      const double low = all[at], high = all[at + 1];
      exact = exact && format.rounded(-low, nullptr) == -low;
      spaced = spaced && format.spacing(low) == high - low;
      for (const double share : {0.25, 0.5, 0.75}) {
        check(low + share * (high - low));
        check(-low - share * (high - low));
      }
    }
    for (const double beyond : {1.001, 1.5, 1.999, 2.0, 3.0, 1e6}) check(all.back() * beyond);
    check(all[1] / 4);
    check(0);
    CHECK(right);
    CHECK(exact);
    CHECK(spaced);
  }
}

TEST_CASE("stochastic rounding rounds up as often as the remainder requires", "[models]") {
  Random random(1);
  const NumberFormat& bf16 = format_of("bf16");
  int up = 0;
  for (int i = 0; i < 20000; ++i) {
    const double found = bf16.rounded(1.003, &random);
    REQUIRE((found == 1 || found == 1 + 1.0 / 128));
    up += found > 1 ? 1 : 0;
  }
  CHECK_THAT(up / 20000.0, WithinAbs(0.003 * 128, 0.011));  // three standard deviations
  CHECK(bf16.rounded(-1.5, &random) == -1.5);
}

TEST_CASE("four weights in int4, as chapter 7 rounds them by hand", "[models]") {
  const NumberFormat& int4 = format_of("int4");
  const std::vector<double> three = {0.9, -0.3, 0.1}, four = {0.9, -0.3, 0.1, 20};
  const auto codes = [&](const std::vector<double>& weights) {
    const double scale = scale_of(int4, weights, 1, true);
    std::vector<double> all;
    for (const double one : weights) all.push_back(int4.rounded(one / scale, nullptr));
    return all;
  };
  CHECK(codes(three) == std::vector<double>{7, -2, 1});
  CHECK(codes(four) == std::vector<double>{0, 0, 0, 7});
}

TEST_CASE("scales of blocks: powers of two, and E4M3 under one of the tensor", "[models]") {
  // OCP Microscaling 1.0: the largest power of two in the block over that of the format, 4 in E2M1
  // and 256 in E4M3.
  const auto scale = [](const char* id, const std::vector<double>& block, double tensor) {
    return scale_of(format_of(id), block, tensor, false);
  };
  CHECK(scale("mxfp4", {0.1, -5.9}, 1) == 1);
  CHECK(scale("mxfp4", {0.1, 8.1}, 1) == 2);
  CHECK(scale("mxfp8", {0.1, 1000}, 1) == 2);
  CHECK(scale("mxfp4", {0, 0}, 1) == 0);
  // NVFP4: the largest value of the tensor gets the block scale 448. A block a tenth as large gets
  // 44.8, which is stored as 44.
  const std::vector<double> tensor = {2688, 1};
  REQUIRE(tensor_scale(format_of("nvfp4"), tensor) == 1);
  CHECK(scale("nvfp4", {2688}, 1) == 448);
  CHECK(scale("nvfp4", {268.8}, 1) == 44);
  // Groups chosen by the reader have a bf16 scale: 1/7 becomes 0.142578125.
  CHECK(scale("int4", {1}, 1) == 0.142578125);
}

TEST_CASE("errors of a bell curve, and how many bits they cost", "[models]") {
  // Computed outside this program, over 32,768 random numbers. Results that depend on the tails
  // differ from draw to draw.
  const auto close = [](double percent) { return WithinRel(percent, 0.03); };
  CHECK_THAT(error_of("fp16"), close(0.0205));
  CHECK_THAT(error_of("bf16"), close(0.166));
  CHECK_THAT(error_of("e4m3"), close(2.64));
  CHECK_THAT(error_of("e5m2"), close(5.22));
  CHECK_THAT(error_of("mxfp8"), close(2.91));
  CHECK_THAT(error_of("int8"), close(0.949));
  CHECK_THAT(error_of("int8", {{"group", 32}}), close(0.535));
  CHECK_THAT(error_of("int4"), close(17.2));
  CHECK_THAT(error_of("int4", {{"group", 128}}), close(11.6));
  CHECK_THAT(error_of("int4", {{"group", 32}}), close(9.59));
  CHECK_THAT(error_of("e2m1"), close(12.4));
  CHECK_THAT(error_of("mxfp4"), close(11.5));
  CHECK_THAT(error_of("nvfp4"), close(9.54));
  const auto bits = [](const char* id, int group) {
    return explored({{"format", id}, {"group", group}})
               .at("bits of " + std::string(format_of(id).label)) /
           32768;
  };
  CHECK(bits("int4", 32) == 4.5);
  CHECK(bits("int4", 128) == 4.125);
  CHECK(bits("mxfp8", 16) == 8.25);
  CHECK(bits("mxfp4", 16) == 4.25);
  CHECK_THAT(bits("nvfp4", 16), WithinAbs(4.5, 0.002));
  CHECK(bits("tf32", 16) == 19);
}

TEST_CASE("one outlier stretches the steps of integers, and those of floats only move",
          "[models]") {
  // The error of an even grid is its step over the square root of twelve: 20/127 of a bell curve of
  // width one, whose mean square the outlier raises by a hundredth.
  CHECK_THAT(error_of("int8", {{"outlier", 20}}),
             WithinRel(100 * 20 / 127.0 / std::sqrt(12.0 * (1 + 400.0 / 32768)), 0.01));
  CHECK_THAT(error_of("e4m3", {{"outlier", 20}}), WithinRel(error_of("e4m3"), 0.03));
  CHECK_THAT(error_of("int8", {{"outlier", 20}, {"group", 32}}),
             WithinRel(error_of("int8", {{"group", 32}}), 0.1));
  // If one number in a thousand is large, int4 with one scale loses nearly everything, groups of 32
  // little.
  CHECK(error_of("int4", {{"numbers", "outliers"}}) > 80);
  CHECK(error_of("int4", {{"numbers", "outliers"}, {"group", 32}}) < 13);
}

TEST_CASE("the explorer draws a tick for each number of a format", "[models]") {
  // A bell curve that reaches 4.17, with seven steps of int4 on each side: the six inside ±4, and
  // zero.
  for (const auto layout : {figures::Layout::column, figures::Layout::narrow}) {
    const auto model = make_model("number-explorer");
    const auto settings =
        read_settings(model->controls(), {{"format", "int4"}, {"beside", "e2m1"}, {"outlier", 1}});
    model->reset(settings->values, Numbers());
    figures::Options options;
    options.width = layout;
    pugi::xml_document document;
    REQUIRE(document.load_string(model->draw(options).svg.c_str()));
    const auto ticks = [&](const char* fill) {
      const std::string query =
          std::string("//path[@fill='var(--") + fill + ")' and not(@fill-opacity)]";
      const auto found = document.select_nodes(query.c_str());
      REQUIRE(found.size() == 1);
      const std::string path = found[0].node().attribute("d").value();
      return std::count(path.begin(), path.end(), 'm');
    };
    CHECK(ticks("teal") == 13);
    CHECK(ticks("ochre") == 13);  // except ±6, which is at 4.17
  }
}
