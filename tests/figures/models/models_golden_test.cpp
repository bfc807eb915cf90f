// Single runs of the models, compared with numbers worked out by hand or published.
#include <algorithm>
#include <map>
#include <vector>

#include "figures/models/layers/kernel_list.hpp"
#include "figures/models/layers/loop_nest.hpp"
#include "figures/models/many/plan_search.hpp"
#include "figures/models/render.hpp"
#include "published.hpp"
#include "support.hpp"

namespace {

using namespace figures::models;

std::map<std::string, double> run(std::string_view name, const char* params) {
  return published::run(name, nlohmann::json::parse(params));
}

}  // namespace

TEST_CASE("a systolic array takes the cycles of its formula", "[models]") {
  const auto cycles = [](const char* params) { return run("systolic", params)["cycles"]; };
  CHECK(cycles(R"({"m": 4})") == 14);
  CHECK(cycles(R"({"m": 8})") == 18);
  CHECK(cycles(R"({"m": 16})") == 26);
  CHECK(cycles(R"({"m": 8, "k": 8, "n": 8})") == 72);
  CHECK(cycles(R"({"m": 8, "k": 8, "n": 8, "tiles": "overlapped"})") == 42);
}

TEST_CASE("what each flow reads and writes of a product of eight", "[models]") {
  // The table of chapter 4. The cycles agree with the source, but the traffic does not.
  const auto flow = [](const char* stays) {
    return run("systolic",
               nlohmann::json{{"m", 8}, {"k", 8}, {"n", 8}, {"flow", stays}}.dump().c_str());
  };
  const std::map<std::string, std::vector<double>> table = {{"weights", {128, 64, 128, 64}},
                                                            {"outputs", {128, 128, 64, 0}},
                                                            {"inputs", {64, 128, 128, 64}}};
  for (const auto& [stays, expected] : table) {
    INFO(stays);
    const auto counts = flow(stays.c_str());
    CHECK(counts.at("cycles") == 72);
    CHECK(std::vector<double>{counts.at("reads of A"), counts.at("reads of B"),
                              counts.at("sums written"), counts.at("sums read")} == expected);
  }
}

TEST_CASE("a convolution row by row", "[models]") {
  const auto small = run("row-stationary", R"({"height": 6, "width": 5, "filter": 3, "output": 5,
                                               "channels": 2, "filters": 4})");
  CHECK(small.at("cycles") == 62);
  CHECK(small.at("multiply-adds") == 1800);  // of 30 cells in 62 cycles: 96.8 %
}

TEST_CASE("all-reduce of a megabyte and of a gigabyte", "[models]") {
  // 8 ranks, 3 µs, 360 GB/s; a MiB is 4.9 % more than a MB.
  const auto micros = [](const char* params) { return run("allreduce", params)["time"] * 1e6; };
  CHECK_THAT(micros(R"({"payload": 1024})"), WithinRel(42 + 14 * 1048576.0 / 8 / 360e3, 1e-9));
  CHECK_THAT(micros(R"({"payload": 1024, "algorithm": "tree"})"),
             WithinRel(18 + 6 * 1048576.0 / 360e3, 1e-9));
  CHECK_THAT(micros(R"({"payload": 1048576, "algorithm": "halving"})"),
             WithinRel(18 + 1.75 * 1073741824.0 / 360e3, 1e-9));
}

TEST_CASE("pipelines of four stages and eight microbatches", "[models]") {
  const auto gpipe = run("pipeline", R"({"schedule": "gpipe"})");
  const auto one = run("pipeline", R"({"schedule": "one-one"})");
  const auto interleaved = run("pipeline", R"({"schedule": "interleaved"})");
  CHECK(gpipe.at("ticks") == 33);
  CHECK(one.at("ticks") == 33);
  CHECK(interleaved.at("ticks") == 57);  // half a stage: 28.5
  CHECK(gpipe.at("most chunks kept, first stage") == 8);
  CHECK(one.at("most chunks kept, first stage") == 4);
  CHECK(one.at("most chunks kept, last stage") == 1);
  CHECK(interleaved.at("most chunks kept, first stage") == 11);
  CHECK(interleaved.at("most chunks kept, last stage") == 5);
}

TEST_CASE("blocks on a multiprocessor", "[models]") {
  const auto blocks = [](const char* params) { return run("occupancy", params)["blocks"]; };
  CHECK(blocks(R"({"threads": 64, "registers": 65})") == 14);
  CHECK(blocks(R"({"threads": 64, "registers": 64})") == 16);
  CHECK(blocks(R"({"threads": 32, "registers": 16, "shared": 12})") == 17);
  CHECK(blocks(R"({"threads": 32, "registers": 32})") == 32);
  CHECK(blocks(R"({"threads": 1024, "registers": 33})") == 1);
  CHECK(blocks(R"({"threads": 256, "registers": 72, "shared": 40})") == 3);
  CHECK(blocks(R"({"threads": 256, "registers": 72, "shared": 40, "chip": "rtx-4090"})") == 2);
}

TEST_CASE("pieces that a warp fetches", "[models]") {
  const auto pieces = [](const char* params) { return run("sectors", params)["pieces"]; };
  CHECK(pieces("{}") == 4);
  CHECK(pieces(R"({"offset": 1})") == 5);
  CHECK(pieces(R"({"stride": 2})") == 8);
  CHECK(pieces(R"({"stride": 3})") == 12);  // x of xyz records
}

TEST_CASE("the loom's published examples", "[models]") {
  // 13 warps with one load and three instructions each fill an eighth of the cycles, not all.
  const auto counts = run("loom", "{}");
  CHECK_THAT(counts.at("instructions issued") / counts.at("cycles"), WithinRel(0.125, 0.02));
}

TEST_CASE("the first TPU's budget follows from batch and bandwidth", "[models]") {
  const auto mlp0 = run("tpu1-budget", R"({"batch": 200})");
  CHECK_THAT(mlp0.at("active share"), WithinRel(0.148, 0.005));
  CHECK_THAT(mlp0.at("shift share"), WithinRel(0.190, 0.005));
  CHECK_THAT(mlp0.at("operations a second"), WithinRel(13.6e12, 0.001));
  const auto lstm1 = run("tpu1-budget", R"({"batch": 96, "passes": 2})");
  CHECK_THAT(lstm1.at("active share"), WithinRel(0.142, 0.005));
}

TEST_CASE("divergence: one lane in eight takes the branch", "[models]") {
  CHECK_THAT(run("simt", R"({"share": 12})")["cycles of a warp"], WithinRel(198.3, 0.01));
  CHECK_THAT(run("simt", R"({"program": "switch", "then": 1, "cases": 8})")["cycles of a warp"],
             WithinRel(7.89, 0.01));
}

TEST_CASE("kernels of a network, as chapter 0 counts them", "[models]") {
  Pass training{Phase::training, 256, 1, 4};
  double flops = 0, products = 0;
  for (const Kernel& kernel : perceptron_kernels(784, 256, 10, training)) {
    if (kernel.work == Work::product) flops += kernel.flops;
    products += kernel.products;
  }
  CHECK(products == 5);
  CHECK_THAT(flops, WithinRel(209.5e6, 0.001));
  const auto trained = perceptron_kernels(784, 256, 10, training);
  CHECK(trained[1].bytes == 3 * 256 * 256 * 4);  // the bias; backward, it only sums the gradient
  CHECK(trained[2].bytes == 5 * 256 * 256 * 4);  // the ReLU

  const auto first = perceptron_kernels(784, 256, 10, {Phase::prefill, 256, 1, 4});
  CHECK_THAT(first[0].flops / first[0].bytes, WithinRel(55.0, 0.001));
  CHECK_THAT(first[3].flops / first[3].bytes, WithinRel(4.64, 0.001));

  const Transformer gpt2{12, 768, 3072, 12, 12, 64, 50257, false};
  double shares[3] = {}, bytes[3] = {}, time[3] = {}, all_time = 0, all_flops = 0, all_bytes = 0;
  for (const Kernel& kernel : transformer_kernels(gpt2, {Phase::prefill, 8, 1024, 2}, false)) {
    const auto kind = static_cast<std::size_t>(kernel.work);
    const double seconds = std::max(kernel.flops / 989e12, kernel.bytes / 3.35e12);
    shares[kind] += kernel.flops;
    bytes[kind] += kernel.bytes;
    time[kind] += seconds;
    all_flops += kernel.flops;
    all_bytes += kernel.bytes;
    all_time += seconds;
  }
  CHECK_THAT(shares[0] / all_flops, WithinRel(0.813, 0.002));
  CHECK_THAT(shares[1] / all_flops, WithinRel(0.181, 0.005));
  CHECK_THAT(bytes[2] / all_bytes, WithinRel(0.495, 0.01));
  CHECK_THAT(all_time, WithinRel(0.448e-3, 0.005));
  CHECK_THAT(time[2] / all_time, WithinRel(0.436, 0.005));

  const Transformer llama{32, 4096, 14336, 32, 8, 128, 128256, true};
  double token = 0;
  for (const Kernel& kernel : transformer_kernels(llama, {Phase::decode, 1, 64, 2}, true))
    token += std::max(kernel.flops / 989e12, kernel.bytes / 3.35e12);
  CHECK_THAT(token, WithinRel(4.48e-3, 0.01));
  // The weights that are read, without those of the norms.
  CHECK(product_weights(llama, true) == 7504924672.0 - (2 * 32 + 1) * 4096);
}

TEST_CASE("a tile that fits fetches what the formula of chapter 2 says", "[models]") {
  // Three tiles of 4×4 floats in 16 lines of 16 bytes: 2N³/b floats and the result.
  const NestShape shape{Order::tiled, 16, 4, 4, 16};
  const MissRange closed = closed_misses(shape);
  CHECK(closed.low == closed.high);
  CHECK(closed.low == (2 * 16.0 * 16 * 16 / 4 + 16 * 16) / 4);
  // The formula is a range only if distances straddle the capacity, which is rare.
  int ranges = 0, all = 0;
  for (int capacity = 4; capacity <= 1024; capacity *= 2)
    for (int tile = 4; tile <= 16; tile *= 2)
      for (const Order order : {Order::naive, Order::reordered, Order::tiled}) {
        const MissRange range = closed_misses({order, 32, tile, 4, capacity});
        ranges += range.low != range.high ? 1 : 0;
        ++all;
      }
  CHECK(ranges * 5 < all);
}

TEST_CASE("an exhaustive search returns the published plan", "[models]") {
  // Llama 3.1 405B on 8,192 H100s that report 85.5 GB.
  const auto half = run("planner", "{}");
  CHECK_THAT(half.at("seconds of a step"), WithinRel(9.167, 0.0005));
  CHECK_THAT(half.at("model FLOP utilisation"), WithinRel(0.570, 0.002));
  const auto all = run("planner", R"({"chips": 16384})");
  CHECK_THAT(all.at("seconds of a step"), WithinRel(4.914, 0.0005));
  CHECK_THAT(all.at("model FLOP utilisation"), WithinRel(0.532, 0.002));
  // 15 of (8 chunks · 16 microbatches): p 16, v 8, D 128.
  CHECK_THAT(all.at("idle share of the best"), WithinRel(15.0 / 128, 1e-9));
  // Sixteen chunks need only eight stages and are faster: p 8, v 16, D 256.
  const auto finer = run("planner", R"({"chips": 16384, "chunks": 16})");
  CHECK_THAT(finer.at("seconds of a step"), WithinRel(4.836, 0.0005));
  CHECK_THAT(finer.at("idle share of the best"), WithinRel(7.0 / 128, 1e-9));
}

TEST_CASE("a plan pays for what its stage of ZeRO sends in each microbatch", "[models]") {
  // A billion weights on 16 copies of one chip, four microbatches, one second of computing, links
  // of 8 GB/s net. Reducing the gradients takes 15/16 · 2 GB = 1.875 GB each way, 0.234375 s. A
  // backward pass takes a sixth of a second.
  Run run{1e9, 1e9, 4};
  run.heads = 0;
  run.achieved = 2.4e10;
  run.outside = 10e9;
  run.capacity = 1e12;
  run.chips = 16;
  run.batch = 64;
  struct Expected {
    double kept, exposed;
  };
  const Expected stages[] = {
      {16e9, 2 * 0.234375 - 1 / 6.0},    // all gradients: once, after the last backward pass
      {4.75e9, 2 * 0.234375 - 1 / 6.0},  // the same bytes: a reduce-scatter and a gather
      {2.875e9,
       5 * 0.234375 - 4 / 6.0},  // four reduce-scatters and a gather, after all backward passes
      {2e9,
       12 * 0.234375 - 1.0}};  // three transfers per microbatch; two whole layers, 1 GB, are stored
  int found = 0;
  for (const Plan& plan : plans_that_fit(run)) {
    if (plan.copies != 16 || plan.sequences != 1 || plan.again) continue;
    INFO(plan.zero);
    CHECK_THAT(plan.weights + plan.gradients + plan.optimiser,
               WithinRel(stages[plan.zero].kept, 1e-12));
    CHECK_THAT(plan.exposed, WithinRel(stages[plan.zero].exposed, 1e-9));
    ++found;
  }
  CHECK(found == 4);
}

TEST_CASE("the chooser's bounds are the facts' quotients", "[models]") {
  // 8B in 16 bits, with 4,096 tokens already in each sequence.
  const auto decode = run("chooser", "{}");
  CHECK_THAT(1 / decode.at("A100"), WithinRel(123.0, 0.005));
  CHECK_THAT(1 / decode.at("H100"), WithinRel(202.0, 0.005));
  CHECK_THAT(1 / decode.at("H200"), WithinRel(289.0, 0.005));
  CHECK_THAT(1 / decode.at("B200"), WithinRel(464.0, 0.005));
  CHECK_THAT(1 / decode.at("MI300X"), WithinRel(319.0, 0.005));
}

TEST_CASE("the order of Eyeriss's dataflows on every layer of AlexNet", "[models]") {
  for (const char* layer : {"all", "conv1", "conv2", "conv3", "conv4", "conv5"}) {
    INFO(layer);
    const auto counts = run("dataflow-energy", nlohmann::json{{"layer", layer}}.dump().c_str());
    const double rows = counts.at("row-stationary, energy");
    const double weights = counts.at("weight-stationary, energy");
    const double outputs = counts.at("output-stationary, energy");
    const double none = counts.at("no local reuse, energy");
    CHECK(rows < weights);
    CHECK(weights < outputs);
    CHECK(outputs < none);
    // The paper found the other dataflows at 1.4 to 2.5 times row-stationary, each after tuning.
    CHECK(weights / rows > 1.1);
    CHECK(none / rows < 2.6);
  }
}

TEST_CASE("the time of a thread without its load, on five published GPUs", "[models]") {
  // GB/s of the published kernel with one load, at an eighth of the threads that fit.
  const std::map<std::string, double> published = {
      {"a100", 323}, {"gh200", 486}, {"v100", 263}, {"l40", 470}, {"mi300x", 1049}};
  const auto rate = [](const std::string& chip, double overhead) {
    const auto model = make_model("little");
    const auto settings =
        read_settings(model->controls(), nlohmann::json{{"chip", chip}, {"overhead", overhead}});
    REQUIRE(settings);
    model->reset(settings->values, {});
    model->advance(3);
    return model->counts().front().counted / 1e9;
  };
  for (const auto& [chip, measured] : published) {
    INFO(chip);
    CHECK(rate(chip, 120) > measured);
    CHECK(rate(chip, 310) < measured);
  }
}

TEST_CASE("the batch that a walk has come to has its name in the picture", "[models]") {
  const auto model = make_model("roofline-explorer");
  figures::Facts facts;
  REQUIRE(facts.load(nlohmann::json::parse(support::read_source("chapters/facts/chips.json"))));
  Numbers numbers;
  for (const std::string& id : model->facts())
    if (const figures::Fact* fact = facts.find(id)) numbers.facts[id] = fact->quantity.value;
  for (const auto& machine : model->controls().front().choices) {
    if (machine.id == "machine") continue;
    for (const auto layout : {figures::Layout::column, figures::Layout::narrow})
      for (int step = 0; step <= model->length(); ++step) {
        figures::Options options;
        options.width = layout;
        const auto frame =
            render_model("roofline-explorer", {{"machine", machine.id}}, step, numbers, options);
        REQUIRE(frame);
        INFO(machine.label << ", step " << step);
        CHECK(frame->rendering.svg.find(">batch " + std::to_string(1 << step) + "<") !=
              std::string::npos);
      }
  }
}

TEST_CASE("decoding on one box: the floor, and what a batch buys", "[models]") {
  // Llama 3.1 70B in bf16 on eight H100s.
  const double bandwidth = 8 * 3.35e12;
  const auto short_text = run("decode-floor", R"({"prompt": 2048, "written": 512})");
  CHECK_THAT(short_text.at("bytes read") / bandwidth, WithinRel(2.670, 0.0005));
  const auto long_text = run("decode-floor", "{}");
  CHECK_THAT(long_text.at("bytes read") / bandwidth, WithinRel(21.76, 0.0005));

  figures::Facts facts;
  for (const char* file : {"chapters/facts/chips.json", "chapters/facts/models.json"})
    REQUIRE(facts.load(nlohmann::json::parse(support::read_source(file))));
  const auto rates = [&](const nlohmann::json& params) {
    const auto model = make_model("batch-explorer");
    const auto settings = read_settings(model->controls(), params);
    REQUIRE(settings);
    const auto numbers = numbers_for(*model, facts, nullptr, nullptr);
    REQUIRE(numbers);
    model->reset(settings->values, *numbers);
    std::map<int, double> all;
    for (int step = 0; step < model->length(); ++step) {
      for (const Count& count : model->counts())
        if (count.name == "tokens a second") all[1 << step] = count.counted, all[0] = count.high;
      model->step();
    }
    return all;
  };
  const auto at_2k = rates({{"context", 2048}});
  CHECK_THAT(at_2k.at(1), WithinRel(192.0, 0.003));
  CHECK_THAT(at_2k.at(32), WithinRel(5344.0, 0.0005));
  CHECK_THAT(at_2k.at(128), WithinRel(15253.0, 0.0005));
  CHECK_THAT(at_2k.at(0), WithinRel(39935.0, 0.0005));
  const auto at_8k = rates({{"context", 8192}});
  CHECK_THAT(at_8k.at(128), WithinRel(7108.0, 0.0005));
  CHECK_THAT(at_8k.at(0), WithinRel(9984.0, 0.0005));
}

TEST_CASE("attention's traffic in both published orders", "[models]") {
  const auto keys = run("attention-io", R"({"tokens": 1024, "near": 200, "order": "keys"})");
  CHECK(keys.at("elements moved") == 1335296);
  const auto queries = run("attention-io", R"({"tokens": 1024, "near": 128})");
  CHECK(queries.at("elements moved") == 1179648);
}

TEST_CASE("fusing a bias and an activation pays four ridges over k", "[models]") {
  const auto apart = run("fusion", R"({"inner": 4096})");
  const auto fused = run("fusion", R"({"inner": 4096, "fused": "activation"})");
  const double saved = (apart.at("elements moved") - fused.at("elements moved")) * 2 / 3.35e12;
  const double product = 2.0 * 4096 * 4096 * 4096 / 989e12;
  CHECK_THAT(1 + saved / product, WithinRel(1.288, 0.0005));
}

TEST_CASE("Amdahl's law on a machine whose memory is wide enough", "[models]") {
  const auto eight = run("core-scaling", R"({"cores": 8, "serial": 5, "reuse": 1024})");
  CHECK_THAT(eight.at("speed-up"), WithinRel(5.926, 0.0005));
  const auto many = run("core-scaling", R"({"cores": 64, "serial": 5, "reuse": 1024})");
  CHECK_THAT(many.at("speed-up"), WithinRel(15.42, 0.0005));
}

TEST_CASE("a sum of ones stops where its format has too few bits", "[models]") {
  CHECK(run("rounded-sum", R"({"format": "bf16"})").at("sum") == 256);
  CHECK(run("rounded-sum", R"({"format": "fp16"})").at("sum") == 2048);
  CHECK(run("rounded-sum", R"({"format": "e4m3"})").at("sum") == 16);
  // With stochastic rounding the sum keeps growing: 16,384 additions, and the spacing is at most 64
  // there.
  CHECK_THAT(run("rounded-sum", R"({"format": "bf16", "rounding": "chance"})").at("sum"),
             WithinRel(16384.0, 0.1));
}

TEST_CASE("outliers spoil a shared scale, not a number with an exponent", "[models]") {
  // On a bell curve, int8 with one scale is off by about 1 %. If one number in a thousand is 20
  // times as large, the error is several times that. E4M3 stays below 3 % in both cases, and groups
  // of 32 bring int8 back.
  const auto even = run("shared-scale", "{}");
  const auto spoilt = run("shared-scale", R"({"outlier": 20})");
  CHECK(even.at("relative error of int8, one scale") < 0.012);
  CHECK(spoilt.at("relative error of int8, one scale") >
        5 * even.at("relative error of int8, one scale"));
  CHECK(even.at("relative error of E4M3, one scale") < 0.03);
  CHECK(spoilt.at("relative error of E4M3, one scale") < 0.03);
  CHECK(spoilt.at("relative error of int8, groups of 32") < 0.02);
  CHECK(even.at("relative error of int4, groups of 32") < 0.11);
}

TEST_CASE("a small network in few bits", "[models]") {
  // The claims of chapter 7 about a thousand images.
  const auto right = [](const char* params, const char* format) {
    return run("tiny-digits", params).at("right in " + std::string(format));
  };
  const double plain = right("{}", "fp32");
  CHECK(plain > 900);
  for (const char* format : {"bf16", "E4M3", "int8"}) CHECK(right("{}", format) > plain - 10);
  CHECK(right("{}", "int4") > plain - 40);
  CHECK(right("{}", "int2") < plain / 2);
  CHECK(right(R"({"group": "8"})", "int3") > plain - 30);
  // One unit scaled by 64: the same answers in fp32, random ones in int4 with one scale.
  constexpr const char* large = R"({"larger": 64})";
  CHECK(right(large, "fp32") == plain);
  CHECK(right(large, "E4M3") > plain - 10);
  CHECK(right(large, "int4") < 120);
  CHECK(right(R"({"larger": 64, "group": "32"})", "int4") > plain - 40);
  // With two of every four weights, a fifth of the answers are right. Most come back with more
  // training.
  const double dropped = right(R"({"zeros": "half"})", "fp32");
  CHECK_THAT(1 - dropped / plain, WithinRel(0.2, 0.1));
  CHECK(right(R"({"zeros": "retrained"})", "fp32") - dropped > 0.6 * (plain - dropped));
}

TEST_CASE("ZeRO on 64 copies of Llama 3.1 70B", "[models]") {
  const auto kept = [](const char* stage) {
    return run("zero-memory",
               nlohmann::json{{"card", "llama-3.1-70b"}, {"stage", stage}}.dump().c_str());
  };
  CHECK_THAT(kept("1").at("bytes kept"), WithinRel(295e9, 0.005));
  CHECK_THAT(kept("2").at("bytes kept"), WithinRel(157e9, 0.005));
  CHECK_THAT(kept("3").at("bytes kept"), WithinRel(17.6e9, 0.005));
  // Two of 80 layers in two bytes, and the gradient of one layer, except for a 64th: 5.2 GB more.
  CHECK_THAT(kept("3").at("bytes at the fullest") - kept("3").at("bytes kept"),
             WithinRel(6 * 70.55e9 / 80 * 63 / 64, 0.001));
}

TEST_CASE("every data sheet's ridges, time to read and joules", "[models]") {
  struct Sheet {
    const char* chip;
    std::vector<double> ridges;  // 16, 8, 4 bits; 0: not printed
    double milliseconds;
  };
  const Sheet sheets[] = {{"v100-sxm2-32", {138.9, 0, 0}, 38.2},
                          {"tpu-v2", {65.7, 0, 0}, 24.5},
                          {"tpu-v3", {136.7, 0, 0}, 38.2},
                          {"tpu-v4", {229.2, 229.2, 0}, 28.6},
                          {"a100-sxm-80", {153.0, 306.0, 612.1}, 42.1},
                          {"h100-sxm", {295.2, 590.7, 0}, 25.6},
                          {"mi300x", {246.7, 493.4, 0}, 38.9},
                          {"tpu-v5e", {240.5, 479.9, 962.1}, 21.0},
                          {"tpu-v5p", {166.0, 332.0, 0}, 36.9},
                          {"h200-sxm", {206.0, 412.3, 0}, 31.5},
                          {"b200-sxm", {292.2, 584.4, 1168.8}, 25.1},
                          {"mi325x", {217.9, 435.8, 0}, 45.8},
                          {"tpu-v6e", {560.4, 1120.9, 0}, 21.0},
                          {"b300-sxm", {292.2, 584.4, 1818.2}, 37.7},
                          {"mi355x", {314.6, 629.1, 1258.3}, 38.7},
                          {"tpu-v7", {312.6, 625.2, 0}, 27.9},
                          {"rubin", {181.8, 795.5, 1590.9}, 13.1},
                          {"tpu-8t", {0, 0, 1930.1}, 33.1},
                          {"tpu-8i", {0, 0, 1174.4}, 33.5}};
  for (const Sheet& sheet : sheets) {
    INFO(sheet.chip);
    const auto counts = published::run("datasheet", {{"chip", sheet.chip}});
    for (const int i : {0, 1, 2}) {
      const auto found = counts.find("ridge, " + std::to_string(16 >> i) + " bits");
      const double ridge = sheet.ridges[static_cast<std::size_t>(i)];
      CHECK((found != counts.end()) == (ridge > 0));
      if (found != counts.end()) CHECK_THAT(found->second, WithinRel(ridge, 0.0005));
    }
    CHECK_THAT(counts.at("time to read"), WithinRel(sheet.milliseconds / 1e3, 0.005));
  }
  // The table of chapter 8.
  const auto ironwood = run("datasheet", R"({"chip": "tpu-v7"})");
  CHECK(ironwood.at("tokens, 16 bits") == 313);
  CHECK(ironwood.at("caches") == 24);
  CHECK(ironwood.count("energy, 16 bits") == 0);
  CHECK_THAT(ironwood.at("sent, 16 bits"), WithinRel(3845.0, 0.0005));
  CHECK_THAT(ironwood.at("floor"), WithinRel(18.8e-3, 0.005));

  const auto joules = run("ridge-timeline", R"({"quantity": "energy", "bits": "16"})");
  const std::map<std::string, double> picojoules = {{"V100", 2.4},    {"TPU v4", 0.70},
                                                    {"A100", 1.28},   {"H100", 0.71},
                                                    {"MI300X", 0.57}, {"B200", 0.44}};
  for (const auto& [chip, expected] : picojoules)
    CHECK_THAT(joules.at(chip + ", 16 bits") * 1e12, WithinRel(expected, 0.01));
  CHECK(joules.count("Rubin, 16 bits") == 0);
  CHECK(run("ridge-timeline", R"({"quantity": "tokens"})").at("H100, 16 bits") == 296);
  CHECK(run("ridge-timeline", R"({"quantity": "tokens"})").at("TPU 8t, 4 bits") == 483);
  CHECK(run("ridge-timeline", R"({"quantity": "drain"})").size() == 19);
}

namespace {

// The whole form: the result and the check for each of the ten questions.
Frame sheet_of(const nlohmann::json& params, figures::Layout layout = figures::Layout::column) {
  const auto model = make_model("datasheet");
  const auto numbers = numbers_for(*model, published::book(), nullptr, nullptr);
  REQUIRE(numbers);
  figures::Options options;
  options.width = layout;
  const auto frame = render_model("datasheet", params, first_step, *numbers, options);
  REQUIRE(frame);
  REQUIRE(frame->notices.empty());
  REQUIRE(frame->rendering.table.rows.size() == 10);
  return *frame;
}

}  // namespace

TEST_CASE("a data sheet's traps, as others fell into them", "[models]") {
  const auto check = [](const nlohmann::json& params, std::size_t row) {
    return sheet_of(params).rendering.table.rows[row][2];
  };
  constexpr std::size_t pod = 0, peak = 2, bandwidth = 3, memory = 4, ridge = 5, link = 7;
  // Numbers that other pages print for these chips and the book does not, each with its reason if
  // it is known.
  struct Page {
    const char *chip, *quantity;
    int printed;
    std::size_t row;
    const char* said;
  };
  const Page pages[] = {
      {"h200-sxm", "peak8", 3958, peak, "twice ours: sparsity?"},
      {"b200-sxm", "peak8", 9000, peak, "twice ours: sparsity?"},
      {"b200-sxm", "peak16", 4500, peak, "twice ours: sparsity?"},
      {"h100-sxm", "peak16", 312, peak, "0.315 × ours: what does it count?"},  // an A100's
      {"tpu-v2", "peak16", 180, peak, "3.91 × ours: what does it count?"},     // four chips'
      {"v100-sxm2-32", "peak16", 112, peak, "10 % less: another part, or month?"},
      {"h100-sxm", "peak16", 1000, peak, "1.1 % more: another part, or month?"},
      {"tpu-v3", "peak16", 140, peak, "14 % more: another part, or month?"},
      {"b300-sxm", "peak4", 13500, peak, "3.6 % less: another part, or month?"},
      {"h100-sxm", "peak8", 989, peak, "half of ours: a multiply-add as one?"},
      {"mi300x", "peak8", 1307, peak, "half of ours: a multiply-add as one?"},
      {"a100-sxm-80", "bandwidth", 1555, bandwidth, "the number of the 40 GB part"},
      {"b200-sxm", "bandwidth", 8000, bandwidth, "the number of the GB200"},
      {"b200-sxm", "bandwidth", 9000, bandwidth, "17 % more: another part, or month?"},
      {"h100-sxm", "bandwidth", 3072, bandwidth, "8.3 % less: another part, or month?"},
      {"tpu-v3", "bandwidth", 825, bandwidth, "8.3 % less: another part, or month?"},
      {"mi455x", "bandwidth", 19600, bandwidth, "the number of an earlier month"},
      {"tpu-v7", "memory", 192, memory, "ours in GiB, printed as GB"},
      {"h100-sxm", "memory", 80, memory, "ours in GiB, printed as GB"},
      {"rubin", "memory", 309, memory, "ours in GB, taken for GiB"},
      {"h100-sxm", "link", 900, link, "twice ours: both directions"},
      {"tpu-v7", "link", 1200, link, "twice ours: both directions"},
      {"tpu-v5e", "link", 180, link, "10 % less: another part, or month?"}};
  for (const Page& page : pages) {
    INFO(page.chip << " " << page.quantity << " " << page.printed);
    CHECK(check({{"chip", page.chip}, {page.quantity, page.printed}}, page.row) ==
          "other page: " + std::string(page.said));
  }
  CHECK(check({{"chip", "tpu-v6e"}, {"peak16", 920}}, peak) == "the other page agrees");
  // Contradictions within one data sheet.
  CHECK(check({{"chip", "mi455x"}}, peak) == "4 bit does 8.06 × the 16 bit rate, not 4: sparsity?");
  CHECK(check({{"chip", "rubin"}}, peak) == "8 bit does 4.38 × the 16 bit rate, not 2");
  CHECK(check({{"chip", "h100-sxm"}}, peak) == "half the bits, twice the rate");
  CHECK(check({{"chip", "h100-sxm"}}, ridge) == "8 bit: 590.7 FLOP/B, as many tokens");
  CHECK(check({{"chip", "tpu-v7"}}, pod) == "42.5 EFLOP/s ÷ 9216: the 8 bit peak");
  CHECK(check({{"chip", "tpu-8t"}}, pod) == "121 EFLOP/s ÷ 9600: the 4 bit peak");
  CHECK(check({{"chip", "own"}, {"peak16", 1000}, {"peak8", 4000}}, peak) ==
        "8 bit does 4 × the 16 bit rate, not 2: sparsity?");
}

TEST_CASE("a data sheet without numbers has no answers", "[models]") {
  const auto rows = sheet_of({{"chip", "own"}}).rendering.table.rows;
  for (const std::size_t row : {1, 2, 3, 4, 5, 6, 7, 8}) CHECK(rows[row][1] == "not printed");
  const auto some =
      sheet_of({{"chip", "own"}, {"bandwidth", 8000}, {"peak16", 2500}}).rendering.table.rows;
  CHECK(some[5][1] == "16 bit: 313 FLOP/B, 313 tokens");
  CHECK(some[6][1] == "not printed");
  CHECK(some[7][1] == "not printed");
  CHECK(some[9][1] == "power not printed");
}

TEST_CASE("the data sheets have every fact that there is, and room for it", "[models]") {
  const auto model = make_model("datasheet");
  const std::vector<std::string> used = model->facts();
  for (const Choice& chip : model->controls()[0].choices) {
    for (const char* what :
         {"year", "bandwidth", "memory", "link", "power", "achieved.bf16", "pod-peak"})
      for (const char* join : {".", "-"}) {
        const std::string id = std::string(chip.id) + join + what;
        INFO(id);
        if (published::book().find(id)) CHECK(std::count(used.begin(), used.end(), id) == 1);
      }
    for (const figures::Layout layout : {figures::Layout::column, figures::Layout::narrow})
      for (const char* card : {"llama-3.1-8b", "llama-3.1-405b"})
        for (const int batch : {1, 1024}) {
          INFO(chip.id << " " << card << " " << batch);
          const Frame frame =
              sheet_of({{"chip", chip.id}, {"card", card}, {"batch", batch}}, layout);
          CHECK(frame.rendering.svg.find("…") == std::string::npos);  // nothing was cut
        }
  }
}

TEST_CASE("an accelerator with other parameters", "[models]") {
  const auto drawn = [](const char* params) { return run("accelerator", params); };
  const auto rates = [&](const char* params) {
    const auto counts = drawn(params);
    std::vector<double> all;
    for (const char* name : {"MLP0", "MLP1", "LSTM0", "LSTM1", "CNN0", "CNN1"})
      all.push_back(counts.at(name) / 1e12);
    return all;
  };
  const auto near = [](const std::vector<double>& got, const std::vector<double>& expected) {
    for (std::size_t i = 0; i < got.size(); ++i) CHECK_THAT(got[i], WithinRel(expected[i], 0.005));
  };
  // The first TPU: 331 mm² by its own shares. The paper measured 12.3, 9.7, 3.7, 2.8, 86 and 14.1.
  CHECK_THAT(drawn("{}").at("area"), WithinRel(331e-6, 1e-9));
  near(rates("{}"), {13.6, 11.42, 4.35, 3.98, 91.75, 44.7});
  // 600 rows fill a 128-wide square better than a 256-wide one, and a 512-wide one worse.
  CHECK_THAT(drawn(R"({"side": 512})").at("area"), WithinRel(722e-6, 0.001));
  CHECK_THAT(rates(R"({"side": 512})")[3], WithinRel(2.24, 0.005));
  CHECK_THAT(rates(R"({"side": 128, "grids": 4})")[3], WithinRel(5.74, 0.005));
  // A faster clock waits more cycles for the same memory.
  CHECK_THAT(rates(R"({"clock": 1050})")[0], WithinRel(13.6, 1e-9));
  // With the memory of the paper's second design, a tile arrives in fewer cycles than a shift
  // takes.
  near(rates(R"({"memory": "gddr5"})"), {71.7, 60.2, 22.9, 21.0, 91.75, 44.7});
}
