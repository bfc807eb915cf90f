#include "generator/core/render/drawing.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

#include "generator/core/base/pack.hpp"
#include "generator/core/load/values.hpp"

namespace primer {
namespace {
auto members_of(const figures::Options& options) {
  // The version of the words is in the key, next to the options.
  const auto& [width, theme, lang, words] = options;
  return std::tie(width, theme, lang);
}

template <class Drawing>
auto members_of_drawing(Drawing& drawing) {
  auto& [svg, width, height, title, description, table, omitted, unsaid, shows_reader] = drawing;
  return std::tie(svg, width, height, title, description, table.columns, table.rows, omitted,
                  unsaid, shows_reader);
}

template <class Error>
auto members_of_error(Error& error) {
  auto& [message, offset, length, suggestion, cause, code, path] = error;
  return std::tie(message, offset, length, suggestion, cause, code, path);
}

// The cached result, unless a fact that the drawing read has changed.
std::optional<figures::Result<figures::Rendering>> find(const Cache& cache, const std::string& key,
                                                        const figures::Facts& facts) {
  const auto bytes = cache.find(Cache::Kind::figure, key);
  if (!bytes) return std::nullopt;
  Unpacker unpacker(*bytes);
  Dependencies asked;
  bool is_drawn = false;
  unpacker.take(asked);
  unpacker.take(is_drawn);
  const auto is_same = [&](const auto& one) { return digest_of(facts, one.first) == one.second; };
  if (!unpacker.good() || !std::ranges::all_of(asked, is_same)) return std::nullopt;
  figures::Rendering drawing;
  figures::Error error{""};
  if (is_drawn) unpacker.take(members_of_drawing(drawing));
  else unpacker.take(members_of_error(error));
  if (!unpacker.whole()) return std::nullopt;
  if (!is_drawn) return error;
  return drawing;
}

}  // namespace

figures::Result<figures::Rendering> draw(Cache* cache, const Digest& profiles,
                                         const nlohmann::json& spec, const figures::Inputs& inputs,
                                         const figures::Options& options, const Messages& words) {
  const auto render = [&](const figures::Inputs& from) {
    auto [drawn, unsaid] = draw_in_words(
        words, options, [&](const auto& said) { return figures::render(spec, from, said); });
    if (drawn) drawn->unsaid = std::move(unsaid);
    return std::move(drawn);
  };
  if (!cache) return render(inputs);
  const std::string key =
      pack(profiles, spec.dump(), members_of(options), words.drawings_version());
  if (auto drawn = find(*cache, key, *inputs.facts)) return std::move(*drawn);
  figures::FactLookups lookups;
  const figures::Facts facts = inputs.facts->watched(lookups);
  auto drawn = render({&facts, inputs.reference, inputs.reader, inputs.catalogue});
  // Stores an error too, because finding one can cost as much as drawing.
  const std::string found =
      drawn ? pack(members_of_drawing(*drawn)) : pack(members_of_error(drawn.error()));
  cache->store(Cache::Kind::figure, key,
               pack(reads_of(*inputs.facts, lookups), bool(drawn)) + found);
  return drawn;
}

// Models.

namespace {
namespace models = figures::models;

// Without notices, because frames with notices are not cached, and without `unused`, whose ids are
// views.
template <class Frame>
auto members_of_frame(Frame& frame) {
  auto& [rendering, step, length, first, on_paper, values, notices, where, unused] = frame;
  return std::tuple_cat(members_of_drawing(rendering),
                        std::tie(step, length, first, on_paper, values, where));
}

std::string pack_frame(const models::Frame& frame, const std::vector<std::string>& unsaid) {
  const std::vector<std::string> unused(frame.unused.begin(), frame.unused.end());
  return pack(members_of_frame(frame), unused, unsaid);
}

// The model's own copy of a control's id, which outlives the frame.
std::optional<std::string_view> id_of(const models::Model& model, const std::string& id) {
  const auto controls = model.controls();
  const auto named = [&](const models::Control& control) { return control.id == id; };
  const auto found = std::find_if(controls.begin(), controls.end(), named);
  return found == controls.end() ? std::nullopt : std::optional(std::string_view(found->id));
}

std::optional<ModelDrawing> unpack_frame(std::string_view bytes, const models::Model& model) {
  models::Frame frame;
  std::vector<std::string> unused, unsaid;
  auto members = members_of_frame(frame);
  bool whole =
      unpack(bytes, members, unused, unsaid) && frame.values.size() == model.controls().size();
  for (const auto& id : unused) {
    const auto known = id_of(model, id);
    if (known) frame.unused.push_back(*known);
    else whole = false;
  }
  if (!whole) return std::nullopt;
  return ModelDrawing{std::move(frame), std::move(unsaid)};
}

}  // namespace

ModelDrawing draw_model(Cache* cache, const ModelInputs& inputs, int step,
                        const figures::Options& options, const Messages& words) {
  const std::string key =
      cache ? pack("a model's picture", members_of(inputs.numbers), inputs.model.name(),
                   inputs.params.dump(), step, members_of(options), words.drawings_version())
            : "";
  if (const auto kept = cache ? cache->find(Cache::Kind::figure, key) : std::nullopt) {
    if (auto drawing = unpack_frame(*kept, inputs.model)) return std::move(*drawing);
  }
  auto [frame, unsaid] = draw_in_words(words, options, [&](const figures::Options& said) {
    return models::render_model(inputs.model.name(), inputs.params, step, inputs.numbers, said);
  });
  if (cache && frame && frame->notices.empty())
    cache->store(Cache::Kind::figure, key, pack_frame(*frame, unsaid));
  return {std::move(frame), std::move(unsaid)};
}

}  // namespace primer
