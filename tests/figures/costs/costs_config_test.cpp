// Configurations that are malformed, unknown or hostile.
#include <cmath>
#include <random>

#include "figures/costs/config.hpp"
#include "figures/costs/counts.hpp"
#include "support.hpp"

namespace {

using namespace figures::costs;

std::string filled(const Sentence& sentence) {
  std::string out(sentence.text);
  for (const auto& [key, value] : sentence.values) {
    const std::string mark = "{" + std::string(key) + "}";
    for (std::size_t at = out.find(mark); at != out.npos; at = out.find(mark, at + value.size()))
      out.replace(at, mark.size(), value);
  }
  return out;
}
std::string problem_of(const std::string& text) {
  const Reading reading = read_config(text);
  return reading.problem ? filled(*reading.problem) : "";
}
std::string notes_of(const std::string& text) {
  std::string out;
  for (const Sentence& note : read_config(text).network.notes) out += filled(note) + '\n';
  return out;
}

const std::string llama = R"({"model_type": "llama", "hidden_size": 4096,
  "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
  "num_key_value_heads": 8, "vocab_size": 128256})";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a broken configuration is explained", "[costs]") {
  CHECK(problem_of(llama).empty());
  CHECK(problem_of("{") == "This is not JSON");
  CHECK(problem_of("[1]") == "This is no JSON object");
  CHECK(problem_of("{}") == "This is no JSON object");
  CHECK(problem_of(std::string(1'000'001, ' ')) == "The text is longer than 1 MB");
  CHECK(problem_of(with(llama, "\"vocab_size\": 128256", "\"a\": 1")) == "“vocab_size” is missing");
  CHECK(problem_of(with(llama, "hidden_size", "hiden_size")) ==
        "“hidden_size” is missing; “hiden_size” (line 1) is not a known key");
  CHECK(problem_of(with(llama, "\"num_hidden_layers\": 32", "\"num_hidden_layers\": 1e9")) ==
        "“num_hidden_layers” (line 2) is 1000000000, but must be a whole number from 0 to 1000");
  CHECK(problem_of(with(llama, "\"hidden_size\": 4096", "\"hidden_size\": -1")) ==
        "“hidden_size” (line 1) is -1, but must be a whole number from 0 to 1000000");
  CHECK(problem_of(with(llama, "14336", "\"wide\"")) ==
        "“intermediate_size” (line 2) is \"wide\", but must be a whole number from 0 to 100000000");
  CHECK(problem_of(with(llama, "\"hidden_size\": 4096", "\"hidden_size\": 0")) ==
        "“hidden_size” (line 1) must be at least 1");
  CHECK(problem_of(with(llama, "\"num_key_value_heads\": 8", "\"num_key_value_heads\": 64")) ==
        "There are more key-value heads (64) than attention heads (32)");
  CHECK(problem_of(with(llama, "\"llama\"", "7")) == "“model_type” (line 1) must be a text");
  CHECK(problem_of(with(llama, "{", R"({"layer_types": ["full_attention", "rwkv"], )")) ==
        "layer_types has “rwkv”, which is not a known kind of layer");
  CHECK(problem_of(with(llama, "{", R"({"layer_types": ["full_attention"], )")) ==
        "“layer_types” has 1 entries, but the model has 32 layers");
  CHECK(problem_of(with(llama, "{", R"({"num_local_experts": 8, "num_experts_per_tok": 9, )")) ==
        "A token uses 9 experts, but there are only 8");
  for (const std::string key :
       {R"("linear_attn_config": {"a": 1})", R"("is_encoder_decoder": true)", R"("use_cla": true)",
        R"("cross_attention_layers": [3, 8])", R"("type_vocab_size": 2)",
        R"("block_types": ["recurrent", "attention"])",
        R"("num_key_value_heads_per_layer": [4, 1])"})
    CHECK(problem_of(with(llama, "{", "{" + key + ", ")) ==
          "“" + key.substr(1, key.find('"', 1) - 1) +
              "” (line 1) describes layers that this page cannot count yet");
  CHECK(problem_of(with(llama, "{", R"({"is_encoder_decoder": false, "use_cla": 0, )")).empty());
  CHECK(problem_of(with(llama, "14336", "[14336, 8192]")) ==
        "“intermediate_size” (line 2) differs between layers, which this page cannot count yet");
  CHECK(problem_of(with(llama, "14336", "[14336, 14336]")).empty());
}

TEST_CASE("what a reader must know is a note", "[costs]") {
  CHECK(notes_of(llama).empty());
  CHECK(notes_of(with(llama, "\"llama\"", "\"qwen33\"")) ==
        "The model_type “qwen33” is unknown, “qwen3” is known. Its keys are read like those of "
        "Llama.\n");
  CHECK(notes_of(with(llama, "\"llama\"", "\"zzz\"")) ==
        "The model_type “zzz” is unknown. Its keys are read like those of Llama.\n");
  CHECK(notes_of(with(llama, "{", "{\"num_local_expert\": 8, ")) ==
        "“num_local_expert” (line 1) is not a known key and is ignored. The nearest known key is "
        "“num_local_experts”.\n");
}

TEST_CASE("Python's Infinity is accepted outside of strings", "[costs]") {
  CHECK(problem_of(with(llama, "{", R"({"time_step_limit": [0.0, Infinity, -Infinity, NaN], )"))
            .empty());
  CHECK(problem_of(with(llama, "{", R"({"a": "an \" Infinity", )")).empty());
  CHECK(problem_of(with(llama, "{", R"({"a": Infinitys, )")) == "This is not JSON");
}

TEST_CASE("other formats of configurations are read", "[costs]") {
  const double total = parameters(read_config(llama).network).total();
  for (const std::string text :
       {R"({"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "hidden_dim": 14336,
            "vocab_size": 128256})",
        R"({"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 128256,
            "ffn_dim_multiplier": 1.3, "multiple_of": 1024})",
        R"({"layers": 32, "width": 4096, "heads": 32, "kv_heads": 8, "head_width": 128,
            "mlp_width": 14336, "vocabulary": 128256})"}) {
    INFO(text);
    CHECK(parameters(read_config(text).network).total() == total);
  }
  const Reading mistral = read_config(R"({"dim": 4096, "n_layers": 32, "head_dim": 128,
    "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 32000,
    "moe": {"num_experts_per_tok": 2, "num_experts": 8}})");
  CHECK(parameters(mistral.network).total() == 46'702'792'704);
  // THUDM/glm-4-9b-chat, and its number of parameters as chatllm.cpp prints it
  const Reading glm = read_config(R"({"add_bias_linear": false, "add_qkv_bias": true,
    "ffn_hidden_size": 13696, "hidden_size": 4096, "kv_channels": 128, "model_type": "chatglm",
    "multi_query_attention": true, "multi_query_group_num": 2, "num_attention_heads": 32,
    "num_layers": 40, "padded_vocab_size": 151552, "seq_length": 131072,
    "tie_word_embeddings": false})");
  CHECK(parameters(glm.network).total() == 9'399'951'360);
  CHECK(glm.network.notes.empty());
}

TEST_CASE("a list says which layers have experts", "[costs]") {
  const std::string experts = with(llama, "{", R"({"num_local_experts": 8, "num_experts_per_tok": 2,
    "moe_intermediate_size": 1024, "dense_intermediate_size": 8192, )");
  const auto layers_with_experts = [&](const std::string& members) {
    const Reading reading = read_config(with(experts, "{", "{" + members));
    REQUIRE(!reading.problem);
    double count = 0;
    for (const Layer& layer : reading.network.layers) {
      if (layer.experts > 0) count += layer.count;
      else CHECK(layer.dense == 3.0 * 4096 * 8192);
    }
    return count;
  };
  CHECK(layers_with_experts("") == 32);
  CHECK(layers_with_experts(R"("moe_layer_freq": [0, 0, 0, 1], )") == 29);
  CHECK(layers_with_experts(R"("mlp_layer_types": ["dense", "sparse", "dense"], )") == 30);
}

// Fuzzing with a fixed seed: every text gets an answer, and all numbers in it are finite.
TEST_CASE("no text breaks the reader of configurations", "[costs]") {
  std::vector<std::string> texts = {llama};
  const auto presets = nlohmann::json::parse(support::read_source("chapters/facts/configs.json"));
  const auto others =
      nlohmann::json::parse(support::read_source("tests/fixtures/model_configs.json"));
  for (const auto& preset : presets) texts.push_back(preset.at("config").dump());
  for (const auto& config : others) texts.push_back(config.dump());
  const std::string parts[] = {"null",     "-1",      "1e308", "0",        "[]",
                               "{}",       "\"\"",    "true",  "[0,1]",    "1.5",
                               "99999999", "\\u0000", "[[[[",  "Infinity", "\"x\""};
  std::mt19937 random(7);
  int read = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = texts[random() % texts.size()];
    for (unsigned edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t colon = text.find(':', random() % text.size());
      if (colon == text.npos) continue;
      const std::size_t end = text.find_first_of(",}]", colon);
      if (random() % 4 == 0) text.erase(random() % text.size(), 1 + random() % 8);
      else
        text.replace(colon + 1, (end == text.npos ? text.size() : end) - colon - 1,
                     parts[random() % std::size(parts)]);
      if (text.empty()) text = "{";
    }
    const Reading reading = read_config(text);
    if (reading.problem) continue;
    ++read;
    INFO(text);
    const double total = parameters(reading.network).total();
    REQUIRE((std::isfinite(total) && total >= 0));
    const Work step = decode_step(reading.network, same_precision(16, 16), 4, 1e6);
    REQUIRE((std::isfinite(step.bytes) && std::isfinite(step.flops)));
    REQUIRE(std::isfinite(activation_bytes(reading.network, 1e6, false)));
  }
  CHECK(read > 1000);
}
