#include "generator/drawing.hpp"

#include <bit>
#include <nlohmann/json.hpp>

#include "generator/pack.hpp"

namespace primer {
namespace {

std::string key_of(const Digest& values, const nlohmann::json& spec,
                   const figures::Options& options) {
  const auto& [width, theme, id_prefix, lang] = options;
  Packer packer;
  packer.add(values);
  packer.add(spec.dump());
  packer.add(static_cast<std::uint64_t>(width));
  packer.add(static_cast<std::uint64_t>(theme));
  packer.add(id_prefix);
  packer.add(lang);
  return std::move(packer.bytes);
}

std::string pack(const figures::Rendering& drawing) {
  const auto& [svg, width, height, title, description, table, omitted] = drawing;
  Packer packer;
  packer.add(svg);
  packer.add(std::bit_cast<std::uint64_t>(width));
  packer.add(std::bit_cast<std::uint64_t>(height));
  packer.add(title);
  packer.add(description);
  packer.add(table.columns);
  packer.add(std::uint64_t{table.rows.size()});
  for (const auto& row : table.rows) packer.add(row);
  packer.add(omitted);
  return std::move(packer.bytes);
}

bool unpack(std::string_view bytes, figures::Rendering& drawing) {
  auto& [svg, width, height, title, description, table, omitted] = drawing;
  Unpacker unpacker(bytes);
  std::uint64_t width_bits = 0, height_bits = 0;
  unpacker.take(svg);
  unpacker.take(width_bits);
  unpacker.take(height_bits);
  unpacker.take(title);
  unpacker.take(description);
  unpacker.take(table.columns);
  unpacker.take_each([&, &rows = table.rows] { unpacker.take(rows.emplace_back()); });
  unpacker.take(omitted);
  width = std::bit_cast<double>(width_bits);
  height = std::bit_cast<double>(height_bits);
  return unpacker.whole();
}

}  // namespace

figures::Result<figures::Rendering> draw(Cache* cache, const Digest& values,
                                         const nlohmann::json& spec,
                                         const figures::Inputs& inputs,
                                         const figures::Options& options) {
  if (!cache) return figures::render(spec, inputs, options);
  const std::string key = key_of(values, spec, options);
  if (const auto bytes = cache->find(Cache::Kind::figure, key)) {
    figures::Rendering drawing;
    if (unpack(*bytes, drawing)) return drawing;
  }
  auto drawn = figures::render(spec, inputs, options);
  if (drawn) cache->store(Cache::Kind::figure, key, pack(*drawn));
  return drawn;
}

}  // namespace primer
