#include "generator/core/render/drawing.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

#include "generator/core/base/pack.hpp"
#include "generator/core/load/values.hpp"

namespace primer {
namespace {
std::string key_of(const Digest& profiles, const nlohmann::json& spec,
                   const figures::Options& options, const Messages& words) {
  Packer packer;
  packer.add(profiles);
  packer.add(spec.dump());
  packer.add(static_cast<std::uint64_t>(options.width));
  packer.add(static_cast<std::uint64_t>(options.theme));
  packer.add(options.lang);
  packer.add(words.drawings_version());
  return std::move(packer.bytes);
}

// Serializes an error too, because finding one can cost as much as drawing.
std::string pack(const figures::Result<figures::Rendering>& drawn) {
  if (drawn) return 'd' + pack_drawing(*drawn);
  const figures::Error& error = drawn.error();
  Packer packer;
  packer.add(error.message);
  packer.add(std::uint64_t{error.offset});
  packer.add(std::uint64_t{error.length});
  packer.add(error.suggestion);
  packer.add(static_cast<std::uint64_t>(error.cause));
  packer.add(static_cast<std::uint64_t>(error.code));
  packer.add(error.path);
  return 'e' + packer.bytes;
}

std::optional<figures::Error> unpack_error(std::string_view bytes) {
  std::string message, suggestion, path;
  std::uint64_t offset = 0, length = 0, cause = 0, code = 0;
  Unpacker unpacker(bytes);
  unpacker.take(message);
  unpacker.take(offset);
  unpacker.take(length);
  unpacker.take(suggestion);
  unpacker.take(cause);
  unpacker.take(code);
  unpacker.take(path);
  if (!unpacker.whole()) return std::nullopt;
  return figures::Error(message, offset, length, suggestion, static_cast<figures::Cause>(cause))
      .as(static_cast<figures::Code>(code))
      .of(path);
}

// The cached result, unless a fact that the drawing read has changed.
std::optional<figures::Result<figures::Rendering>> find(const Cache& cache, const std::string& key,
                                                        const figures::Facts& facts) {
  const auto bytes = cache.find(Cache::Kind::figure, key);
  if (!bytes) return std::nullopt;
  Unpacker unpacker(*bytes);
  Dependencies asked;
  std::string drawn;
  unpacker.take(asked);
  unpacker.take(drawn);
  if (!unpacker.whole() || drawn.empty()) return std::nullopt;
  const auto is_same = [&](const auto& one) { return digest_of(facts, one.first) == one.second; };
  if (!std::ranges::all_of(asked, is_same)) return std::nullopt;
  const std::string_view rest = std::string_view(drawn).substr(1);
  if (drawn.front() == 'e') {
    if (auto error = unpack_error(rest)) return *error;
    return std::nullopt;
  }
  figures::Rendering drawing;
  if (!unpack_drawing(rest, drawing)) return std::nullopt;
  return drawing;
}

}  // namespace

std::string pack_drawing(const figures::Rendering& drawing) {
  const auto& [svg, width, height, title, description, table, omitted, unsaid, shows_reader] =
      drawing;
  Packer packer;
  packer.add(svg);
  packer.add(width);
  packer.add(height);
  packer.add(title);
  packer.add(description);
  packer.add(table.columns);
  packer.add(std::uint64_t{table.rows.size()});
  for (const auto& row : table.rows) packer.add(row);
  packer.add(omitted);
  packer.add(unsaid);
  packer.add(std::uint64_t{shows_reader});
  return std::move(packer.bytes);
}

bool unpack_drawing(std::string_view bytes, figures::Rendering& drawing) {
  auto& [svg, width, height, title, description, table, omitted, unsaid, shows_reader] = drawing;
  Unpacker unpacker(bytes);
  unpacker.take(svg);
  unpacker.take(width);
  unpacker.take(height);
  unpacker.take(title);
  unpacker.take(description);
  unpacker.take(table.columns);
  unpacker.take_each([&, &rows = table.rows] { unpacker.take(rows.emplace_back()); });
  unpacker.take(omitted);
  unpacker.take(unsaid);
  std::uint64_t flag = 0;
  unpacker.take(flag);
  shows_reader = flag != 0;
  return unpacker.whole();
}

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
  const std::string key = key_of(profiles, spec, options, words);
  if (auto drawn = find(*cache, key, *inputs.facts)) return std::move(*drawn);
  figures::FactLookups lookups;
  const figures::Facts facts = inputs.facts->watched(lookups);
  auto drawn = render({&facts, inputs.reference, inputs.reader, inputs.catalogue});
  Packer packer;
  packer.add(reads_of(*inputs.facts, lookups));
  packer.add(pack(drawn));
  cache->store(Cache::Kind::figure, key, std::move(packer.bytes));
  return drawn;
}

// Models.

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

// The model's own copy of a control's id, which outlives the frame.
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
