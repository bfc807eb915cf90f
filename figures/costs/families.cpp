#include "figures/costs/families.hpp"

#include "figures/base/nearest.hpp"

namespace figures::costs {
namespace {

constexpr unsigned biased = qkv_bias | out_bias | mlp_bias | ungated | norm_bias;

constexpr Family families[] = {
    {"apertus", ungated | head_norms},
    {"arcee", ungated},
    {"bamba", 0},
    {"bloom", tied | biased},
    {"chatglm", 0},
    {"codegen", tied | mlp_bias | ungated | norm_bias | one_norm | head_bias},
    {"cohere", tied | one_norm},
    {"cohere2", tied | one_norm, 4},
    {"dbrx", 0},
    {"deepseek_v2", 0},
    {"deepseek_v3", 0},
    {"deepseek_v32", 0},
    {"dots1", head_norms},
    {"ernie4_5", tied},
    {"ernie4_5_moe", tied},
    {"exaone", 0},
    {"exaone4", head_norms, 4},
    {"falcon", tied | ungated | norm_bias},
    {"falcon_h1", 0},
    {"falcon_mamba", one_norm},
    {"gemma", tied, 0,
     "vocab_size=256000 hidden_size=3072 intermediate_size=24576 num_hidden_layers=28 "
     "num_attention_heads=16 num_key_value_heads=16 head_dim=256"},
    {"gemma2", tied | four_norms, 2,
     "vocab_size=256000 hidden_size=2304 intermediate_size=9216 num_hidden_layers=26 "
     "num_attention_heads=8 num_key_value_heads=4 head_dim=256 sliding_window=4096"},
    {"gemma3", tied | four_norms | head_norms, 6,
     "vocab_size=262208 hidden_size=2304 intermediate_size=9216 num_hidden_layers=26 "
     "num_attention_heads=8 num_key_value_heads=4 head_dim=256 sliding_window=4096 "
     "max_position_embeddings=131072"},
    {"gemma3_text", tied | four_norms | head_norms, 6,
     "vocab_size=262208 hidden_size=2304 intermediate_size=9216 num_hidden_layers=26 "
     "num_attention_heads=8 num_key_value_heads=4 head_dim=256 sliding_window=4096 "
     "max_position_embeddings=131072"},
    {"gemma4", tied | four_norms | head_norms, 6},
    {"gemma4_text", tied | four_norms | head_norms, 6},
    {"glm", qkv_bias},
    {"glm4", qkv_bias | four_norms},
    {"glm4_moe", 0},
    {"glm4_moe_lite", 0},
    {"glm_moe_dsa", 0},
    {"gpt2", tied | biased | positions, 0,
     "vocab_size=50257 n_embd=768 n_layer=12 n_head=12 n_positions=1024"},
    {"gpt_bigcode", tied | biased | positions},
    {"gpt_neox", biased},
    {"gpt_oss", qkv_bias | out_bias | sinks, 2,
     "vocab_size=201088 hidden_size=2880 intermediate_size=2880 num_hidden_layers=36 "
     "num_attention_heads=64 num_key_value_heads=8 head_dim=64 sliding_window=128 "
     "num_local_experts=128 num_experts_per_tok=4"},
    {"gptj", mlp_bias | ungated | norm_bias | one_norm | head_bias},
    {"granite", 0},
    {"granitemoe", 0},
    {"granitemoehybrid", 0},
    {"granitemoeshared", 0},
    {"helium", 0},
    {"hunyuan_v1_dense", head_norms},
    {"hunyuan_v1_moe", head_norms},
    {"internlm2", 0},
    {"internlm3", 0},
    {"jamba", 0},
    {"kimi_k2", 0},
    {"lfm2", tied | head_norms},
    {"lfm2_moe", tied | head_norms},
    {"llama", 0},
    {"llama4_text", 0},
    {"mamba", tied | one_norm},
    {"mamba2", one_norm},
    {"mimo", 0},
    {"minicpm", tied},
    {"minimax_m2", wide_norms},
    {"ministral", window_all},
    {"ministral3", no_window},
    {"mistral", window_all, 0,
     "vocab_size=32000 hidden_size=4096 intermediate_size=14336 num_hidden_layers=32 "
     "num_attention_heads=32 num_key_value_heads=8"},
    {"mistral3", no_window},
    {"mixtral", window_all, 0,
     "vocab_size=32000 hidden_size=4096 intermediate_size=14336 num_hidden_layers=32 "
     "num_attention_heads=32 num_key_value_heads=8 num_local_experts=8 num_experts_per_tok=2"},
    {"mpt", tied | ungated},
    {"nemotron", ungated | norm_bias},
    {"nemotron_h", one_norm | ungated},
    {"olmo", no_norm_weights},
    {"olmo2", wide_norms},
    {"olmo3", wide_norms, 4},
    {"olmoe", wide_norms},
    {"opt", tied | biased | positions},
    {"persimmon", biased | head_norms},
    {"phi", biased | one_norm | head_bias},
    {"phi3", window_all},
    {"phimoe", qkv_bias | out_bias | norm_bias | head_bias | window_all},
    {"qwen2", qkv_bias | window_flag},
    {"qwen2_5_vl", qkv_bias | window_flag},
    {"qwen2_5_vl_text", qkv_bias | window_flag},
    {"qwen2_moe", qkv_bias | window_flag},
    {"qwen2_vl", qkv_bias | window_flag},
    {"qwen3", head_norms | window_flag, 0, "head_dim=128"},
    {"qwen3_5", head_norms | query_gate, 0, "full_attention_interval=4 head_dim=256"},
    {"qwen3_5_moe", head_norms | query_gate, 0, "full_attention_interval=4 head_dim=256"},
    {"qwen3_5_moe_text", head_norms | query_gate, 0, "full_attention_interval=4 head_dim=256"},
    {"qwen3_5_text", head_norms | query_gate, 0, "full_attention_interval=4 head_dim=256"},
    {"qwen3_moe", head_norms | window_flag, 0, "head_dim=128"},
    {"qwen3_next", head_norms | query_gate, 0, "full_attention_interval=4 head_dim=256"},
    {"qwen3_vl_moe_text", head_norms, 0, "head_dim=128"},
    {"qwen3_vl_text", head_norms, 0, "head_dim=128"},
    {"seed_oss", qkv_bias},
    {"smollm3", tied | window_flag},
    {"stablelm", norm_bias},
    {"starcoder2", tied | biased | window_all},
    {"zamba2", tied},
};

}  // namespace

const Family* family_of(std::string_view type) {
  for (const Family& family : families)
    if (family.type == type) return &family;
  return nullptr;
}

std::string_view nearest_family(std::string_view type) {
  std::string_view best;
  int distance = type.size() > 6 ? 3 : 2;  // farther than the nearest that is worth naming
  for (const Family& family : families)
    if (const int here = edit_distance(type, family.type, distance); here < distance)
      distance = here, best = family.type;
  return best;
}

}  // namespace figures::costs
