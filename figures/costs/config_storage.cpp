#include "figures/costs/config_storage.hpp"

#include <algorithm>
#include <string>

namespace figures::costs {
namespace {

using nlohmann::json;

// A member of an object; null if there is none or `object` is null.
const json* member_of(const json* object, const char* name) {
  if (object == nullptr || !object->is_object()) return nullptr;
  const auto at = object->find(name);
  return at == object->end() || at->is_null() ? nullptr : &*at;
}
std::string text_of(const json* value) {
  const std::string* text = value != nullptr ? value->get_ptr<const std::string*>() : nullptr;
  return text != nullptr ? *text : std::string();
}
double number_of(const json* value) {
  return value != nullptr && value->is_number() ? value->get<double>() : 0;
}
bool is_true(const json* value) {
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }
bool is_in_word(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

// A part of the layers, by a word in the names of its modules. `last`: the projections that end
// it, one of which stands for all projections of a layer.
struct Part {
  std::string_view word;
  double Precision::* bits;
  std::string_view last[2];
};
constexpr Part parts[] = {
    {"shared_expert", &Precision::mlp, {"down", "w2"}},
    {"experts", &Precision::expert, {"down", "w2"}},
    {"mlp", &Precision::mlp, {"down", "fc2"}},
    {"feed_forward", &Precision::mlp, {"down", "w2"}},
    {"ffn", &Precision::mlp, {"down", "w2"}},
    {"attn", &Precision::attention, {"o_proj", "out_proj"}},
    {"attention", &Precision::attention, {"o_proj", "out_proj"}},
    {"mamba", &Precision::attention, {"o_proj", "out_proj"}},
    {"lm_head", &Precision::head, {"", ""}},
};

// The part that a module or pattern names as a whole, or by its last projection; null: none.
const Part* part_of(std::string_view name) {
  // Parts that are not counted, norms, and routers.
  for (const std::string_view other : {"vis", "audio", "mtp", "norm"})
    if (contains(name, other)) return nullptr;
  if (name.ends_with("gate")) return nullptr;
  for (const Part& part : parts) {
    const std::size_t at = name.rfind(part.word);
    if (at == name.npos) continue;
    std::string_view rest = name.substr(at + part.word.size());
    while (!rest.empty() && is_in_word(rest.front())) rest.remove_prefix(1);
    const bool is_whole = std::ranges::none_of(rest, is_in_word);
    return is_whole || contains(rest, part.last[0]) || contains(rest, part.last[1]) ? &part
                                                                                    : nullptr;
  }
  return nullptr;
}

// Gives all parts that are named for most of the layers these bits.
void set_named(const json* names, double bits, double layers, Precision& stored) {
  if (names == nullptr || !names->is_array()) return;
  for (double Precision::* const part :
       {&Precision::attention, &Precision::mlp, &Precision::expert, &Precision::head}) {
    double named = 0;
    for (const json& entry : *names) {
      const std::string name = text_of(&entry);
      const Part* found = part_of(name);
      if (found == nullptr || found->bits != part) continue;
      const bool is_one_layer = std::ranges::any_of(name.substr(0, name.find(found->word)),
                                                    [](char c) { return c >= '0' && c <= '9'; });
      named += is_one_layer ? 1 : layers;
    }
    if (named > 0 && named >= layers / 2) stored.*part = bits;
  }
}

// Bits per weight with the scales of its group, from the members of `group`; 0: not known.
// `scale`: bits of a group's scale and offset.
double bits_with_scales(const json* group, double bits, double scale) {
  const double size = number_of(member_of(group, "group_size"));
  return size >= 8 && bits > 0 ? bits + scale / size : bits;
}

void set_matrices(double bits, Precision& stored) {
  stored.attention = stored.mlp = stored.expert = bits;
}

// Whether the targets of a group are all matrices.
bool names_all(const json* targets) {
  return targets == nullptr ||
         (targets->is_array() && targets->size() == 1 && text_of(&*targets->begin()) == "Linear");
}

// The groups of compressed-tensors and ModelOpt. False: there are none.
bool read_groups(const json& quantization, double layers, Precision& stored) {
  const json* groups = member_of(&quantization, "config_groups");
  if (groups == nullptr || !groups->is_object()) return false;
  bool found = false;
  for (const auto& [name, group] : groups->items()) {
    const json* weights = member_of(&group, "weights");
    const double scale = text_of(member_of(weights, "type")) == "float" ? 8 : 16;
    const double bits = bits_with_scales(weights, number_of(member_of(weights, "num_bits")), scale);
    if (!(bits >= 1 && bits <= 16)) continue;
    found = true;
    const json* targets = member_of(&group, "targets");
    if (names_all(targets)) set_matrices(bits, stored);
    else set_named(targets, bits, layers, stored);
  }
  return found;
}

// Bits of methods that store all matrices alike; 0: not known.
double bits_of_all(const json& quantization) {
  const std::string method = text_of(member_of(&quantization, "quant_method"));
  const std::string algorithm = text_of(member_of(&quantization, "quant_algo"));
  if (contains(method, "fp8") || algorithm == "FP8") return 8;
  if (algorithm == "NVFP4") return 4 + 8.0 / 16;
  if (is_true(member_of(&quantization, "load_in_8bit"))) return 8;
  // QLoRA: a 32-bit scale for 64 weights, or an 8-bit one and a 32-bit scale for 256 of them.
  if (is_true(member_of(&quantization, "load_in_4bit")))
    return is_true(member_of(&quantization, "bnb_4bit_use_double_quant"))
               ? 4 + 8.0 / 64 + 32.0 / (64 * 256)
               : 4 + 32.0 / 64;
  const double bits = number_of(member_of(&quantization, "bits"));
  // A scale in 16 bits and an offset per group.
  return bits_with_scales(&quantization, bits, 16 + bits);
}

// MLX: a scale and an offset in 16 bits per group, or a scale in 8 bits; the embedding table, too.
// Modules with other bits, usually routers, are not told apart.
bool read_mlx(Keys& keys, Precision& stored) {
  const json* found = keys.find("quantization");
  const bool is_float = contains(text_of(member_of(found, "mode")), "fp");
  const double bits =
      bits_with_scales(found, number_of(member_of(found, "bits")), is_float ? 8 : 32);
  if (!(bits >= 1 && bits <= 16)) return false;
  set_matrices(bits, stored);
  stored.head = stored.other = bits;
  return true;
}

}  // namespace

void read_storage(Keys& keys, double layers, Network& network) {
  Precision& stored = network.stored;
  std::string type = keys.text("torch_dtype");
  if (type.empty()) type = keys.text("dtype");
  if (type == "float32") set_matrices(32, stored), stored.head = stored.other = 32;
  if (read_mlx(keys, stored)) return;
  const json* found = keys.find("quantization_config");
  if (found == nullptr || !found->is_object()) return;
  set_matrices(16, stored);
  stored.head = stored.other = 16;
  // 4 bits, and a scale of 8 bits for 32 weights; attention stays in 16 bits.
  if (text_of(member_of(found, "quant_method")) == "mxfp4")
    return void(stored.expert = 4 + 8.0 / 32);
  if (!read_groups(*found, layers, stored)) {
    const double bits = bits_of_all(*found);
    if (!(bits >= 1 && bits <= 16))
      return network.notes.push_back(
          {"The file does not say how many bits its quantized weights "
           "have. This page assumes 16."});
    set_matrices(bits, stored);
  }
  for (const char* list : {"ignore", "modules_to_not_convert", "exclude_modules"})
    set_named(member_of(found, list), 16, layers, stored);
}

}  // namespace figures::costs
