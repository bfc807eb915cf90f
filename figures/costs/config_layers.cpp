#include "figures/costs/config_layers.hpp"

#include <algorithm>

#include "figures/base/decimal_text.hpp"

namespace figures::costs {
namespace {

using nlohmann::json;

enum class Mixer { none, attention, windowed, delta, mamba, mamba2, convolution, both };
enum class Mlp { none, dense, experts };
struct Kind {
  Mixer mixer = Mixer::attention;
  Mlp mlp = Mlp::dense;
  bool shared = false;  // Zamba2: a block that other layers use, too
};

// Names of layer_types and layers_block_type.
struct Named {
  std::string_view name;
  Kind kind;
};
constexpr Named kind_names[] = {
    {"full_attention", {Mixer::attention}},
    {"attention", {Mixer::attention}},
    {"deepseek_sparse_attention", {Mixer::attention}},
    {"global_attention", {Mixer::attention}},
    {"sliding_attention", {Mixer::windowed}},
    {"chunked_attention", {Mixer::windowed}},
    {"linear_attention", {Mixer::delta}},
    {"mamba", {Mixer::mamba2}},
    {"mamba2", {Mixer::mamba2}},
    {"conv", {Mixer::convolution}},
    {"hybrid", {Mixer::mamba2, Mlp::none, true}},
    {"mlp", {Mixer::none, Mlp::dense}},
    {"moe", {Mixer::none, Mlp::experts}},
};

class Layers {
 public:
  Layers(Keys& keys, double width, double layers)
      : keys_(keys), family_(keys.family()), d_(width), layers_(layers) {}

  std::vector<Layer> read() {
    read_attention();
    read_window();
    read_recurrent();
    read_mlp();
    if (keys_.problem()) return {};
    const std::vector<Kind> kinds = kinds_of_layers();
    for (const Kind& kind : kinds) {
      Layer layer;
      add_mixer(layer, kind.mixer);
      if (layer.index_width > 0 && !has_indexer(index_++)) remove_indexer(layer);
      add_mlp(layer, kind.mlp);
      add_norms(layer, kind);
      add(layer);
      if (kind.shared) add_shared_block();
    }
    return std::move(out_);
  }

 private:
  bool is(std::string_view type) const { return keys_.type().starts_with(type); }

  // Equal layers become one entry.
  void add(const Layer& layer) {
    const auto same = [&](const Layer& a) {
      return a.attention == layer.attention && a.recurrent == layer.recurrent &&
             a.dense == layer.dense && a.expert == layer.expert && a.norms == layer.norms &&
             a.experts == layer.experts && a.shared == layer.shared && a.window == layer.window &&
             a.heads == layer.heads && a.state == layer.state && a.index_width == layer.index_width;
    };
    const auto found = std::ranges::find_if(out_, same);
    if (found == out_.end()) return out_.push_back(layer);
    found->count += layer.count;
    found->stored += layer.stored;
  }

  // --- Attention ---

  void read_attention() {
    Layer& a = attention_;
    const bool is_mamba = is("mamba") || is("falcon_mamba");
    if (is_mamba) return;
    a.heads =
        keys_.required({"num_attention_heads", "n_head", "n_heads", "num_heads", "heads"}, 1e5);
    double kv = a.heads;
    if (is("falcon") && !is("falcon_h1") && keys_.flag({"multi_query"}, true) &&
        !keys_.flag({"new_decoder_architecture"}, false))
      kv = 1;
    else if (is("gpt_bigcode") && keys_.flag({"multi_query"}, true)) kv = 1;
    else
      kv = keys_.number({"num_key_value_heads", "n_kv_heads", "num_kv_heads", "n_head_kv",
                         "kv_n_heads", "multi_query_group_num", "kv_heads"},
                        a.heads, 1e5);
    a.kv_heads = kv;
    if (kv > a.heads)
      keys_.fail("There are more key-value heads ({kv}) than attention heads ({heads})",
                 {{"kv", write_whole(kv)}, {"heads", write_whole(a.heads)}});
    if (kv == 0) keys_.fail("There are no key-value heads", {});
    a.latent = keys_.number({"kv_lora_rank"}, 0, 1e6);
    if (a.latent > 0) return read_latent(), void(global_ = attention_);
    const double own = keys_.number(
        {"head_dim", "attention_head_dim", "d_kv", "kv_channels", "head_width"}, 0, 1e5);
    double d = d_;
    if (is("zamba2")) d = keys_.number({"attention_hidden_size"}, 2 * d_);
    a.key_width = a.value_width =
        own > 0 ? own : static_cast<double>(static_cast<int>(d / a.heads));
    if (!(a.key_width >= 1))
      keys_.fail("There are more attention heads than elements of the width", {});
    const double q = a.heads * a.key_width, k = kv * a.key_width;
    const bool gate = family_.has(query_gate) && keys_.flag({"attn_output_gate"}, true);
    a.attention = d * (q * (gate ? 2 : 1) + 2 * k) + q * d_;
    const bool all = keys_.flag({"attention_bias", "use_bias", "bias"}, false);
    const bool inner = keys_.flag({"use_qkv_bias", "qkv_bias", "add_qkv_bias", "attention_bias"},
                                  family_.has(qkv_bias) && !is("starcoder2")) ||
                       (is("starcoder2") && keys_.flag({"use_bias"}, true));
    if (inner || all) a.attention += q * (gate ? 2 : 1) + 2 * k;
    // Only a few architectures give the output projection the same bias.
    const bool outer = family_.has(out_bias) || (all && !is("qwen") && !is("glm4") && !is("seed"));
    if (outer && keys_.flag({"use_bias"}, true) && !is_unbiased()) a.attention += d_;
    if (family_.has(sinks)) a.attention += a.heads;
    read_head_norms(q, k);
    read_global();
  }

  // Gemma 4: layers without a window have other heads, whose keys may also be the values.
  void read_global() {
    Layer& g = global_ = attention_;
    const double width = keys_.number({"global_head_dim"}, 0, 1e5);
    if (!(width > 0)) return;
    g.kv_heads = keys_.number({"num_global_key_value_heads"}, g.kv_heads, 1e5);
    g.key_width = g.value_width = width;
    const double matrices = keys_.flag({"attention_k_eq_v"}, false) ? 1 : 2;
    g.attention = d_ * width * (2 * g.heads + matrices * g.kv_heads);
    g.norms = 2 * width;
  }
  bool is_unbiased() const { return !keys_.flag({"attention_out_bias"}, true); }

  void read_head_norms(double q, double k) {
    Layer& a = attention_;
    const bool by_head = family_.has(head_norms) || is("glm4_moe");
    const bool norms = keys_.flag({"use_qk_norm", "qk_layernorm"},
                                  by_head ? !is("glm4_moe") : family_.has(wide_norms));
    if (!norms) return;
    if (family_.has(wide_norms)) a.norms = q + k;
    else if (by_head) a.norms = 2 * a.key_width;
  }

  // Multi-head latent attention: keys and values of all heads come from one latent vector.
  void read_latent() {
    Layer& a = attention_;
    a.rotary = keys_.number({"qk_rope_head_dim"}, 64, 1e5);
    const double plain = keys_.required({"qk_nope_head_dim"}, 1e5);
    a.value_width = keys_.required({"v_head_dim"}, 1e5);
    a.key_width = plain + a.rotary;
    const double rank = keys_.number({"q_lora_rank"}, 0, 1e6), q = a.heads * a.key_width;
    a.attention = rank > 0 ? d_ * rank + rank * q : d_ * q;
    a.attention += d_ * (a.latent + a.rotary) + a.latent * a.heads * (plain + a.value_width) +
                   a.heads * a.value_width * d_;
    a.norms = a.latent + rank;
    // The indexer of DeepSeek V3.2 chooses the tokens that attention reads.
    a.index_heads = keys_.number({"index_n_heads"}, 0, 1e5);
    a.index_width = a.index_heads > 0 ? keys_.number({"index_head_dim"}, 128, 1e5) : 0;
    if (!(a.index_width > 0)) return;
    a.best = keys_.number({"index_topk"}, 2048, 1e9);
    indexer_ = (rank > 0 ? rank : d_) * a.index_heads * a.index_width + d_ * a.index_width +
               d_ * a.index_heads;
    a.attention += indexer_;
    a.norms += 2 * a.index_width;
  }

  // GLM 5.2: some layers use the tokens that an earlier layer chose.
  bool has_indexer(int layer) {
    const auto types = keys_.texts("indexer_types");
    if (static_cast<std::size_t>(layer) < types.size())
      return types[static_cast<std::size_t>(layer)] != "shared";
    const double first = keys_.number({"index_skip_topk_offset"}, 2, 1000) - 1;
    const double every = std::max(1.0, keys_.number({"index_topk_freq"}, 1, 1000));
    return layer <= first || static_cast<int>(layer - first) % static_cast<int>(every) == 0;
  }
  void remove_indexer(Layer& layer) const {
    layer.attention -= indexer_;
    layer.norms -= 2 * layer.index_width;
    layer.index_heads = layer.index_width = 0;
  }

  // The window, and which layers have it if layer_types does not say.
  void read_window() {
    window_ =
        keys_.number({"sliding_window", "sliding_window_size", "attention_chunk_size"}, 0, 1e9);
    if (family_.has(no_window)) window_ = 0;
    if (family_.has(window_flag) && !keys_.flag({"use_sliding_window"}, false)) window_ = 0;
    after_ = family_.has(window_flag) ? keys_.number({"max_window_layers"}, 0) : 0;
    const json* pattern = keys_.find({"sliding_window_pattern", "_sliding_window_pattern"});
    pattern_ = family_.pattern;
    // "LLLG": three layers with a window, one without.
    if (pattern != nullptr && pattern->is_string())
      pattern_ = static_cast<int>(pattern->get_ptr<const std::string*>()->size());
    else if (pattern != nullptr)
      pattern_ = static_cast<int>(
          keys_.number({"sliding_window_pattern", "_sliding_window_pattern"}, pattern_, 1000));
    if (is("llama4"))
      pattern_ = static_cast<int>(keys_.number({"no_rope_layer_interval"}, 4, 1000));
  }

  bool has_window(int layer) const {
    if (!(window_ > 0)) return false;
    if (family_.has(window_flag)) return layer >= after_;
    if (pattern_ > 0) return (layer + 1) % pattern_ != 0;
    return family_.has(window_all);
  }

  // --- Recurrent layers ---

  void read_recurrent() {
    if (keys_.has({"linear_num_value_heads"})) read_delta();
    if (is("lfm2")) read_convolution();
    const bool old = is("jamba") || keys_.type() == "mamba" || is("falcon_mamba");
    if (old) read_mamba();
    else if (is("mamba2") || keys_.has({"mamba_d_state", "ssm_state_size", "mamba_n_heads"}))
      read_mamba2();
  }

  void read_mamba() {
    Layer& m = mamba_;
    double inner = is("jamba") ? 0 : keys_.number({"intermediate_size"}, 0, 1e6);
    if (!(inner > 0)) inner = keys_.fraction(is("jamba") ? "mamba_expand" : "expand", 2) * d_;
    const double n = keys_.number({"mamba_d_state", "state_size"}, 16, 1e5);
    const double k = keys_.number({"mamba_d_conv", "conv_kernel"}, 4, 1000);
    const json* given = keys_.find({"mamba_dt_rank", "time_step_rank"});
    const double usual = static_cast<double>(static_cast<int>((d_ + 15) / 16));
    const double rank = given != nullptr && given->is_string()
                            ? usual
                            : keys_.number({"mamba_dt_rank", "time_step_rank"}, usual, 1e6);
    m.recurrent = d_ * 2 * inner + inner * k + inner + inner * (rank + 2 * n) + rank * inner +
                  inner + inner * n + inner + inner * d_;
    if (is("jamba")) m.norms = rank + 2 * n;
    m.state = inner * n;
    m.convolution = inner * (k - 1);
    m.state_flops = 6 * inner * n;
    m.recurrent_width = 2 * inner;
  }

  void read_mamba2() {
    Layer& m = mamba_;
    const double n = keys_.number({"mamba_d_state", "ssm_state_size", "state_size"}, 128, 1e5);
    const double k = keys_.number({"mamba_d_conv", "conv_kernel"}, 4, 1000);
    const double groups = keys_.number({"mamba_n_groups", "mamba_ngroups", "n_groups"}, 1, 1e5);
    double heads =
        is("mamba2") ? keys_.number({"num_heads"}, 128, 1e5)
                     : keys_.number({"mamba_n_heads", "mamba_num_heads", "n_mamba_heads"}, 0, 1e5);
    double width = is("mamba2")
                       ? keys_.number({"head_dim"}, 64, 1e5)
                       : keys_.number({"mamba_d_head", "mamba_head_dim", "mamba_headdim"}, 0, 1e5);
    double inner = keys_.number({"mamba_d_ssm"}, 0, 1e6);
    if (!(inner > 0) && heads > 0 && width > 0) inner = heads * width;
    if (!(inner > 0)) {
      const char* name = keys_.find("mamba_expand") != nullptr ? "mamba_expand" : "expand";
      inner = keys_.fraction(name, 2) * d_;
    }
    if (!(heads > 0)) heads = width > 0 ? inner / width : 0;
    if (!(heads > 0)) return keys_.fail("“{key}” is missing", {{"key", "mamba_n_heads"}});
    width = inner / heads;
    const double mixed = inner + 2 * groups * n;
    m.recurrent = d_ * (2 * inner + 2 * groups * n + heads) + mixed * k + inner * d_ + 3 * heads;
    if (keys_.flag({"mamba_conv_bias", "use_conv_bias"}, true)) m.recurrent += mixed;
    if (keys_.flag({"mamba_proj_bias", "use_bias"}, false))
      m.recurrent += 2 * inner + 2 * groups * n + heads + d_;
    if (!is("falcon_h1") || keys_.flag({"mamba_rms_norm"}, true)) m.norms = inner;
    m.state = heads * width * n;
    m.convolution = mixed * (k - 1);
    m.state_flops = 6 * heads * width * n;
    m.recurrent_width = 2 * inner + 2 * groups * n + heads;
    if (keys_.text("mamba_ssm_dtype") == "float32" ||
        keys_.text("mamba_ssm_cache_dtype") == "float32")
      m.state_bytes = 4;
  }

  // Gated delta net, of Qwen3-Next and Qwen3.5.
  void read_delta() {
    Layer& m = delta_;
    const double values = keys_.required({"linear_num_value_heads"}, 1e5);
    const double keys = keys_.required({"linear_num_key_heads"}, 1e5);
    const double key = keys_.number({"linear_key_head_dim"}, 128, 1e5);
    const double value = keys_.number({"linear_value_head_dim"}, 128, 1e5);
    const double k = keys_.number({"linear_conv_kernel_dim"}, 4, 1000);
    const double mixed = 2 * keys * key + values * value;
    m.recurrent =
        d_ * (mixed + values * value + 2 * values) + mixed * k + 2 * values + values * value * d_;
    m.norms = value;
    m.state = values * key * value;
    m.convolution = mixed * (k - 1);
    m.state_flops = 8 * m.state;
    m.recurrent_width = mixed + values * value + 2 * values;
    if (keys_.text("mamba_ssm_dtype") == "float32") m.state_bytes = 4;
  }

  void read_convolution() {
    Layer& m = convolution_;
    const double k = keys_.number({"conv_L_cache"}, 3, 1000);
    const bool bias = keys_.flag({"conv_bias"}, false);
    m.recurrent = d_ * 3 * d_ + d_ * k + d_ * d_ + (bias ? 3 * d_ + d_ + d_ : 0);
    m.convolution = d_ * (k - 1);
    m.recurrent_width = 3 * d_;
  }

  // --- MLP and experts ---

  double mlp_weights(double width, double in) const {
    const double matrices = family_.has(ungated) ? 2 : 3;
    double weights = matrices * in * width;
    const bool bias = family_.has(mlp_bias) ? keys_.flag({"use_bias", "mlp_bias"}, true)
                                            : keys_.flag({"mlp_bias"}, false);
    if (bias) weights += (matrices - 1) * width + in;
    return weights;
  }

  void read_mlp() {
    experts_ = keys_.number(
        {"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"}, 0, 1e5);
    double width = keys_.number({"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size",
                                 "hidden_dim", "d_ff", "mlp_width", "block_ff_dim"},
                                0, 1e8);
    const bool four = is("gpt") || is("bloom") || is("falcon") || is("mpt") || is("codegen");
    if (!(width > 0) && four) width = 4 * d_;
    if (is("mpt")) width = keys_.fraction("expansion_ratio", 4) * d_;
    if (is("lfm2") && keys_.flag({"block_auto_adjust_ff_dim"}, true))
      width = adjusted(width, "block_ffn_dim_multiplier", "block_multiple_of");
    // params.json of Llama
    if (!(width > 0) && keys_.type().empty() && keys_.has({"multiple_of"}))
      width = adjusted(4 * d_, "ffn_dim_multiplier", "multiple_of");
    const bool is_mamba = is("mamba") || is("falcon_mamba");
    dense_width_ = is("llama4") ? keys_.number({"intermediate_size_mlp"}, width, 1e8) : width;
    dense_width_ = keys_.number({"dense_intermediate_size"}, dense_width_, 1e8);
    if (is("granitemoehybrid") && !(experts_ > 0))
      dense_width_ = 0;  // its shared MLP is the only one
    if (experts_ > 0) read_experts(width);
    else if (!(width > 0) && !is_mamba && !is("granitemoehybrid"))
      keys_.required({"intermediate_size", "n_inner", "mlp_width"}, 1e8);
    if (is("granitemoehybrid"))
      shared_ = 3 * d_ * keys_.number({"shared_intermediate_size"}, 0, 1e8);
  }
  // Two thirds of the width, times a factor, up to a multiple of a unit.
  double adjusted(double width, std::string_view factor, std::string_view multiple) const {
    double out = static_cast<double>(static_cast<long long>(2 * width / 3));
    out = static_cast<double>(static_cast<long long>(keys_.fraction(factor, 1) * out));
    const double unit = std::max(1.0, keys_.number({multiple}, 256, 1e6));
    return unit * static_cast<double>(static_cast<long long>((out + unit - 1) / unit));
  }

  void read_experts(double width) {
    chosen_ = keys_.required({"num_experts_per_tok", "num_experts_per_token", "moe_top_k",
                              "moe_topk", "moe_k", "top_k_experts", "num_selected_experts"},
                             1e5);
    if (chosen_ > experts_)
      keys_.fail("A token uses {chosen} experts, but there are only {experts}",
                 {{"chosen", write_whole(chosen_)}, {"experts", write_whole(experts_)}});
    expert_width_ = keys_.number({"moe_intermediate_size"}, width, 1e8);
    if (!(expert_width_ > 0)) keys_.required({"moe_intermediate_size", "intermediate_size"}, 1e8);
    const double latent = keys_.number({"moe_latent_size"}, 0, 1e6);
    expert_ = mlp_weights(expert_width_, latent > 0 ? latent : d_);
    if (is("gpt_oss")) expert_ += 2 * expert_width_ + d_;
    router_ = d_ * experts_ + (latent > 0 ? 2 * d_ * latent : 0);
    // A bias per expert: of the router, or the one that balances the experts.
    const bool has_bias = is("gpt_oss") || is("deepseek_v3") || is("kimi_k2") || is("glm4_moe") ||
                          is("nemotron_h") || is("minimax_m2") || is("dots1") || is("ernie");
    if (has_bias) router_ += experts_;
    double shared = keys_.number({"n_shared_experts", "num_shared_experts", "num_shared_expert",
                                  "moe_num_shared_experts"},
                                 is("llama4") ? 1 : 0, 1e4) *
                    expert_width_;
    shared = keys_.number(
        {"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size"}, shared, 1e8);
    if (is("gemma4")) {
      // Every layer has an MLP next to its experts, three more norms, and scales in its router.
      shared = width;
      router_ += d_ + experts_;
      attention_.norms += 3 * d_;
      global_.norms += 3 * d_;
    }
    shared_ = mlp_weights(shared, d_) * (shared > 0 ? 1 : 0);
    shared_width_ = shared;
    if (shared > 0 && is("qwen")) shared_ += d_;  // the gate of the shared expert
  }

  bool has_experts(int layer, const std::vector<double>& only_dense) const {
    if (!(experts_ > 0)) return false;
    if (std::ranges::find(only_dense, double(layer)) != only_dense.end()) return false;
    const auto types = keys_.texts("mlp_layer_types");
    if (static_cast<std::size_t>(layer) < types.size())
      return types[static_cast<std::size_t>(layer)] == "sparse";
    const auto flags = keys_.numbers("moe_layer_freq");
    if (static_cast<std::size_t>(layer) < flags.size())
      return flags[static_cast<std::size_t>(layer)] != 0;
    const auto every = [&](Names period, double offset) {
      const double p = keys_.number(period, 1, 1e4);
      return p <= 1 || static_cast<int>(layer - offset) % static_cast<int>(p) == 0;
    };
    if (is("jamba"))
      return every({"expert_layer_period"}, keys_.number({"expert_layer_offset"}, 1));
    if (is("llama4")) {
      const double step = keys_.number({"interleave_moe_layer_step"}, 1, 1e4);
      return every({"interleave_moe_layer_step"}, step - 1);
    }
    if (is("qwen")) {
      const double step = keys_.number({"decoder_sparse_step"}, 1, 1e4);
      return every({"decoder_sparse_step"}, step - 1);
    }
    const double first = keys_.number(
        {"first_k_dense_replace", "moe_layer_start_index", "num_dense_layers"}, 0, 1e4);
    return layer >= first && (!is("deepseek") || every({"moe_layer_freq"}, 0));
  }

  // --- Layers ---

  std::vector<Kind> kinds_of_layers() {
    std::vector<Kind> kinds;
    const std::string pattern = keys_.text("hybrid_override_pattern");
    if (!pattern.empty()) return kinds_of_pattern(pattern);
    std::vector<std::string> types = keys_.texts("layer_types");
    if (types.empty()) types = keys_.texts("layers_block_type");
    const auto only_dense = keys_.numbers("mlp_only_layers");
    for (int i = 0; i < static_cast<int>(layers_); ++i) {
      Kind kind = usual_kind(i);
      if (has_experts(i, only_dense)) kind.mlp = Mlp::experts;
      if (!types.empty()) take_type(types, i, kind);
      kinds.push_back(kind);
    }
    if (!types.empty() && types.size() != kinds.size())
      keys_.fail(
          "“{key}” has {found} entries, but the model has {layers} layers",
          {{"key", keys_.find("layer_types") != nullptr ? "layer_types" : "layers_block_type"},
           {"found", write_whole(types.size())},
           {"layers", write_whole(layers_)}});
    return kinds;
  }

  void take_type(const std::vector<std::string>& types, int i, Kind& kind) {
    if (static_cast<std::size_t>(i) >= types.size()) return;
    const std::string& type = types[static_cast<std::size_t>(i)];
    const auto known = std::ranges::find(kind_names, type, &Named::name);
    if (known == std::end(kind_names))
      return keys_.fail("layer_types has “{type}”, which is not a known kind of layer",
                        {{"type", type.substr(0, 40)}});
    const Mlp mlp = kind.mlp;
    kind = known->kind;
    const bool alone = kind.mixer == Mixer::none || is("nemotron_h") || kind.shared || is("zamba2");
    if (!alone) kind.mlp = mlp;
    else if (kind.mixer != Mixer::none) kind.mlp = Mlp::none;
    if (kind.mixer == Mixer::windowed && !(window_ > 0)) kind.mixer = Mixer::attention;
  }

  // "M-M-M*-": one letter per layer.
  std::vector<Kind> kinds_of_pattern(std::string_view pattern) {
    std::vector<Kind> kinds;
    for (const char c : pattern) {
      if (c == 'M') kinds.push_back({Mixer::mamba2, Mlp::none});
      else if (c == '*') kinds.push_back({Mixer::attention, Mlp::none});
      else if (c == '-') kinds.push_back({Mixer::none, Mlp::dense});
      else if (c == 'E') kinds.push_back({Mixer::none, Mlp::experts});
      else
        keys_.fail("hybrid_override_pattern has “{type}”, but only M, *, - and E are known",
                   {{"type", std::string(1, c)}});
    }
    if (static_cast<double>(kinds.size()) != layers_)
      keys_.fail("“{key}” has {found} entries, but the model has {layers} layers",
                 {{"key", "hybrid_override_pattern"},
                  {"found", write_whole(kinds.size())},
                  {"layers", write_whole(layers_)}});
    return kinds;
  }

  Kind usual_kind(int i) const {
    if (keys_.type() == "mamba2") return {Mixer::mamba2, Mlp::none};
    if (keys_.type() == "mamba" || is("falcon_mamba")) return {Mixer::mamba, Mlp::none};
    if (is("falcon_h1")) return {Mixer::both};
    if (is("jamba")) {
      const int period =
          static_cast<int>(std::max(1.0, keys_.number({"attn_layer_period"}, 8, 1e4)));
      const int offset = static_cast<int>(keys_.number({"attn_layer_offset"}, 4, 1e4));
      return {i % period == offset ? Mixer::attention : Mixer::mamba};
    }
    if (is("bamba")) {
      const auto attention = keys_.numbers("attn_layer_indices");
      const bool found = std::ranges::find(attention, double(i)) != attention.end();
      return {found ? Mixer::attention : Mixer::mamba2};
    }
    if (is("lfm2")) {
      const auto attention = keys_.numbers("full_attn_idxs");
      const bool found = std::ranges::find(attention, double(i)) != attention.end();
      return {found ? Mixer::attention : Mixer::convolution};
    }
    if (keys_.has({"linear_num_value_heads"})) {
      const int every =
          static_cast<int>(std::max(1.0, keys_.number({"full_attention_interval"}, 4, 1e4)));
      return {(i + 1) % every == 0 ? Mixer::attention : Mixer::delta};
    }
    if (is("llama4")) {
      const auto rotary = keys_.numbers("no_rope_layers");
      if (static_cast<std::size_t>(i) < rotary.size())
        return {rotary[static_cast<std::size_t>(i)] != 0 ? Mixer::windowed : Mixer::attention};
    }
    return {has_window(i) ? Mixer::windowed : Mixer::attention};
  }

  void add_mixer(Layer& layer, Mixer mixer) {
    if (mixer == Mixer::attention || mixer == Mixer::windowed || mixer == Mixer::both) {
      layer = mixer == Mixer::windowed ? attention_ : global_;
      if (mixer == Mixer::windowed) layer.window = window_;
    }
    const Layer* recurrent = mixer == Mixer::delta         ? &delta_
                             : mixer == Mixer::convolution ? &convolution_
                                                           : &mamba_;
    if (mixer == Mixer::attention || mixer == Mixer::windowed || mixer == Mixer::none) return;
    layer.recurrent = recurrent->recurrent;
    layer.norms += recurrent->norms;
    layer.state = recurrent->state;
    layer.convolution = recurrent->convolution;
    layer.state_flops = recurrent->state_flops;
    layer.state_bytes = recurrent->state_bytes;
    layer.recurrent_width = recurrent->recurrent_width;
    if (!(layer.recurrent > 0))
      keys_.fail("“{key}” is missing",
                 {{"key", mixer == Mixer::delta ? "linear_num_value_heads" : "mamba_d_state"}});
  }

  void add_mlp(Layer& layer, Mlp mlp) {
    if (mlp == Mlp::none) return;
    layer.mlp_matmuls = family_.has(ungated) ? 2 : 3;
    layer.shared = is("granitemoehybrid") || mlp == Mlp::experts ? shared_ : 0;
    layer.mlp_width = shared_width_;
    if (mlp == Mlp::experts) {
      layer.expert = expert_;
      layer.experts = experts_;
      layer.chosen = chosen_;
      layer.router = router_;
      layer.mlp_width += chosen_ * expert_width_;
    } else {
      layer.dense = dense_width_ > 0 ? mlp_weights(dense_width_, d_) : 0;
      layer.mlp_width = dense_width_ > 0 ? dense_width_ : shared_ / (3 * d_);
    }
  }

  void add_norms(Layer& layer, const Kind& kind) {
    if (family_.has(no_norm_weights)) return;
    const bool parallel = is("falcon") && keys_.flag({"parallel_attn"}, true) &&
                          !keys_.flag({"new_decoder_architecture"}, false);
    const bool alone = kind.mlp == Mlp::none || kind.mixer == Mixer::none;
    double norms = family_.has(four_norms) ? 4 : family_.has(one_norm) || alone ? 1 : 2;
    if (parallel && !is("falcon_h1")) norms = 1;
    layer.norms += norms * d_ * (family_.has(norm_bias) ? 2 : 1);
  }

  // Zamba2: attention over twice the width and an MLP, shared by all hybrid layers, with adapters
  // of low rank and a projection per layer.
  void add_shared_block() {
    const double blocks = keys_.number({"num_mem_blocks"}, 1, 1000);
    const double rank = keys_.number({"adapter_rank"}, 128, 1e5);
    Layer block = attention_;
    block.dense = 3 * d_ * dense_width_;
    block.mlp_width = dense_width_;
    block.norms = 2 * d_ + d_;
    block.stored = 0;
    if (keys_.flag({"use_shared_attention_adapter"}, false)) {
      const double q = block.heads * block.key_width;
      adapters_ = 3 * (2 * d_ * rank + rank * q);
    }
    Layer own;
    own.dense = d_ * d_ + adapters_;
    if (keys_.flag({"use_shared_mlp_adapter"}, true))
      own.dense += d_ * rank + rank * 2 * dense_width_;
    add(block);
    for (Layer& layer : out_)
      if (layer.dense == block.dense && layer.heads > 0)
        layer.stored = std::min(blocks, layer.count);
    add(own);
  }

  Keys& keys_;
  const Family& family_;
  double d_, layers_;
  Layer attention_, global_, mamba_, delta_, convolution_;
  double window_ = 0, after_ = 0, adapters_ = 0, indexer_ = 0;
  int pattern_ = 0, index_ = 0;
  double experts_ = 0, chosen_ = 0, expert_ = 0, expert_width_ = 0, router_ = 0;
  double shared_ = 0, shared_width_ = 0, dense_width_ = 0;
  std::vector<Layer> out_;
};

}  // namespace

std::vector<Layer> read_layers(Keys& keys, double width, double layers) {
  return Layers(keys, width, layers).read();
}

}  // namespace figures::costs
