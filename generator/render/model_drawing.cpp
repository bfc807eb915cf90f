#include "generator/render/model_drawing.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "generator/render/drawing.hpp"

namespace primer {
namespace {

namespace models = figures::models;

std::string key_of(const ModelInputs& inputs, int step, const figures::Options& options,
                   const Messages& words) {
  Packer packer;
  packer.add(std::string_view("a model's picture"));
  pack(packer, inputs.numbers);
  packer.add(inputs.model.name());
  packer.add(inputs.params.dump());
  packer.add(static_cast<std::uint64_t>(step));
  packer.add(static_cast<std::uint64_t>(options.width));
  packer.add(static_cast<std::uint64_t>(options.theme));
  packer.add(options.lang);
  packer.add(words.drawings_version());
  return std::move(packer.bytes);
}

std::string pack(const models::Frame& frame, const std::vector<std::string>& unsaid) {
  Packer packer;
  packer.add(pack_drawing(frame.rendering));
  for (const int number : {frame.step, frame.length, frame.first, frame.on_paper})
    packer.add(static_cast<std::uint64_t>(number));
  packer.add(std::uint64_t{frame.values.size()});
  for (const double value : frame.values) packer.add(value);
  packer.add(frame.where);
  packer.add(std::vector<std::string>(frame.unused.begin(), frame.unused.end()));
  packer.add(unsaid);
  return std::move(packer.bytes);
}

// The ids of controls are texts of the model, which outlives its frames.
std::optional<std::string_view> id_of(const models::Model& model, const std::string& id) {
  const auto controls = model.controls();
  const auto named = [&](const models::Control& control) { return control.id == id; };
  const auto found = std::find_if(controls.begin(), controls.end(), named);
  return found == controls.end() ? std::nullopt : std::optional(std::string_view(found->id));
}

std::optional<ModelDrawing> unpack(std::string_view bytes, const models::Model& model) {
  models::Frame frame;
  std::vector<std::string> unused, unsaid;
  std::string drawing;
  Unpacker unpacker(bytes);
  unpacker.take(drawing);
  for (int* number : {&frame.step, &frame.length, &frame.first, &frame.on_paper}) {
    std::uint64_t taken = 0;
    unpacker.take(taken);
    *number = static_cast<int>(taken);
  }
  unpacker.take_each([&] { unpacker.take(frame.values.emplace_back()); });
  unpacker.take(frame.where);
  unpacker.take(unused);
  unpacker.take(unsaid);
  bool whole = unpacker.whole() && unpack_drawing(drawing, frame.rendering) &&
               frame.values.size() == model.controls().size();
  for (const auto& id : unused) {
    const auto known = id_of(model, id);
    if (known) frame.unused.push_back(*known);
    else whole = false;
  }
  if (!whole) return std::nullopt;
  return ModelDrawing{std::move(frame), std::move(unsaid)};
}

}  // namespace

void pack(Packer& packer, const models::Numbers& numbers) {
  const auto& [facts, machine] = numbers;
  packer.add(std::uint64_t{facts.size()});
  for (const auto& [id, value] : facts) packer.add(id), packer.add(value);
  const auto& [label, peak, bandwidth, l1, l2] = machine;
  packer.add(label);
  for (const double number : {peak, bandwidth, l1, l2}) packer.add(number);
}

ModelDrawing draw_model(Cache* cache, const ModelInputs& inputs, int step,
                        const figures::Options& options, const Messages& words) {
  const std::string key = cache ? key_of(inputs, step, options, words) : "";
  if (const auto kept = cache ? cache->find(Cache::Kind::figure, key) : std::nullopt) {
    if (auto drawing = unpack(*kept, inputs.model)) return std::move(*drawing);
  }
  auto [frame, unsaid] = draw_in_words(words, options, [&](const figures::Options& said) {
    return models::render_model(inputs.model.name(), inputs.params, step, inputs.numbers, said);
  });
  if (cache && frame && frame->notices.empty())
    cache->store(Cache::Kind::figure, key, pack(*frame, unsaid));
  return {std::move(frame), std::move(unsaid)};
}

}  // namespace primer
