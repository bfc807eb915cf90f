#include "figures/models/many/published_runs.hpp"

#include <algorithm>

#include "figures/base/portable_math.hpp"

namespace figures::models {
namespace {

// The rate of a step's matmuls as a share of the best large matmul. Fitted to Llama 3.1 405B on
// 8,192 H100s, to Megatron-LM's 145.6 billion parameters, and to Llama 3.1 8B on eight 500 W H100s.
// The last run recomputes some activations, and the share includes that.
constexpr double share_h100 = 0.6832, share_a100 = 0.7577, share_torchtitan = 0.4459;

constexpr std::string_view megatron[] = {"1-7b",  "3-6b",   "7-5b",   "18-4b",  "39-1b",
                                         "76-1b", "145-6b", "310-1b", "529-6b", "1008b"};
constexpr std::string_view megatron_parts[] = {"heads", "width", "layers", "tensor",    "stages",
                                               "chips", "batch", "rate",   "microbatch"};
constexpr std::size_t fitted_megatron = 6;

std::string joined(std::string_view id, std::string_view what) {
  return std::string(id) + "." + std::string(what);
}

// A count from the facts, clamped because a page may send anything.
int count_of(double fact, double most = 1e6) {
  return static_cast<int>(std::clamp(fact, 1.0, most));
}

// A Llama run with sixteen stages of eight chips and eight chunks, as in all of its runs.
PublishedRun llama(std::string label, std::string_view rate, int copies, int microbatches,
                   int parts, double context, const Numbers& numbers) {
  Cut cut{8, 16, parts, copies, 8, 1, microbatches, context, 2};
  cut.schedule = Schedule::interleaved;
  const Network network = network_of("llama-3.1-405b", numbers);
  const Step step = step_of(network, hardware_of("h100-sxm", numbers), cut);
  const double chips = 8.0 * 16 * parts * copies;
  const double flops = network.flops(context * microbatches * copies, context);
  return {std::move(label), false, false, numbers.fact(joined("llama3-run", rate)),
          flops / (chips * step.seconds())};
}

PublishedRun gpt(std::string_view name, const Numbers& numbers) {
  const auto of = [&](std::string_view what) {
    return numbers.fact("megatron-run." + joined(name, what));
  };
  Network network;
  network.layers = of("layers");
  network.width = of("width");
  network.mlp = 4 * network.width;
  network.heads = network.kv_heads = of("heads");
  network.head_width = network.heads > 0 ? network.width / network.heads : 0;
  network.gated = false;
  network.scores_stored = network.whole_norms = true;
  constexpr double words = 51'200, context = 2'048;
  const double d = network.width, l = network.layers;
  network.parameters = network.read = 12 * l * d * d + words * d;
  Cut cut;
  cut.tensor = count_of(of("tensor"), 8);
  cut.stages = count_of(of("stages"), 128);
  cut.copies = std::max(1, count_of(of("chips")) / (cut.tensor * cut.stages));
  cut.sequences = count_of(of("microbatch"), 64);
  cut.microbatches = std::max(1, count_of(of("batch")) / (cut.copies * cut.sequences));
  cut.context = context;
  cut.zero = 0;
  cut.again = cut.late = true;
  cut.gradient = 2;
  Hardware hardware = hardware_of("a100-sxm-80", numbers);
  hardware.port = numbers.fact("megatron-run.port");
  const Step step = step_of(network, hardware, cut);
  // Equation 3 of the paper, which includes the second forward pass and all scores.
  const double flops =
      96 * of("batch") * context * l * d * d * (1 + context / (6 * d) + words / (16 * l * d));
  std::string label(name);
  for (char& one : label) one = one == '-' ? '.' : one == 'b' ? 'B' : one;
  return {"Megatron-LM " + label + ", " + significant(of("chips"), 9) + " A100", false, false,
          of("rate"), flops / (of("chips") * step.seconds())};
}

PublishedRun divided(int chips, std::string_view rate, const Numbers& numbers) {
  Cut cut;
  cut.copies = chips;
  cut.sequences = count_of(numbers.fact("torchtitan-8b.sequences"), 64);
  cut.context = numbers.fact("llama3-step.context");
  cut.zero = 3;
  Hardware hardware = hardware_of("h100-sxm", numbers);
  hardware.bandwidth = numbers.fact("torchtitan-8b.bandwidth");
  hardware.share = share_torchtitan;
  const Step step = step_of(network_of("llama-3.1-8b", numbers), hardware, cut);
  return {"Llama 3.1 8B, torchtitan, " + significant(chips, 9) + " H100", false, true,
          numbers.fact(joined("torchtitan-8b", rate)),
          cut.sequences * cut.context / step.seconds()};
}

}  // namespace

Network network_of(std::string_view id, const Numbers& numbers) {
  const auto of = [&](std::string_view what) { return numbers.fact(joined(id, what)); };
  Network network;
  network.parameters = of("parameters");
  network.read = of("parameters-read");
  network.layers = std::min(of("layers"), 1000.0);  // bounds the work; the page may send anything
  network.width = of("width");
  network.mlp = of("mlp-width");
  network.heads = of("heads");
  network.kv_heads = of("kv-heads");
  network.head_width = of("head-width");
  return network;
}

void add_network_facts(std::string_view id, std::vector<std::string>& ids) {
  for (const char* what : {"parameters", "parameters-read", "layers", "width", "mlp-width", "heads",
                           "kv-heads", "head-width"})
    ids.push_back(joined(id, what));
}

Hardware hardware_of(std::string_view id, const Numbers& numbers) {
  const auto of = [&](std::string_view what) { return numbers.fact(joined(id, what)); };
  return {of("peak.bf16"), of("achieved.bf16"),
          of("bandwidth"), id == "a100-sxm-80" ? share_a100 : share_h100,
          of("link"),      numbers.fact("ib-ndr-4x.bandwidth")};
}

void add_hardware_facts(std::string_view id, std::vector<std::string>& ids) {
  ids.push_back("ib-ndr-4x.bandwidth");
  for (const char* what : {"peak.bf16", "achieved.bf16", "bandwidth", "link", "memory"})
    ids.push_back(joined(id, what));
}

std::vector<PublishedRun> published_runs(const Numbers& numbers) {
  const double text = numbers.fact("llama3-step.context");
  std::vector<PublishedRun> all;
  all.push_back(llama("Llama 3.1 405B, 8,192 H100", "rate-8k", 64, 32, 1, text, numbers));
  all.push_back(llama("Llama 3.1 405B, 16,384 H100", "rate-16k", 128, 16, 1, text, numbers));
  all.push_back(
      llama("Llama 3.1 405B, sequences of 131,072", "rate-128k", 8, 16, 16, 16 * text, numbers));
  all.front().fitted = true;
  for (const std::string_view name : megatron) {
    all.push_back(gpt(name, numbers));
    all.back().fitted = name == megatron[fitted_megatron];
  }
  all.push_back(divided(8, "rate-8", numbers));
  all.back().fitted = true;
  all.push_back(divided(128, "rate-128", numbers));
  return all;
}

std::vector<std::string> published_facts() {
  std::vector<std::string> ids;
  for (const char* what :
       {"llama3-run.rate-8k", "llama3-run.rate-16k", "llama3-run.rate-128k", "llama3-step.context",
        "megatron-run.port", "torchtitan-8b.bandwidth", "torchtitan-8b.sequences",
        "torchtitan-8b.rate-8", "torchtitan-8b.rate-128"})
    ids.push_back(what);
  for (const std::string_view name : megatron)
    for (const std::string_view what : megatron_parts)
      ids.push_back("megatron-run." + joined(name, what));
  return ids;
}

}  // namespace figures::models
