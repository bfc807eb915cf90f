// Costs of models against numbers that other people printed. Each row names the place where the
// number was read. Tools print GiB under the name GB, so caches of theirs are compared in GiB.
#include <algorithm>
#include <cmath>

#include "figures/costs/bill.hpp"
#include "figures/costs/config.hpp"
#include "figures/costs/roofline.hpp"
#include "figures/costs/tables.hpp"
#include "support.hpp"

namespace {

using namespace figures::costs;

constexpr double gib = 1024.0 * 1024 * 1024, mib = 1024.0 * 1024;

// The configuration `id`: a preset of the book or one of the fixture.
Network network(const std::string& id) {
  static const auto presets =
      nlohmann::json::parse(support::read_source("chapters/facts/configs.json"));
  static const auto others =
      nlohmann::json::parse(support::read_source("tests/fixtures/model_configs.json"));
  const auto& config = presets.contains(id) ? presets.at(id).at("config") : others.at(id);
  const Reading reading = read_config(config.dump());
  INFO(id << ": " << (reading.problem ? reading.problem->text : ""));
  REQUIRE(!reading.problem);
  return reading.network;
}

// `printed` has `digits` decimals in the unit `unit`.
void check(double value, double printed, double unit, int digits) {
  const double half = std::pow(10.0, -digits) / 2 * (1 + 1e-9);
  INFO(value / unit << " against " << printed);
  CHECK(std::abs(value / unit - printed) <= half);
}

}  // namespace

TEST_CASE("parameters are those that others printed, to the last", "[costs]") {
  const auto [id, printed, where] = GENERATE(table<const char*, double, const char*>({
      {"gpt2-small", 124'439'808, "models.json, from the paper"},
      {"llama-3.1-8b", 8'030'261'248, "models.json, derived from Grattafiori et al. 2024"},
      {"llama-3.1-70b", 70'553'706'496, "models.json"},
      {"llama-3.1-405b", 405'853'388'800, "models.json"},
      {"mistral-7b", 7'241'732'096, "general.parameter_count of its GGUF"},
      {"mixtral-8x7b", 46'702'792'704, "keras-hub, preset mixtral_8_7b"},
      {"qwen2.5-7b", 7'615'616'512, "general.parameter_count of its GGUF"},
      {"qwen2.5-0.5b", 494'032'768, "n_params of llama-bench"},
      {"qwen3-8b", 8'190'735'360, "n_params of llama-server"},
      {"qwen3-30b-a3b", 30'532'122'624, "general.parameter_count of its GGUF"},
      {"gemma-2-9b", 9'241'705'984, "keras-hub, preset gemma2_9b_en"},
      {"gemma-3-1b", 999'885'952, "keras-hub, preset gemma3_1b"},
      {"phi-2", 2'779'683'840, "safetensors total on Hugging Face"},
      {"phi-3-mini", 3'821'079'552, "keras-hub, preset phi3_mini_4k_instruct_en"},
      {"phi-4", 14'659'507'200, "general.parameter_count of its GGUF"},
      {"qwen1.5-moe-a2.7b", 14'315'784'192, "keras-hub, preset qwen1.5_moe_2.7b_en"},
      {"lfm2-1.2b", 1'170'340'608, "general.parameter_count of its GGUF"},
      {"mamba-2.8b", 2'768'345'600, "output of state-spaces/mamba 2.8b"},
      {"command-r7b", 8'028'033'024, "safetensors total on Hugging Face"},
      {"smollm3-3b", 3'075'098'624, "safetensors total on Hugging Face"},
      {"qwen3-32b", 32'762'123'264, "safetensors total on Hugging Face"},
      {"minimax-m2.7", 228'689'764'864, "safetensors total on Hugging Face"},
      {"olmo-3-32b", 32'233'522'176, "a count of Olmo-3.1-32B-Instruct's tensors"},
      {"qwen3-235b-a22b", 235'093'634'560, "its safetensors index: 470,187,269,120 B"},
      {"qwen3-next-80b", 79'674'391'296, "safetensors total of Qwen3-Coder-Next"},
  }));
  INFO(id << ", " << where);
  CHECK(parameters(network(id)).total() == printed);
}

TEST_CASE("parameters are those that others printed, rounded", "[costs]") {
  // Billions, and decimals as printed. Active counts include the embedding table where the source
  // does.
  struct Row {
    const char* id;
    double total;
    int decimals;
    double read;  // 0: not printed
    int read_decimals;
    bool with_embedding;
    const char* where;
  };
  const Row row = GENERATE(values<Row>({
      {"mixtral-8x7b", 46.7, 1, 12.9, 1, true, "mistral.ai/news/mixtral-of-experts"},
      {"codestral-mamba", 7.3, 1, 0, 0, false, "mistral.ai/news/codestral-mamba"},
      {"falcon-mamba-7b", 7.27, 2, 0, 0, false, "model card on Hugging Face"},
      {"starcoder2-7b", 7.2, 1, 0, 0, false, "arXiv 2402.19173"},
      {"llama4-maverick", 400, -1, 17, 0, true, "ai.meta.com/blog/llama-4"},
      {"deepseek-v3", 671, 0, 37, 0, false, "arXiv 2412.19437, abstract"},
      {"deepseek-v2-lite", 15.7, 1, 0, 0, false, "arXiv 2405.04434, appendix B"},
      {"gpt-oss-20b", 20.91, 2, 3.61, 2, false, "arXiv 2508.10925, table 1"},
      {"gpt-oss-120b", 116.83, 2, 5.13, 2, false, "arXiv 2508.10925, table 1"},
      {"qwen2.5-7b", 7.62, 2, 0, 0, false, "safetensors on Hugging Face; the card has 7.61"},
      {"qwen3-30b-a3b", 30.5, 1, 3.353032704, 9, true, "Transformers' count of its parameters"},
      {"qwen1.5-moe-a2.7b", 14.3, 1, 2.7, 1, true, "model card on Hugging Face"},
      {"phi-3.5-moe", 41.9, 1, 6.6, 1, true, "model card on Hugging Face"},
      {"gemma-2-9b", 9.24, 2, 0, 0, false, "arXiv 2408.00118, table 2: 918 and 8,324 million"},
      {"gemma-4-26b-a4b", 25.2, 1, 3.8, 1, false, "model card on Hugging Face"},
      {"kimi-k2", 1026, 0, 32, 0, false, "arXiv 2507.20534: 1.04 T with vocabulary, 32 B active"},
      {"nemotron-3-nano", 31.6, 1, 3.2, 1, false, "model card on Hugging Face"},
      {"bamba-9b", 9.78, 2, 0, 0, false, "huggingface.co/blog/bamba"},
      {"granite-4.0-h-small", 32, 0, 9, 0, false, "model card on Hugging Face"},
      {"jamba-v0.1", 52, 0, 12, 0, false, "arXiv 2403.19887, abstract"},
      {"falcon-h1-7b", 7.59, 2, 0, 0, false, "model card on Hugging Face"},
      {"nemotron-h-8b", 8.1, 1, 0, 0, false, "safetensors on Hugging Face"},
      {"qwen3-next-80b", 80, 0, 0, 0, false, "model card on Hugging Face"},
      {"olmo-2-7b", 7.3, 1, 0, 0, false, "safetensors on Hugging Face"},
      {"command-r7b", 8.03, 2, 0, 0, false, "safetensors on Hugging Face"},
      {"zamba2-2.7b", 2.7, 1, 0, 0, false, "model card on Hugging Face"},
      {"qwen3-235b-a22b", 235, 0, 22.190763520, 9, true, "a count of its tensors"},
      {"qwen3-coder-480b", 480, 0, 35, 0, true, "model card on Hugging Face"},
      {"mixtral-8x22b", 141, 0, 39, 0, true, "mistral.ai/news/mixtral-8x22b"},
      {"deepseek-v2", 236, 0, 21, 0, false, "arXiv 2405.04434, abstract"},
      {"nemotron-3-super", 120, -1, 12, 0, false, "its name, 120B-A12B"},
      {"minimax-m2.7", 230, -1, 10, 0, false, "model card on Hugging Face"},
      {"ernie-4.5-21b-a3b", 21.8, 1, 3, 0, false, "llm-memory-calculator, from its checkpoint"},
      {"gemma-4-31b", 30.70, 2, 0, 0, false, "ggml-org/llama.cpp#21760, model params"},
  }));
  INFO(row.id << ", " << row.where);
  const Network model = network(row.id);
  check(parameters(model).total(), row.total, 1e9, row.decimals);
  if (!(row.read > 0)) return;
  const double table = row.with_embedding && !model.tied ? model.embedding : 0;
  check(active(model) + table, row.read, 1e9, row.read_decimals);
}

TEST_CASE("parts of Gemma 3 27B are those of its report", "[costs]") {
  // arXiv 2503.19786, table 1, in millions: 1,416 of embeddings, 25,600 of the rest.
  const Parameters all = parameters(network("gemma-3-27b"));
  check((all.total() - all.embedding), 25'600, 1e6, 0);
  CHECK(std::abs(all.embedding / 1.416e9 - 1) < 0.01);
}

TEST_CASE("counts without embeddings are those that others printed", "[costs]") {
  const auto rest = [](const std::string& id) {
    const Parameters all = parameters(network(id));
    return all.total() - all.embedding - all.head;
  };
  check(rest("exaone-4.0-32b"), 30.95, 1e9, 2);  // its model card
  // arXiv 2508.06471, table 1: 355 B with one layer that predicts a further token, which is like
  // the last layer and has a projection of two vectors to one.
  const Layer& last = network("glm-4.7").layers.back();
  check(rest("glm-4.7") + last.attention + last.shared + last.router + last.experts * last.expert +
            2.0 * 5120 * 5120,
        355, 1e9, 0);
}

TEST_CASE("the keys of an indexer are as large as a server allocates", "[costs]") {
  // sgl-project/sglang#11309, DeepSeek V3.2: 1,462,784 tokens take 65.49 GiB with the indexer and
  // 54.52 without it.
  double per_token = 0;
  for (const Layer& layer : network("deepseek-v3.2").layers)
    per_token += layer.count * index_bytes(layer);
  CHECK(std::abs(per_token * 1'462'784 / gib - (65.49 - 54.52)) < 0.01);
  // GLM 5.2: 21 of 78 layers have an indexer.
  double indexers = 0;
  for (const Layer& layer : network("glm-5.2").layers)
    if (layer.index_width > 0) indexers += layer.count;
  CHECK(indexers == 21);
}

TEST_CASE("sparse attention reads the tokens that it chose, and all keys of the indexer",
          "[costs]") {
  const Network model = network("deepseek-v3.2");
  const Precision bits = same_precision(16, 16);
  const double step = decode_step(model, bits, 1, 131'072).bytes;
  const double more = decode_step(model, bits, 1, 131'073).bytes - step;
  CHECK(std::abs(more - 61 * 132) < 1e-3);
  // Up to 2,048 tokens, a step reads all of them.
  const double less = decode_step(model, bits, 1, 2000).bytes;
  CHECK(std::abs(decode_step(model, bits, 1, 2001).bytes - less - 61 * (2 * 576 + 132)) < 1e-3);
  const double flops = decode_flops(model, 131'073) - decode_flops(model, 131'072);
  CHECK(flops == 61 * 2 * 64 * 128);
}

TEST_CASE("a decode step reads and writes recurrent states", "[costs]") {
  const Network model = network("falcon-mamba-7b");
  const Precision bits = same_precision(16, 16);
  const double state = 64 * 2 * (8192 * 16 + 8192 * 3.0);
  const double one = decode_step(model, bits, 1, 100).bytes;
  CHECK(decode_step(model, bits, 2, 100).bytes - one == 2 * state + 2 * 4096);
}

TEST_CASE("caches are those that others printed", "[costs]") {
  struct Row {
    const char* id;
    double tokens, sequences, printed, unit;
    int decimals;
    const char* where;
  };
  const Row row = GENERATE(values<Row>({
      {"gemma-3-27b", 131'072, 1, 10.41, gib, 2, "unslothai/unsloth#4757"},
      {"qwen3.5-27b", 262'144, 1, 16.00, gib, 2, "unslothai/unsloth#4757"},
      {"deepseek-v3", 163'840, 1, 10.72, gib, 2, "unslothai/unsloth#4757, DeepSeek-V3.1"},
      {"kimi-k2", 262'144, 1, 17.16, gib, 2, "unslothai/unsloth#4757, Kimi-K2.5"},
      {"qwen3-0.6b", 40'960, 1, 4.38, gib, 2, "unslothai/unsloth#4757"},
      {"gemma-3-1b", 32'768, 1, 139, mib, 0, "lablup/mlxcel#172"},
      {"gpt-oss-20b", 8'192, 32, 6.09, gib, 2, "alvarobartt/hf-mem#70"},
      {"gpt-oss-120b", 1, 1, 73'728, 1, 0, "alvarobartt/hf-mem#60"},
      {"qwen3.5-27b", 262'144, 1, 16'384, mib, 0, "lmstudio-bug-tracker#1862, Qwen3.6-27B"},
      {"qwen3.6-35b-a3b", 64, 1, 1.25, mib, 2, "jundot/omlx#2725"},
      {"qwen3-8b", 32'768, 1, 4.5, gib, 1, "Osmantic/ODS#3375"},
      {"qwen3-8b", 262'144, 1, 36, gib, 0, "Osmantic/ODS#3375"},
      {"llama-3.1-8b", 128'000, 1, 15.62, gib, 2, "huggingface/blog#2345, cut to two decimals"},
      {"llama-3.1-70b", 128'000, 1, 39.06, gib, 2, "huggingface/blog#2345"},
      {"nemotron-h-8b", 1, 1, 16'384, 1, 0, "a report on its four attention layers"},
  }));
  INFO(row.id << ", " << row.where);
  const Cache one = cache(network(row.id), row.tokens, 16);
  check((one.attention + one.windowed) * row.sequences, row.printed, row.unit, row.decimals);
}

TEST_CASE("recurrent states are those that llama.cpp allocates", "[costs]") {
  // lmstudio-bug-tracker#1862: 598.50 MiB for four sequences. It stores the inputs of convolutions
  // in 32 bits, which this library counts in 16.
  const double state = cache(network("qwen3.5-27b"), 1000, 16).state;
  CHECK(std::abs(4 * state / mib / 598.50 - 1) < 0.02);
}

TEST_CASE("checkpoints of gpt-oss are as large as its model card says", "[costs]") {
  // arXiv 2508.10925, table 1: 60.8 and 12.8 GiB.
  for (const auto& [id, printed] :
       {std::pair{"gpt-oss-120b", 60.8}, std::pair{"gpt-oss-20b", 12.8}}) {
    const Network model = network(id);
    CHECK(std::abs(weight_bytes(model, stored_precision(model, 16)) / gib / printed - 1) < 0.01);
  }
}

TEST_CASE("each part of a checkpoint has its own bits", "[costs]") {
  const auto stored = [](const std::string& quantization, const char* key = "quantization_config") {
    const Reading reading = read_config(
        R"({"model_type": "qwen3", "hidden_size": 4096, "intermediate_size": 12288,
        "num_hidden_layers": 4, "num_attention_heads": 32, "num_key_value_heads": 8,
        "vocab_size": 151936, ")" +
        std::string(key) + "\": " + quantization + "}");
    REQUIRE(!reading.problem);
    const Precision& bits = reading.network.stored;
    return std::vector{bits.attention, bits.mlp, bits.expert, bits.head, bits.other};
  };
  using Bits = std::vector<double>;
  // nvidia/Gemma-4-31B-IT-NVFP4, of which only the MLPs have 4 bits.
  const std::string nvfp4 = R"("quant_method": "modelopt", "quant_algo": "NVFP4", "config_groups":
      {"group_0": {"weights": {"num_bits": 4, "type": "float", "group_size": 16},
      "targets": ["Linear"]}})";
  CHECK(stored("{" + nvfp4 + R"(, "ignore": ["model.layers.0.self_attn*", "lm_head",
      "model.layers.1.self_attn*", "model.layers.2.self_attn*"]})") == Bits{16, 4.5, 4.5, 16, 16});
  // A layer that stays in 16 bits is not a part.
  CHECK(stored("{" + nvfp4 +
               R"(, "ignore": ["model.layers.0.self_attn*", "model.layers.0.mlp*"]})") ==
        Bits{4.5, 4.5, 4.5, 16, 16});
  // moonshotai/Kimi-K2.5
  CHECK(network("kimi-k2.5").stored.expert == 4.5);
  CHECK(network("kimi-k2.5").stored.mlp == 16);
  CHECK(network("kimi-k2.5").stored.attention == 16);
  // nvidia/Qwen3.6-27B-NVFP4: two groups, with modules by name.
  CHECK(stored(R"({"config_groups": {
      "group_0": {"weights": {"num_bits": 8, "type": "float"}, "targets":
        ["model.layers.0.self_attn.q_proj", "model.layers.0.linear_attn.out_proj",
         "model.layers.1.linear_attn.out_proj", "model.layers.3.self_attn.o_proj"]},
      "group_1": {"weights": {"num_bits": 4, "type": "float", "group_size": 16}, "targets":
        ["lm_head", "model.layers.0.mlp.down_proj", "model.layers.0.mlp.up_proj",
         "model.layers.1.mlp.down_proj"]}}})") == Bits{8, 4.5, 16, 4.5, 16});
  // zai-org/GLM-5-FP8 lists norms, routers and a small projection of the indexer.
  CHECK(stored(R"({"quant_method": "fp8", "modules_to_not_convert": ["lm_head",
      "model.layers.0.self_attn.indexers_proj", "model.layers.1.self_attn.indexers_proj",
      "model.layers.2.mlp.gate", "model.layers.3.mlp.gate", "visual.blocks.0.mlp",
      "visual.blocks.1.mlp", "visual.blocks.0.attn", "visual.blocks.1.attn",
      "model.layers.0.self_attn.kv_a_layernorm", "model.layers.1.self_attn.kv_a_layernorm"]})") ==
        Bits{8, 8, 8, 16, 16});
  // GPTQ and AWQ: a 16-bit scale and a 4-bit zero per 128 weights.
  CHECK(stored(R"({"quant_method": "awq", "bits": 4, "group_size": 128})")[0] == 4.15625);
  // QLoRA, arXiv 2305.14314: 0.5 bits per weight for scales, 0.127 with double quantization.
  CHECK(stored(R"({"quant_method": "bitsandbytes", "load_in_4bit": true})")[0] == 4.5);
  CHECK(std::abs(stored(R"({"load_in_4bit": true, "bnb_4bit_use_double_quant": true})")[0] -
                 4.127) < 5e-4);
  // MLX quantizes the embedding table, too.
  CHECK(stored(R"({"group_size": 64, "bits": 4})", "quantization") ==
        Bits{4.5, 4.5, 4.5, 4.5, 4.5});
}

TEST_CASE("activations of GPT-3 are those of Korthikanti et al.", "[costs]") {
  // arXiv 2205.05198, equation 2, without scores and dropout masks: a layer stores 34 s b h bytes,
  // of which 2 s b h are masks of dropout and 2 x s b h ones of the MLP. Here the norms' outputs,
  // queries, keys, values, the output of attention and the MLP: 2 (2 + 4 + 2 + 2 x 4) s b h.
  const Reading gpt3 = read_config(R"({"model_type": "gpt2", "n_embd": 12288, "n_layer": 96,
    "n_head": 96, "n_positions": 2048, "vocab_size": 51200})");
  REQUIRE(!gpt3.problem);
  const Layer& layer = gpt3.network.layers.front();
  CHECK(layer_activation_bytes(layer, 12'288) == 32 * 12'288.0);
  CHECK(std::abs(parameters(gpt3.network).total() / 174.6e9 - 1) < 0.01);
}

TEST_CASE("the FLOPs of a step of Llama 3.1 405B are those of its report", "[costs]") {
  // Grattafiori et al. 2024: 3.8e25 FLOPs for 15.6 T tokens, with 6 FLOPs per parameter and token.
  const Network model = network("llama-3.1-405b");
  const double per_token = training_flops(model, 8192, false) / 8192;
  CHECK(std::abs(per_token * 15.6e12 / 3.8e25 - 1) < 0.05);
}

TEST_CASE("a batch touches as many experts as a simulation", "[costs]") {
  std::uint32_t seed = 1;
  const auto random = [&] { return (seed = seed * 1664525 + 1013904223) >> 8; };
  for (const auto& [experts, chosen, batch] :
       {std::tuple{8, 2, 4}, std::tuple{64, 6, 16}, std::tuple{256, 8, 64}}) {
    double touched = 0;
    constexpr int rounds = 400;
    for (int round = 0; round < rounds; ++round) {
      std::vector<bool> seen(static_cast<std::size_t>(experts));
      for (int token = 0; token < batch; ++token) {
        std::vector<bool> own(seen.size());
        for (int k = 0; k < chosen;) {
          const auto pick = random() % static_cast<std::uint32_t>(experts);
          if (!own[pick]) own[pick] = seen[pick] = true, ++k;
        }
      }
      touched += static_cast<double>(std::count(seen.begin(), seen.end(), true)) / rounds;
    }
    CHECK(std::abs(experts_touched(experts, chosen, batch) / touched - 1) < 0.02);
  }
  CHECK(experts_touched(8, 8, 1) == 8);
  CHECK(experts_touched(0, 0, 1) == 0);
}

TEST_CASE("a decode step of Llama 3.1 70B agrees with chapter 5", "[costs]") {
  const Network model = network("llama-3.1-70b");
  const Work step = decode_step(model, same_precision(16, 16), 1, 8192);
  const double read = 69'503'033'344 * 2.0 + 327'680 * 8193.0;
  CHECK(std::abs(step.bytes / read - 1) < 1e-6);
  // 2 FLOPs per weight, without norms, and attention.
  CHECK(std::abs(step.flops / (2 * 69.5e9 + 4.0 * 80 * 8192 * 8192) - 1) < 1e-3);
}

TEST_CASE("a training step of GPT-2 small moves what a count by hand says", "[costs]") {
  const Network model = network("gpt2-small");
  // Two passes read 2 B per weight and the update writes them, the gradient of 2 B is written and
  // read, and so are the 12 B of Adam: 6 + 4 + 24 B. Activations are written and read once.
  const double weights = 124'439'808 * 34.0;
  const Work step = training_step(model, 4, 1024, false, 2);
  CHECK(step.bytes == weights + 2 * activation_bytes(model, 4096, false));
  CHECK(step.flops == 4 * training_flops(model, 1024, false));
  CHECK(training_traffic(true, 4) == 8 + 8 + 24);
}

TEST_CASE("the points of the roofline agree with the times of the bill", "[costs]") {
  const Network model = network("llama-3.1-70b");
  const Machine machines[] = {{plain("H100 \"x\\"), 989e12, 3.35e12, 80 * gib, 0, ""},
                              {plain("One core"), 60e9, 25e9, 0, 1, "core"}};
  Settings settings;
  const Section points = roofline_section(model, settings, machines[0]);
  REQUIRE(points.lines.size() == 3);
  const auto value = [&](std::size_t i, std::string_view key) {
    for (const auto& [name, text] : points.lines[i].value.values)
      if (name == key) return text;
    return std::string();
  };
  const Work step = decode_step(model, stored_precision(model, 16), 1, 8192);
  CHECK(std::abs(std::stod(value(0, "n")) / (step.flops / step.bytes) - 1) < 0.005);
  CHECK(value(0, "time") == time_text(step.bytes / (2 * 3.35e12)));
  CHECK(value(0, "chips") == "2");
  // Training needs more chips than inference, and the bill of training says as many.
  settings.is_training = true;
  CHECK(value(2, "chips") ==
        std::to_string(std::lround(chips_needed(model, settings, machines[0].memory))));
  const auto sections = bill(model, settings, machines);
  const auto time = std::ranges::find(sections, "{n} × {chip}",
                                      [](const Section& one) { return one.title.text; });
  REQUIRE(time != sections.end());
  CHECK(time->lines[0].value.values[0].second == value(2, "time"));
  const auto spec = nlohmann::json::parse(roofline_spec(model, settings, machines));
  CHECK(spec.at("machines").at(0).at("label") == "H100 x");
  CHECK(spec.at("machines").at(1).at("label") == "core");
  const Grid times = floors(model, settings, machines);
  REQUIRE(times.rows.size() == 2);
  CHECK(times.rows[1][1].values[0].second == time_text(step.bytes / 25e9));
}

TEST_CASE("every bill sums up, for every preset and setting", "[costs]") {
  const auto presets = nlohmann::json::parse(support::read_source("chapters/facts/configs.json"));
  const Machine machine{{"{text}", {{"text", "H100"}}}, 989e12, 3.35e12, 80 * gib, 0};
  for (const auto& [id, preset] : presets.items()) {
    INFO(id);
    const Network model = network(id);
    for (const bool training : {false, true})
      for (const double batch : {1.0, 64.0}) {
        Settings settings;
        settings.is_training = training;
        settings.batch = batch;
        settings.recomputes = batch > 1;
        double shares = 0, lines = 0;
        for (const Section& section : bill(model, settings, {&machine, 1})) {
          double sum = 0;
          for (const Line& line : section.lines) {
            CHECK(!line.steps.empty());
            sum += line.share, ++lines;
          }
          CHECK((sum == 0 || std::abs(sum - 1) < 1e-9));
          shares += sum;
        }
        CHECK((lines >= 12 && shares > 1.9));
        const double chips = chips_needed(model, settings, machine.memory);
        CHECK(chips * settings.usable * machine.memory >= memory_bytes(model, settings));
        CHECK((chips - 1) * settings.usable * machine.memory < memory_bytes(model, settings));
      }
  }
}
