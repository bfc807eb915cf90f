#include "generator/formats/kept_yaml.hpp"

#include "generator/base/pack.hpp"

namespace primer {
namespace {

void pack(Packer& packer, const Yaml& yaml) {
  const auto& [kind, offset, length, text, plain, comment, items, entries] = yaml;
  packer.add(static_cast<std::uint64_t>(kind));
  packer.add(std::uint64_t{offset});
  packer.add(std::uint64_t{length});
  packer.add(text);
  packer.add(std::uint64_t{plain});
  packer.add(std::uint64_t{comment});
  packer.add(std::uint64_t{items.size()});
  for (const auto& item : items) pack(packer, item);
  packer.add(std::uint64_t{entries.size()});
  for (const auto& [key, value] : entries) {
    pack(packer, key);
    pack(packer, value);
  }
}

void unpack(Unpacker& unpacker, Yaml& yaml) {
  auto& [kind, offset, length, text, plain, comment, items, entries] = yaml;
  std::uint64_t kind_number = 0, place = 0, size = 0, is_plain = 0, comment_place = 0;
  for (std::uint64_t* number : {&kind_number, &place, &size}) unpacker.take(*number);
  unpacker.take(text);
  unpacker.take(is_plain);
  unpacker.take(comment_place);
  kind = static_cast<Yaml::Kind>(kind_number);
  offset = place;
  length = size;
  plain = is_plain != 0;
  comment = comment_place;
  unpacker.take_each([&, &list = items] { unpack(unpacker, list.emplace_back()); });
  unpacker.take_each([&, &list = entries] {
    auto& [key, value] = list.emplace_back();
    unpack(unpacker, key);
    unpack(unpacker, value);
  });
}

}  // namespace

std::optional<Yaml> parse_kept_yaml(const Source& source, Cache* cache, Diagnostics& diagnostics) {
  const auto parse = [&](Diagnostics& found) {
    return parse_yaml(extract_lines(source, 1, source.line_count()), found);
  };
  if (!cache) return parse(diagnostics);
  Packer key;
  key.add(std::string("YAML"));
  key.add(source.text());
  if (const auto kept = cache->find(Cache::Kind::checked, key.bytes)) {
    Yaml yaml;
    Unpacker unpacker(*kept);
    unpack(unpacker, yaml);
    if (unpacker.whole()) return yaml;
  }
  Diagnostics found;
  auto yaml = parse(found);
  if (yaml && found.empty()) {
    Packer packer;
    pack(packer, *yaml);
    cache->store(Cache::Kind::checked, key.bytes, std::move(packer.bytes));
  }
  diagnostics.append(std::move(found));
  return yaml;
}

}  // namespace primer
