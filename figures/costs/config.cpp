// From members to layers. What follows the architecture and cannot be seen in the members is in
// families.cpp; here are the parts that a layer can have: attention (grouped, latent or windowed),
// recurrent layers (Mamba, Mamba-2, gated delta, short convolution), an MLP, or experts.
#include "figures/costs/config.hpp"

#include <algorithm>

#include "figures/base/decimal_text.hpp"
#include "figures/costs/config_layers.hpp"
#include "figures/costs/config_storage.hpp"

namespace figures::costs {
namespace {

using nlohmann::json;

constexpr std::size_t longest_text = 1'000'000;
constexpr double most_layers = 1000;

// Members of architectures whose layers have parts that are not counted here.
constexpr std::string_view uncounted[] = {"attention_other_setting",
                                          "attn_type_list",
                                          "block_configs",
                                          "block_types",
                                          "compress_ratios",
                                          "cross_attention_layers",
                                          "decay_low_rank_dim",
                                          "global_attn_every_n_layers",
                                          "hidden_size_per_layer_input",
                                          "hybrid_layer_pattern",
                                          "is_encoder_decoder",
                                          "kv_reuse_every_i_layer",
                                          "laurel_rank",
                                          "layer_group_size",
                                          "linear_attn_config",
                                          "lru_width",
                                          "mamba_step",
                                          "mb_per_layer",
                                          "moe_layers_enum",
                                          "num_encoder_layers",
                                          "num_key_value_heads_per_layer",
                                          "num_kv_shared_layers",
                                          "parallel_attn_mlp_res",
                                          "residual_moe",
                                          "rwkv_config",
                                          "share_q_dim",
                                          "sparse_attention_config",
                                          "ssm_cfg",
                                          "type_vocab_size",
                                          "use_cla",
                                          "zero_expert_num"};

// Whether such a member changes anything: 0, false and a list of ones do not.
bool has_effect(const json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>() != 0;
  if (!value.is_array()) return true;
  for (const json& entry : value)
    if (!entry.is_number() || entry.get<double>() != 1) return true;
  return false;
}

// Python writes Infinity and NaN, which JSON does not have. Both become null.
std::string without_infinity(std::string_view text) {
  std::string out;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    std::size_t skipped = 0;
    if (!quoted)
      for (const std::string_view word : {"-Infinity", "Infinity", "NaN"})
        if (skipped == 0 && text.substr(i).starts_with(word)) skipped = word.size();
    if (skipped == 0) {
      out += c;
    } else {
      out += "null";
      i += skipped - 1;
    }
  }
  return out;
}

void note_unknown(Keys& keys, std::string_view text, Network& network) {
  if (keys.type().empty()) {
    network.notes.push_back({"The file has no model_type. It is read like a Llama configuration."});
  } else if (keys.family().type.empty()) {
    const std::string_view near = nearest_family(keys.type());
    const std::string shown = keys.type().substr(0, 40);
    if (near.empty())
      network.notes.push_back(
          {"The model_type “{type}” is unknown. Its keys are read like those of Llama.",
           {{"type", shown}}});
    else
      network.notes.push_back(
          {"The model_type “{type}” is unknown, “{near}” is known. Its keys are "
           "read like those of Llama.",
           {{"type", shown}, {"near", std::string(near)}}});
  }
  for (const auto& [key, value] : keys.members().items()) {
    const std::string_view near = meant_by(key);
    if (near.empty() || network.notes.size() > 6) continue;
    network.notes.push_back(
        {"“{key}” (line {line}) is not a known key and is ignored. The nearest "
         "known key is “{near}”.",
         {{"key", key.substr(0, 60)},
          {"line", write_whole(line_of(text, key))},
          {"near", std::string(near)}}});
  }
}

void note_left_out(Keys& keys, Network& network) {
  if (keys.has({"vision_config", "vision_tower", "visual", "audio_config"}))
    network.notes.push_back(
        {"Only the language model is counted, not its parts for images or "
         "sound."});
  if (keys.family().type.empty() && keys.find("layer_types") == nullptr &&
      keys.number({"sliding_window"}, 0, 1e9) > 0 && keys.flag({"use_sliding_window"}, true))
    network.notes.push_back(
        {"The file has a sliding window, but does not say which layers have it. "
         "All layers are counted without it."});
  if (keys.number({"num_nextn_predict_layers"}, 0) > 0)
    network.notes.push_back(
        {"The layers that predict further tokens (num_nextn_predict_layers) are not counted."});
}

// Everything outside the layers.
void read_ends(Keys& keys, Network& network) {
  const Family& family = keys.family();
  const double d = network.width, v = network.vocabulary;
  const bool has_norm = !family.has(no_norm_weights);
  network.tied = keys.flag({"tie_word_embeddings"}, family.has(tied));
  network.longest =
      keys.number({"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length",
                   "context", "max_sequence_length", "model_max_length"},
                  0, 1e9);
  const double table = keys.number({"word_embed_proj_dim"}, d);
  network.embedding = v * table + (table != d ? 2 * table * d : 0);
  // OPT reserves two positions.
  if (family.has(positions))
    network.positions = (network.longest + (keys.type() == "opt" ? 2 : 0)) * d;
  network.head = network.tied ? 0 : v * d;
  if (keys.flag({"lm_head_bias"}, family.has(head_bias))) network.head += v;
  const double norm = has_norm ? d * (family.has(norm_bias) ? 2 : 1) : 0;
  network.final_norm = norm * (keys.type() == "bloom" ? 2 : 1);
}

}  // namespace

Reading read_config(std::string_view text) {
  Reading out;
  if (text.size() > longest_text) {
    out.problem = Sentence{"The text is longer than 1 MB"};
    return out;
  }
  const std::string clean = without_infinity(text);
  const json document = json::parse(clean, nullptr, false);
  if (document.is_discarded() || !document.is_object() || document.size() == 0) {
    out.problem = Sentence{document.is_discarded() ? "This is not JSON" : "This is no JSON object"};
    return out;
  }
  Keys keys(document, clean);
  Network& network = out.network;
  network.type = keys.type();
  for (const std::string_view name : uncounted)
    if (const json* value = keys.find(name); value != nullptr && has_effect(*value))
      keys.fail_at("“{key}” (line {line}) describes layers that this page cannot count yet", name);
  network.width = keys.required({"hidden_size", "n_embd", "d_model", "dim", "width"}, 1e6);
  network.vocabulary =
      keys.required({"vocab_size", "padded_vocab_size", "n_vocab", "vocabulary"}, 1e8);
  // Some hybrids only list their layers.
  const double listed = static_cast<double>(std::max(keys.texts("layers_block_type").size(),
                                                     keys.text("hybrid_override_pattern").size()));
  const Names names{"num_hidden_layers", "n_layer", "n_layers", "num_layers", "layers"};
  const double layers = listed > 0 && !keys.has(names) ? listed : keys.required(names, most_layers);
  if (!keys.problem()) network.layers = read_layers(keys, network.width, layers);
  read_ends(keys, network);
  read_storage(keys, layers, network);
  note_unknown(keys, text, network);
  note_left_out(keys, network);
  out.problem = keys.problem();
  return out;
}

}  // namespace figures::costs
