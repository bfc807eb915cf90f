// Numbers that papers and data sheets print, computed again from the book's facts and models.
#include <cmath>

#include "figures/models/chips/systolic_array.hpp"
#include "published.hpp"

namespace {

using namespace figures::models;
using published::run;
using published::value;

double app(const std::string& name, const char* what) {
  return value("tpu-v1-apps." + name + "." + what);
}

// Jouppi et al. 2017: the cycles per row of a memory-bound application. Half speed with 16-bit
// activations is the paper's; that the LSTMs have them is the book's inference.
const std::map<std::string, int> passes = {{"mlp0", 1}, {"mlp1", 1}, {"lstm0", 2}, {"lstm1", 2}};

}  // namespace

TEST_CASE("the first TPU from its side, its clock and its memory", "[published]") {
  const std::string cells = "tpu-v1.mxu.rows * tpu-v1.mxu.columns";
  CHECK_THAT(value("2 op * " + cells + " * tpu-v1.clock"),
             WithinRel(value("tpu-v1.peak.int8"), 0.005));
  CHECK_THAT(value("1 MAC * " + cells + " * tpu-v1.clock / tpu-v1.bandwidth"),
             WithinRel(value("tpu-v1.ridge"), 0.005));
  CHECK(value("1 B * " + cells) == value("tpu-v1.weight-tile"));
  // 4,096 accumulators: the ridge in rows, rounded up to a power of two, twice.
  const double ridge = value(cells + " * tpu-v1.clock / tpu-v1.bandwidth * 1 B");
  CHECK(2 * std::exp2(std::ceil(std::log2(ridge))) == value("tpu-v1.accumulators.entries"));
  CHECK(value("tpu-v1.accumulators.entries * tpu-v1.mxu.columns * 4 B") ==
        value("tpu-v1.accumulators"));
  // Section 7: the memory of a K80 would have moved the ridge to 250, with about five times the
  // bandwidth.
  CHECK(value("tpu-v1.ridge / tpu-v1-prime.ridge") > 5);
}

TEST_CASE("the ridges of the TPU paper's processor and GPU", "[published]") {
  // Figures 6 and 7, in multiply-adds per byte.
  CHECK(std::round(value("haswell-e5.peak / haswell-e5.bandwidth / (1 MAC/B)")) == 13);
  CHECK(std::round(value("k80.peak / k80.bandwidth / (1 MAC/B)")) == 9);
}

TEST_CASE("600 by 600 weights on two sizes of the first TPU's array", "[published]") {
  for (const int side : {256, 512}) {
    const double n = app("lstm1", "matrix"), tiles = std::pow(std::ceil(n / side), 2);
    const double time = tiles * side * side / value("tpu-v1.bandwidth");
    const std::string printed = "matrix-time." + std::to_string(side);
    CHECK_THAT(time, WithinRel(app("lstm1", printed.c_str()), 0.05));
  }
}

TEST_CASE("the first TPU's counters follow from the batch", "[published]") {
  for (const auto& [name, cycles_a_row] : passes) {
    INFO(name);
    const auto budget =
        run("tpu1-budget", {{"batch", app(name, "batch")}, {"passes", cycles_a_row}});
    // Table 3, for the cycles with matrix work: shares in percentage points.
    const double matrix = 1 - app(name, "rest");
    CHECK(std::abs(budget.at("shift share") - app(name, "shift") / matrix) < 0.008);
    CHECK(std::abs(budget.at("active share") - app(name, "active") / matrix) < 0.032);
    CHECK_THAT(app(name, "active") + app(name, "stall") + app(name, "shift") + app(name, "rest"),
               WithinRel(1.0, 0.002));
  }
}

TEST_CASE("production rates of the first TPU, as far as its budget explains them", "[published]") {
  // Counters and production are two measurements (table 3); the book prints the distance.
  const std::map<std::string, std::pair<double, double>> expected = {{"mlp0", {11.0, -0.10}},
                                                                     {"mlp1", {6.9, -0.29}},
                                                                     {"lstm0", {3.6, -0.03}},
                                                                     {"lstm1", {3.5, 0.25}},
                                                                     {"cnn0", {71.8, -0.17}}};
  for (const auto& [name, tops] : expected) {
    INFO(name);
    const int cycles_a_row = passes.count(name) == 0 ? 1 : passes.at(name);
    const double fill = app(name, "useful") / app(name, "active"), work = 1 - app(name, "rest");
    // CNN0 reuses a weight at 19·19 positions.
    const double rows = name == "cnn0" ? 2888 : app(name, "batch");
    const auto budget = run("tpu1-budget", {{"batch", rows}, {"passes", cycles_a_row}});
    const double rate = budget.at("operations a second") * fill * work;
    CHECK_THAT(rate / 1e12, WithinRel(tops.first, 0.02));
    CHECK(std::abs(rate / app(name, "measured") - 1 - tops.second) < 0.015);
  }
}

TEST_CASE("a TPU with a GPU's memory: upper bounds of what it would have gained", "[published]") {
  // Section 7 models 2.6 (geometric mean); roofs can only promise more.
  double product = 1;
  for (const char* name : {"mlp0", "mlp1", "lstm0", "lstm1", "cnn0", "cnn1"}) {
    const auto roof = [&](const char* ridge) {
      return std::min(1.0, app(name, "intensity") / value(ridge));
    };
    product *= roof("tpu-v1-prime.ridge") / roof("tpu-v1.ridge");
  }
  const double gain = std::pow(product, 1.0 / 6);
  CHECK(gain > value("tpu-v1-prime.gain.geometric"));
  CHECK_THAT(gain, WithinRel(3.08, 0.02));
}

TEST_CASE("CNN1: a third of the time in four layers", "[published]") {
  const auto dense = run("tpu1-budget", {{"batch", app("cnn1", "batch")}});
  const double waiting = 1 - dense.at("active share") - dense.at("shift share");
  CHECK_THAT(app("cnn1", "stall") / waiting, WithinRel(0.36, 0.02));
  // Shift time against stalls: the model of the dense layers, and all counters of CNN1.
  CHECK_THAT(dense.at("shift share") / waiting,
             WithinRel(app("cnn1", "shift") / app("cnn1", "stall"), 0.05));
}

TEST_CASE("rows that a TPU v5e needs, from How To Scale Your Model", "[published]") {
  const std::string bf16 = "tpu-v5e.peak.bf16 / tpu-v5e.bandwidth / (1 FLOP/B)";
  CHECK(std::round(value(bf16 + " / tpu-v5e.vmem.ratio")) == 11);
  // int8[b, 4096] times int8[4096, 16384]. The book prints 271, from rounded terms. Its own
  // constants give 263, and the vendor's slightly less.
  const auto rows = [](double peak, double bandwidth) {
    const double d = 4096, f = 16384;
    return d * f / bandwidth / (2 * d * f / peak - (d + f) / bandwidth);
  };
  CHECK(std::round(rows(3.94e14, 8.1e11)) == 263);
  CHECK_THAT(rows(value("tpu-v5e.peak.int8"), value("tpu-v5e.bandwidth")), WithinRel(271.0, 0.05));
}

TEST_CASE("large systolic arrays, by SCALE-Sim's count and overlapped", "[published]") {
  const auto shape = [](int m, int k, int n, int side, bool overlapped) {
    ArrayShape s;
    s.m = m, s.k = k, s.n = n, s.rows = s.columns = side, s.overlapped = overlapped;
    return s;
  };
  // Samajdar et al. 2020, equation 4: (2R + C + T - 2) per tile.
  const auto scale_sim = [](const ArrayShape& s) {
    return static_cast<long long>(s.tiles()) * (2 * s.rows + s.columns + s.stream() - 2);
  };
  for (const ArrayShape& s : {shape(8, 128, 128, 128, false), shape(512, 128, 128, 128, false),
                              shape(128, 4096, 4096, 128, false)})
    CHECK(closed_cycles(s) == scale_sim(s));
  CHECK(closed_cycles(shape(8, 128, 128, 128, false)) == 390);
  CHECK(closed_cycles(shape(512, 128, 128, 128, false)) == 894);
  CHECK(closed_cycles(shape(8, 4096, 4096, 128, true)) == 131'334);
  CHECK(closed_cycles(shape(128, 4096, 4096, 128, true)) == 131'454);
  CHECK(closed_cycles(shape(96, 600, 600, 256, true)) == 2'910);
}

TEST_CASE("how much of Eyeriss the layers of AlexNet fill", "[published]") {
  // 12 by 14 cells, as in Chen et al. 2017; a batch of 16.
  struct Layer {
    int filter, output, channels, filters;
    double filled;
  };
  const Layer layers[] = {{11, 55, 3, 96, 0.900},
                          {5, 27, 48, 256, 0.804},
                          {3, 13, 256, 384, 0.929},
                          {3, 13, 192, 384, 0.929},
                          {3, 13, 192, 256, 0.929}};
  for (const Layer& layer : layers) {
    // The controls stop at 32 channels and filters. With many passes, the result is proportional to
    // their number.
    const int channels = std::min(layer.channels, 32), filters = std::min(layer.filters, 32);
    const auto counts = run("row-stationary", {{"height", 12},
                                               {"width", 14},
                                               {"filter", layer.filter},
                                               {"output", layer.output},
                                               {"channels", channels},
                                               {"filters", filters},
                                               {"images", 8}});
    INFO("filter " << layer.filter);
    CHECK_THAT(counts.at("multiply-adds") / (12 * 14 * counts.at("cycles")),
               WithinRel(layer.filled, 0.01));
  }
}

TEST_CASE("twenty years of growth, from its rates", "[published]") {
  // Gholami et al. 2024: rates for two years, totals for twenty. 1.6 to the tenth is 110, printed
  // as 100.
  for (const std::string what : {"arithmetic", "link"})
    CHECK_THAT(value("memory-wall." + what + "^10"),
               WithinRel(value("memory-wall." + what + "-total"), 0.05));
  CHECK_THAT(value("memory-wall.memory^10"), WithinRel(value("memory-wall.memory-total"), 0.11));
}

TEST_CASE("pods are their chips", "[published]") {
  CHECK_THAT(value("tpu-v7.ici.pod * tpu-v7.peak.fp8"), WithinRel(value("tpu-v7.pod-peak"), 0.005));
  CHECK_THAT(value("tpu-8t-ici-pod * tpu-8t-peak-fp4"), WithinRel(value("tpu-8t-pod-peak"), 0.005));
}

TEST_CASE("the hours of DeepSeek-V3's training", "[published]") {
  CHECK_THAT(value("deepseek-v3-run.hours-per-trillion / deepseek-v3-run.chips / 24"),
             WithinRel(value("deepseek-v3-run.days"), 0.015));
  CHECK_THAT(value("deepseek-v3-run.hours-per-trillion * deepseek-v3-run.tokens / 10^12"),
             WithinRel(value("deepseek-v3-run.hours"), 0.005));
}

TEST_CASE("the rate of DeepSeek-V3's training, with half of the attention matrix", "[published]") {
  const double seconds = value("deepseek-v3-run.hours * 3600 s");
  const double attention = value("6 FLOP * deepseek-v3.layers * 128 * (192 + 128) * 4096 / 2");
  const double work = value("6 FLOP * deepseek-v3.parameters-read") + attention;
  CHECK_THAT(work * value("deepseek-v3-run.tokens") / seconds,
             WithinRel(value("deepseek-v3-run.rate"), 0.02));
  CHECK_THAT(value("deepseek-v3-run.rate / h100-sxm.peak.bf16"),
             WithinRel(value("deepseek-v3-run.mfu"), 0.001));
}

TEST_CASE("announced memories in GiB, and the time to read them", "[published]") {
  // JAX counts the bytes of both TPUs.
  CHECK_THAT(value("tpu-8t-jax-memory"), WithinRel(value("216 GiB"), 0.005));
  CHECK_THAT(value("tpu-8i-jax-memory"), WithinRel(value("288 GiB"), 0.005));
  CHECK_THAT(value("216 GiB / tpu-8t-bandwidth"), WithinRel(35.5e-3, 0.005));
  CHECK_THAT(value("288 GiB / tpu-8i-bandwidth"), WithinRel(36.0e-3, 0.005));
  CHECK_THAT(value("288 GiB / rubin-bandwidth"), WithinRel(14.1e-3, 0.005));
  CHECK_THAT(value("432 GiB / mi455x-bandwidth"), WithinRel(19.9e-3, 0.005));
}

TEST_CASE("tokens that fill a TPU 8i grow fourfold from bf16 to fp8", "[published]") {
  CHECK_THAT(value("tpu-8i-jax-bf16 / tpu-8i-bandwidth * 2 B / (2 FLOP)"), WithinRel(128.0, 0.005));
  CHECK_THAT(value("tpu-8i-jax-fp8 / tpu-8i-bandwidth * 1 B / (2 FLOP)"), WithinRel(512.0, 0.005));
  CHECK_THAT(value("tpu-8t-jax-fp8 / tpu-8t-jax-bf16"), WithinRel(6.0, 0.005));
  CHECK_THAT(value("tpu-8t-jax-bf16 / tpu-v7.peak.bf16"), WithinRel(0.43, 0.01));
}

TEST_CASE("a rack of SRAM is its chips", "[published]") {
  // NVIDIA's technical blog: 500 MB and 150 TB/s per chip.
  CHECK_THAT(value("lpx-memory / lpx-chips"), WithinRel(0.5e9, 0.005));
  CHECK_THAT(value("lpx-bandwidth / lpx-chips"), WithinRel(150e12, 0.05));
}

TEST_CASE("four bits against sixteen, chip by chip", "[published]") {
  // With a quarter of the bits, the rate is four times as high on some chips and higher on others,
  // without sparsity.
  CHECK_THAT(value("mi355x.peak.fp4 / mi355x.peak.bf16"), WithinRel(4.0, 0.001));
  CHECK_THAT(value("b200-sxm.peak.fp4 / b200-sxm.peak.bf16"), WithinRel(4.0, 0.001));
  // Sparsity does not always double it.
  CHECK_THAT(value("b300-sxm.fp4-sparse / b300-sxm.peak.fp4"), WithinRel(1.29, 0.005));
  // LLVM's SISchedule.td, gfx1250: 32 x 16 x 128 products in fp4 and 16 x 16 x 32 in bf16 take two
  // passes each.
  CHECK_THAT(value("mi455x-peak-fp4 / mi455x-peak-bf16"),
             WithinRel(value("(32 * 16 * 128) / (16 * 16 * 32)"), 0.01));
  // NVIDIA's page: 35 and 4 PFLOP/s.
  CHECK_THAT(value("rubin-peak-fp4 / rubin-peak-bf16"), WithinRel(8.75, 0.001));
}

TEST_CASE("the batch that fills a chip, whatever its formats", "[published]") {
  // HBM chips since 2017 with weights and arithmetic in one format: chapter 8's "between one
  // hundred and five hundred" with the TPU v6e above and the first HBM TPU below.
  const std::map<std::string, std::pair<std::string, std::string>> formats = {
      {"bf16", {"2 B", "FLOP"}},
      {"fp16", {"2 B", "FLOP"}},
      {"fp8", {"1 B", "FLOP"}},
      {"fp4", {"0.5 B", "FLOP"}}};
  for (const std::string chip : {"v100-sxm2-32", "a100-sxm-80", "h100-sxm", "h200-sxm", "b200-sxm",
                                 "mi300x", "mi355x", "tpu-v5e", "tpu-v5p", "tpu-v7"}) {
    for (const auto& [format, of] : formats) {
      const std::string peak = chip + ".peak." + format;
      // A TPU v5p takes FP8 numbers at the rate of sixteen bits.
      if (published::book().find(peak) == nullptr || (format == "fp8" && chip == "tpu-v5p"))
        continue;
      const double tokens =
          value(peak + " / " + chip + ".bandwidth * " + of.first + " / (2 " + of.second + ")");
      INFO(chip << " " << format);
      CHECK(tokens > 100);
      CHECK(tokens < 500);
    }
  }
}
