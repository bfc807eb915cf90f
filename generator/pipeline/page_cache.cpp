#include "generator/pipeline/page_cache.hpp"

#include <algorithm>

#include "generator/base/text.hpp"

namespace primer {
namespace {

std::string key_of(const KnownInputs& known) {
  Packer packer;
  packer.add(known.common->version);
  packer.add(known.own);
  return std::move(packer.bytes);
}

Digest version_of(const Dependencies& inputs) {
  Packer packer;
  packer.add(inputs);
  return digest(packer.bytes);
}

// "chapters/facts/chips.json changed".
std::string sentence(const Dependency& dependency, const Digest& before, const Digest& now) {
  const std::string& what = dependency.what;
  switch (dependency.kind) {
    case Dependency::Kind::file:
      return what + (before == absent ? " is new" : now == absent ? " is gone" : " changed");
    case Dependency::Kind::directory: return "the files in " + what + " changed";
    case Dependency::Kind::anchors: return "the headings or ids of " + what + " changed";
    case Dependency::Kind::all_anchors: return "the headings or ids of some chapter changed";
    case Dependency::Kind::given: break;
  }
  return what + " changed";
}

}  // namespace

CommonInputs::CommonInputs(Dependencies inputs)
    : all(std::move(inputs)), version(version_of(all)) {}

Digest version_of(const KnownInputs& known, const Dependencies& asked) {
  Packer packer;
  packer.bytes = key_of(known);
  packer.add(asked);
  return digest(packer.bytes);
}

Digest PageCache::digest_of(const Dependency& asked) const {
  using Kind = Dependency::Kind;
  const bool of_index = asked.kind == Kind::anchors || asked.kind == Kind::all_anchors;
  return of_index ? index_.digest_of(asked) : files_.digest_of(asked);
}

std::optional<PageCache::Found> PageCache::find(const KnownInputs& known) const {
  const auto bytes = cache_ ? cache_->find(Cache::Kind::page, key_of(known)) : std::nullopt;
  if (!bytes) return std::nullopt;
  Unpacker unpacker(*bytes);
  Found found;
  unpacker.take(found.asked);
  const bool still_true =
      std::all_of(found.asked.begin(), found.asked.end(),
                  [&](const auto& input) { return digest_of(input.first) == input.second; });
  if (!still_true) return std::nullopt;
  unpack(unpacker, found.page, cache_);
  if (!unpacker.whole()) return std::nullopt;
  if (late_texts_) return found;
  try {
    found.page.text = found.page.text.in_memory();
  } catch (const LostValue&) {
    return std::nullopt;
  }
  return found;
}

void PageCache::store(const KnownInputs& known, const Dependencies& asked,
                      RenderedPage& page) const {
  if (!cache_) return;
  page.text.store_in(*cache_);
  Packer packer;
  packer.add(asked);
  pack(packer, page);
  cache_->store(Cache::Kind::page, key_of(known), std::move(packer.bytes));
  if (late_texts_) page.text = LateText(*cache_, page.text.version());
}

std::vector<std::string> PageCache::changes(const std::string& file, const KnownInputs& known,
                                            const Dependencies& asked) const {
  if (!cache_) return {};
  Dependencies inputs = known.common->all;
  inputs.insert(known.own.begin(), known.own.end());
  inputs.insert(asked.begin(), asked.end());
  const std::string key = "inputs of " + file;
  const auto bytes = cache_->find(Cache::Kind::build, key);
  Packer now;
  now.add(inputs);
  if (bytes == now.bytes) return {};
  cache_->store(Cache::Kind::build, key, now.bytes);
  if (!bytes) return {"it was not built before"};
  Dependencies before;
  Unpacker(*bytes).take(before);
  // What only one of the two builds asked for follows from something else that changed.
  std::vector<std::string> sentences;
  for (const auto& [dependency, digest] : inputs) {
    const auto old = before.find(dependency);
    if (old != before.end() && old->second != digest) {
      sentences.push_back(sentence(dependency, old->second, digest));
    }
  }
  return sentences;
}

}  // namespace primer
