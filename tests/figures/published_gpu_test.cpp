// Numbers that others published about GPUs, reproduced by the book's facts and models. Within 5 %
// unless a test says otherwise. Where a source disagrees with its own inputs, the test has both
// numbers.
#include "published.hpp"

namespace {

using published::fact;
using published::run;

double busy(const nlohmann::json& params) {
  const auto counts = run("loom", params);
  return counts.at("instructions issued") / counts.at("cycles");
}

struct Card {
  const char *id, *bandwidth;
};
constexpr Card cards[] = {{"v100", "v100-sxm2-32.bandwidth"},
                          {"a100", "a100-sxm-80.bandwidth"},
                          {"gh200", "gh200-gpu.bandwidth"},
                          {"l40", "l40s.bandwidth"},
                          {"mi300x", "mi300x.bandwidth"}};

}  // namespace

TEST_CASE("an H100's fp32 peak from its lanes", "[published]") {
  const double lanes =
      fact("h100-sxm.units") * fact("nvidia-gpu.schedulers") * fact("nvidia-gpu.warp");
  CHECK(lanes == fact("h100-sxm.units.fp32-lanes"));
  CHECK_THAT(2 * lanes * fact("h100-sxm.clock.max"), WithinRel(fact("h100-sxm.peak.fp32"), 0.05));
}

TEST_CASE("peaks of matrix units from their number, width and clock", "[published]") {
  // Operations of one unit per cycle: 4 × 4 × 4 multiply-adds on Volta and on GeForce Ada, four
  // times that on Ampere, eight times on Hopper.
  const auto peak = [](const std::string& chip, double operations) {
    return fact(chip + ".units.matrix") * operations * fact(chip + ".clock");
  };
  CHECK_THAT(peak("v100-sxm2-32", 128), WithinRel(fact("v100-sxm2-32.peak.fp16"), 0.01));
  CHECK_THAT(peak("rtx4090", 128), WithinRel(fact("rtx4090.peak.bf16"), 0.01));
  CHECK_THAT(peak("a100-sxm-80", 512), WithinRel(fact("a100-sxm-80.peak.bf16"), 0.01));
  CHECK_THAT(peak("h100-sxm", 1024), WithinRel(fact("h100-sxm.peak.bf16"), 0.01));
}

TEST_CASE("ridges as the GPU glossary prints them", "[published]") {
  const auto ridge = [](const char* peak, double bandwidth) { return fact(peak) / bandwidth; };
  CHECK_THAT(ridge("h100-sxm.peak.bf16", fact("h100-sxm.bandwidth")), WithinRel(295.0, 0.005));
  // Its B200 has 8 TB/s, like the superchip.
  CHECK_THAT(ridge("b200-sxm.peak.bf16", 8e12), WithinRel(281.0, 0.005));
  CHECK_THAT(ridge("b200-sxm.peak.fp8", 8e12), WithinRel(562.0, 0.005));
  CHECK_THAT(ridge("b200-sxm.peak.fp4", 8e12), WithinRel(1125.0, 0.005));
  CHECK_THAT(ridge("b200-sxm.peak.bf16", fact("b200-sxm.bandwidth")), WithinRel(292.0, 0.005));
  CHECK_THAT(ridge("b200-sxm.peak.fp4", fact("b200-sxm.bandwidth")), WithinRel(1169.0, 0.005));
  // The source prints 156 for an A100, based on 2 TB/s, and 592 for fp8 on an H100.
  CHECK_THAT(ridge("a100-sxm-80.peak.bf16", 2e12), WithinRel(156.0, 0.005));
  CHECK_THAT(ridge("a100-sxm-80.peak.bf16", fact("a100-sxm-80.bandwidth")),
             WithinRel(153.0, 0.005));
  CHECK_THAT(ridge("h100-sxm.peak.fp8", fact("h100-sxm.bandwidth")), WithinRel(590.7, 0.001));
}

TEST_CASE("quantising does not move the batch that fills a chip", "[published]") {
  const auto batch = [](const std::string& chip, const char* format, double bytes) {
    return fact(chip + ".peak." + format) / fact(chip + ".bandwidth") * bytes / 2;
  };
  CHECK_THAT(batch("h100-sxm", "fp8", 1), WithinRel(batch("h100-sxm", "bf16", 2), 0.001));
  CHECK_THAT(batch("a100-sxm-80", "int8", 1), WithinRel(batch("a100-sxm-80", "bf16", 2), 0.001));
  CHECK_THAT(batch("b200-sxm", "fp4", 0.5), WithinRel(batch("b200-sxm", "bf16", 2), 0.001));
  CHECK_THAT(batch("rtx4090", "int8", 1), WithinRel(2 * batch("rtx4090", "bf16", 2), 0.01));
}

TEST_CASE("a T4's strided reads from pieces of 64 bytes at 270 GB/s", "[published]") {
  const auto useful = [](int stride, int fetch) {
    const auto counts = run("sectors", {{"stride", stride}, {"fetch", fetch}});
    return 270e9 * 32 * 4 / (counts.at("pieces") * fetch);
  };
  for (const int stride : {2, 4, 8, 16}) {
    INFO(stride);
    const double published = fact("t4-stride." + std::to_string(stride));
    CHECK_THAT(useful(stride, 64), WithinRel(published, 0.04));
  }
  // Pieces of 32 bytes do not explain half of the drop at 16.
  CHECK(useful(16, 32) > 1.9 * fact("t4-stride.16"));
}

TEST_CASE("a V100's double-precision units are full with eight warps", "[published]") {
  // Four parts, each with a multiply-add every four cycles and a result after eight: the chains of
  // a warp stay in its part.
  const auto cycles = [](int warps, int chains) {
    const double parts = std::min(warps, 4);
    return 1 / std::min(parts / 4, warps * chains / fact("v100-dfma.latency"));
  };
  CHECK(cycles(8, 1) == 1);
  CHECK(cycles(4, 2) == 1);
  CHECK(cycles(2, 4) == 2);
  CHECK_THAT(fact("v100-dfma.eight-warps"), WithinRel(fact("v100-dfma.best"), 0.05));
  CHECK(fact("v100-dfma.two-warps") > 1.9 * fact("v100-dfma.eight-warps"));
}

TEST_CASE("thirteen warps do not keep a scheduler busy", "[published]") {
  CHECK_THAT(busy({{"warps", 13}}), WithinRel(0.125, 0.02));
  CHECK_THAT(busy({{"warps", 16}}), WithinRel(0.154, 0.02));
  // With many independent loads, the policy decides how close the result comes to the bound of 97
  // %.
  const nlohmann::json many = {{"warps", 16}, {"loads", 8}, {"arithmetic", 24}};
  nlohmann::json ring = many;
  ring["policy"] = "robin";
  CHECK_THAT(busy(many), WithinRel(0.892, 0.05));
  CHECK_THAT(busy(ring), WithinRel(0.571, 0.01));
}

TEST_CASE("blocks of 12 KiB on an H100: 17, not the 19 that were printed", "[published]") {
  CHECK(run("occupancy", {{"threads", 32}, {"registers", 16}, {"shared", 12}}).at("blocks") == 17);
  // A tile of a matmul: one block of eight warps.
  for (const char* chip : {"h100", "a100", "b200"})
    CHECK(run("occupancy", {{"threads", 256}, {"registers", 168}, {"shared", 96}, {"chip", chip}})
              .at("blocks") == 1);
}

TEST_CASE("five GPUs deliver half where an idle latency says enough", "[published]") {
  for (const Card& card : cards) {
    const std::string of = "gpu-stream." + std::string(card.id) + ".";
    INFO(card.id);
    const double latency = fact(of + "latency"), bandwidth = fact(card.bandwidth),
                 threads = fact(of + "threads");
    const double enough = latency * bandwidth / (8 * threads);  // share of the threads
    const std::pair<double, const char*> at[] = {
        {0.125, "read-12"}, {0.25, "read-25"}, {0.5, "read-50"}, {1, "read-100"}};
    double delivered = 0;
    for (std::size_t i = 0; i + 1 < std::size(at); ++i) {
      const auto [low, a] = at[i];
      const auto [high, b] = at[i + 1];
      if (enough > high) continue;
      delivered = fact(of + a) + (fact(of + b) - fact(of + a)) * (enough - low) / (high - low);
      break;
    }
    CHECK(delivered / bandwidth > 0.46);
    CHECK(delivered / bandwidth < 0.57);
    // The time of a thread without its load, in the formula of the model `little`.
    const double life = 0.125 * threads * 8 / fact(of + "read-12");
    CHECK(life - latency > 120e-9);
    CHECK(life - latency < 310e-9);
  }
}

TEST_CASE("the fit to a GH200's power gives back both ends of the sweep", "[published]") {
  const std::string of = "gpu-power.gh200.";
  const auto power = [&](const char* rate, const char* work) {
    return fact(of + "base") + fact(of + "byte") * fact(of + rate) +
           fact(of + "flop") * fact(of + work);
  };
  CHECK_THAT(power("stream-rate", "stream-work"), WithinRel(fact(of + "stream"), 0.02));
  CHECK_THAT(power("compute-bytes", "compute-rate"), WithinRel(fact(of + "compute"), 0.02));
}

TEST_CASE("which GPU writes, reads and trains how fast", "[published]") {
  const auto rate = [](const nlohmann::json& params, const char* gpu, double tokens) {
    return tokens / run("chooser", params).at(gpu);
  };
  const nlohmann::json writing = {}, many = {{"batch", 32}};
  CHECK_THAT(rate(writing, "A100", 1), WithinRel(123.0, 0.005));
  CHECK_THAT(rate(writing, "H100", 1), WithinRel(202.0, 0.005));
  CHECK_THAT(rate(writing, "B200", 1), WithinRel(464.0, 0.005));
  CHECK_THAT(rate(writing, "L40S", 1), WithinRel(52.0, 0.01));
  CHECK_THAT(rate(writing, "RTX 4090", 1), WithinRel(61.0, 0.01));
  CHECK_THAT(rate(writing, "MI300X", 1), WithinRel(319.0, 0.005));
  CHECK_THAT(rate(many, "A100", 32), WithinRel(1963.0, 0.005));
  CHECK_THAT(rate(many, "H200", 32), WithinRel(4621.0, 0.005));
  CHECK_THAT(rate(many, "L40S", 32), WithinRel(832.0, 0.005));
  const nlohmann::json training = {
      {"phase", "training"}, {"batch", 1}, {"context", 4096}, {"speeds", "measured"}};
  CHECK_THAT(rate(training, "A100", 4096), WithinRel(5.6e3, 0.02));
  CHECK_THAT(rate(training, "H100", 4096), WithinRel(16.5e3, 0.02));
  CHECK_THAT(rate(training, "B200", 4096), WithinRel(36.2e3, 0.02));
  CHECK_THAT(rate(training, "MI300X", 4096), WithinRel(13.9e3, 0.02));
}
