#include "figures/costs/config_keys.hpp"

#include <algorithm>

#include "figures/base/decimal_text.hpp"
#include "figures/base/nearest.hpp"

namespace figures::costs {
namespace {

using nlohmann::json;

constexpr std::size_t most_entries = 2000;

// Where multimodal configurations keep their language model.
constexpr std::string_view nests[] = {"text_config", "language_config", "llm_config",
                                      "thinker_config"};

constexpr std::string_view all_keys[] = {"active_parameters",
                                         "add_qkv_bias",
                                         "architectures",
                                         "attention_bias",
                                         "attention_chunk_size",
                                         "attention_dropout",
                                         "attention_head_dim",
                                         "attention_hidden_size",
                                         "attn_layer_indices",
                                         "attn_layer_offset",
                                         "attn_layer_period",
                                         "conv_L_cache",
                                         "conv_bias",
                                         "conv_dim",
                                         "conv_kernel",
                                         "d_ff",
                                         "d_inner",
                                         "d_kv",
                                         "d_model",
                                         "d_state",
                                         "decoder_sparse_step",
                                         "dense_intermediate_size",
                                         "dim",
                                         "expand",
                                         "expansion_ratio",
                                         "expert_layer_offset",
                                         "expert_layer_period",
                                         "ffn_dim",
                                         "ffn_hidden_size",
                                         "first_k_dense_replace",
                                         "full_attention_interval",
                                         "head_dim",
                                         "head_width",
                                         "heads",
                                         "hidden_act",
                                         "hidden_dim",
                                         "hidden_dim_ff",
                                         "hidden_size",
                                         "hybrid_layer_ids",
                                         "hybrid_override_pattern",
                                         "index_head_dim",
                                         "index_n_heads",
                                         "index_topk",
                                         "interleave_moe_layer_step",
                                         "intermediate_size",
                                         "intermediate_size_mlp",
                                         "kv_heads",
                                         "kv_lora_rank",
                                         "layer_types",
                                         "layers",
                                         "layers_block_type",
                                         "linear_conv_kernel_dim",
                                         "linear_key_head_dim",
                                         "linear_num_key_heads",
                                         "linear_num_value_heads",
                                         "linear_value_head_dim",
                                         "lm_head_bias",
                                         "mamba_conv_bias",
                                         "mamba_d_conv",
                                         "mamba_d_head",
                                         "mamba_d_ssm",
                                         "mamba_d_state",
                                         "mamba_dt_rank",
                                         "mamba_expand",
                                         "mamba_head_dim",
                                         "mamba_headdim",
                                         "mamba_n_groups",
                                         "mamba_n_heads",
                                         "mamba_ngroups",
                                         "mamba_num_heads",
                                         "mamba_proj_bias",
                                         "max_position_embeddings",
                                         "max_seq_len",
                                         "max_window_layers",
                                         "mlp_bias",
                                         "mlp_only_layers",
                                         "mlp_width",
                                         "model_type",
                                         "moe_intermediate_size",
                                         "moe_k",
                                         "moe_latent_size",
                                         "moe_layer_freq",
                                         "moe_layer_interval",
                                         "moe_layer_start_index",
                                         "moe_num_experts",
                                         "moe_num_shared_experts",
                                         "moe_shared_expert_intermediate_size",
                                         "moe_top_k",
                                         "moe_topk",
                                         "multi_query",
                                         "n_embd",
                                         "n_group",
                                         "n_groups",
                                         "n_head",
                                         "n_heads",
                                         "n_inner",
                                         "n_kv_heads",
                                         "n_layer",
                                         "n_layers",
                                         "n_mamba_heads",
                                         "n_positions",
                                         "n_routed_experts",
                                         "n_shared_experts",
                                         "n_vocab",
                                         "num_attention_heads",
                                         "num_experts",
                                         "num_experts_per_tok",
                                         "num_experts_per_token",
                                         "num_heads",
                                         "num_hidden_layers",
                                         "num_key_value_heads",
                                         "num_kv_heads",
                                         "num_layers",
                                         "num_local_experts",
                                         "num_mem_blocks",
                                         "num_nextn_predict_layers",
                                         "num_query_heads",
                                         "num_shared_expert",
                                         "num_shared_experts",
                                         "padded_vocab_size",
                                         "parallel_attn",
                                         "parameters",
                                         "q_lora_rank",
                                         "qk_head_dim",
                                         "qk_layernorm",
                                         "qk_nope_head_dim",
                                         "qk_rope_head_dim",
                                         "qkv_bias",
                                         "shared_expert_gate",
                                         "shared_expert_intermediate_size",
                                         "shared_intermediate_size",
                                         "sliding_window",
                                         "sliding_window_pattern",
                                         "sliding_window_size",
                                         "ssm_state_size",
                                         "state_size",
                                         "tie_word_embeddings",
                                         "time_step_rank",
                                         "topk_group",
                                         "use_bias",
                                         "use_qk_norm",
                                         "use_qkv_bias",
                                         "use_sliding_window",
                                         "v_head_dim",
                                         "vocab_size",
                                         "vocabulary",
                                         "width",
                                         "window_size"};

bool is_whole(double value) {
  return value > -1e18 && value < 1e18 &&
         value == static_cast<double>(static_cast<long long>(value));
}

}  // namespace

std::span<const std::string_view> known_keys() { return all_keys; }

std::string_view meant_by(std::string_view key) {
  if (key.size() < 6 || std::ranges::find(all_keys, key) != std::end(all_keys)) return {};
  std::string_view best;
  int limit = key.size() >= 12 ? 3 : 2;
  for (const std::string_view known : all_keys)
    if (const int distance = edit_distance(key, known, limit); distance < limit)
      limit = distance, best = known;
  return best;
}

int line_of(std::string_view text, std::string_view key) {
  const std::size_t at = text.find('"' + std::string(key) + '"');
  if (at == text.npos) return 0;
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'));
}

Keys::Keys(const json& outer, std::string_view text) : outer_(outer), inner_(&outer), text_(text) {
  for (const std::string_view name : nests)
    if (const auto found = inner_->find(std::string(name));
        found != inner_->end() && found->is_object() && found->size() > 0)
      inner_ = &*found;
  const json* named = find("model_type");
  if (named != nullptr && !named->is_string())
    fail_at("“{key}” (line {line}) must be a text", "model_type");
  if (named != nullptr && named->is_string()) type_ = *named->get_ptr<const std::string*>();
  if (const Family* known = family_of(type_)) family_ = *known;
  // "a=1 b=2"
  for (std::string_view rest = family_.defaults; !rest.empty();) {
    const std::string_view word = rest.substr(0, std::min(rest.find(' '), rest.size()));
    const std::size_t equals = word.find('=');
    defaults_.push_back({word.substr(0, equals), read_decimal(word.substr(equals + 1)).value});
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
}

const json* Keys::find(std::string_view name) const {
  for (const json* object : {inner_, &outer_}) {
    const auto found = object->find(std::string(name));
    if (found != object->end() && !found->is_null()) return &*found;
    // DBRX keeps sizes in groups, Mistral's params.json its experts.
    for (const char* group : {"attn_config", "ffn_config", "moe"}) {
      const auto part = object->find(group);
      if (part == object->end() || !part->is_object()) continue;
      const auto member = part->find(std::string(name));
      if (member != part->end() && !member->is_null()) return &*member;
    }
  }
  return nullptr;
}

const json* Keys::find(Names names) const {
  for (const std::string_view name : names)
    if (const json* found = find(name)) return found;
  return nullptr;
}

const double* Keys::fallback_of(Names names) const {
  for (const std::string_view name : names)
    for (const auto& [key, value] : defaults_)
      if (key == name) return &value;
  return nullptr;
}

std::string Keys::shown(std::string_view key) const {
  const json* value = find(key);
  if (value == nullptr) return "null";
  if (value->is_number()) {
    const double number = value->get<double>();
    const bool is_short = is_whole(number) && number < 1e15 && number > -1e15;
    return is_short ? write_whole(number) : write_significant(number, 6);
  }
  if (const std::string* text = value->get_ptr<const std::string*>())
    return '"' + text->substr(0, 40) + '"';
  if (value->is_boolean()) return value->get<bool>() ? "true" : "false";
  return value->is_array() ? "[…]" : "{…}";
}

void Keys::fail(std::string_view text,
                std::initializer_list<std::pair<std::string_view, std::string>> values) {
  if (!problem_) problem_ = Sentence{text, values};
}

void Keys::fail_at(std::string_view text, std::string_view key, std::string expected) {
  fail(text, {{"key", std::string(key)},
              {"line", write_whole(line_of(text_, key))},
              {"value", shown(key)},
              {"expected", std::move(expected)}});
}

double Keys::number(Names names, double otherwise, double most) {
  for (const std::string_view name : names) {
    const json* value = find(name);
    if (value == nullptr) continue;
    if (value->is_array() && value->size() > 0) {
      const auto number_of = [](const json& entry) {
        return entry.is_number() ? entry.get<double>() : -1;
      };
      const json& first = *value->begin();
      for (const json& entry : *value)
        if (number_of(entry) != number_of(first))
          return fail_at(
                     "“{key}” (line {line}) differs between layers, which this page cannot count "
                     "yet",
                     name),
                 otherwise;
      value = &first;
    }
    const double number = value->is_number() ? value->get<double>() : -1;
    if (!(number >= 0 && number <= most) || !is_whole(number)) {
      fail_at("“{key}” (line {line}) is {value}, but must be a whole number from 0 to {expected}",
              name, write_whole(most));
      return otherwise;
    }
    return number;
  }
  const double* fallback = fallback_of(names);
  return fallback != nullptr ? *fallback : otherwise;
}

// Names the key that a typing mistake hides, if there is one.
void Keys::missing(Names names) {
  const std::string wanted(*names.begin());
  for (const auto& [key, value] : inner_->items())
    for (const std::string_view name : names)
      if (edit_distance(key, name, 4) <= 3 && family_of(key) == nullptr)
        return fail("“{key}” is missing; “{near}” (line {line}) is not a known key",
                    {{"key", wanted}, {"near", key}, {"line", write_whole(line_of(text_, key))}});
  fail("“{key}” is missing", {{"key", wanted}});
}

double Keys::required(Names names, double most) {
  if (!has(names)) return missing(names), 1;
  const double value = number(names, 0, most);
  if (value > 0) return value;
  for (const std::string_view name : names)
    if (find(name) != nullptr) fail_at("“{key}” (line {line}) must be at least 1", name);
  return 1;
}

double Keys::fraction(std::string_view name, double otherwise) {
  const json* value = find(name);
  if (value == nullptr) return otherwise;
  const double number = value->is_number() ? value->get<double>() : -1;
  if (number > 0 && number < 1e4) return number;
  fail_at("“{key}” (line {line}) is {value}, but must be a positive number", name);
  return otherwise;
}

bool Keys::flag(Names names, bool otherwise) {
  for (const std::string_view name : names) {
    const json* value = find(name);
    if (value == nullptr) continue;
    if (value->is_boolean()) return value->get<bool>();
    if (value->is_number()) return value->get<double>() != 0;
    fail_at("“{key}” (line {line}) is {value}, but must be true or false", name);
  }
  return otherwise;
}

std::string Keys::text(std::string_view name) {
  const json* value = find(name);
  const std::string* text = value != nullptr ? value->get_ptr<const std::string*>() : nullptr;
  if (text != nullptr && text->size() > most_entries)
    fail_at("“{key}” (line {line}) is too long", name);
  return text != nullptr && text->size() <= most_entries ? *text : std::string();
}

std::vector<std::string> Keys::texts(std::string_view name) {
  std::vector<std::string> out;
  const json* list = find(name);
  if (list == nullptr || !list->is_array()) return out;
  for (const json& entry : *list) {
    const std::string* text = entry.get_ptr<const std::string*>();
    if (text == nullptr || out.size() >= most_entries)
      return fail_at("“{key}” (line {line}) must be a list of at most 2,000 texts", name), out;
    out.push_back(*text);
  }
  return out;
}

std::vector<double> Keys::numbers(std::string_view name) {
  std::vector<double> out;
  const json* list = find(name);
  if (list == nullptr || !list->is_array()) return out;
  for (const json& entry : *list) {
    if (!entry.is_number() || out.size() >= most_entries)
      return fail_at("“{key}” (line {line}) must be a list of at most 2,000 numbers", name), out;
    out.push_back(entry.get<double>());
  }
  return out;
}

}  // namespace figures::costs
