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
  const std::string change = before == absent ? " is new" : now == absent ? " is gone" : " changed";
  const auto entry = [&](const std::string& kind) {
    return what.empty() ? "some " + kind + " changed" : "the " + kind + ' ' + what + change;
  };
  switch (dependency.kind) {
    case Dependency::Kind::fact: return entry("fact");
    case Dependency::Kind::reference: return entry("reference");
    case Dependency::Kind::original_term:
    case Dependency::Kind::term: return entry("term");
    case Dependency::Kind::thing:
      return what.empty() ? "the titles above facts changed" : "the title above " + what + change;
    case Dependency::Kind::file: return what + change;
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
  switch (asked.kind) {
    case Dependency::Kind::all_anchors:
    case Dependency::Kind::anchors: return shared_.index.digest_of(asked);
    case Dependency::Kind::fact:
    case Dependency::Kind::thing: return primer::digest_of(shared_.values.facts, asked);
    case Dependency::Kind::original_term:
      return shared_.original ? shared_.original->library.digest_of(asked) : absent;
    case Dependency::Kind::reference:
    case Dependency::Kind::term: return shared_.library.digest_of(asked);
    case Dependency::Kind::directory:
    case Dependency::Kind::file:
    case Dependency::Kind::given: break;
  }
  return shared_.files.digest_of(asked);
}

std::optional<PageCache::Found> PageCache::find(const KnownInputs& known) const {
  const auto bytes =
      shared_.cache ? shared_.cache->find(Cache::Kind::page, key_of(known)) : std::nullopt;
  if (!bytes) return std::nullopt;
  Unpacker unpacker(*bytes);
  Found found;
  unpacker.take(found.asked);
  const bool still_true =
      std::all_of(found.asked.begin(), found.asked.end(),
                  [&](const auto& input) { return digest_of(input.first) == input.second; });
  if (!still_true) return std::nullopt;
  unpack(unpacker, found.page, shared_.cache);
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
  if (!shared_.cache) return;
  page.text.store_in(*shared_.cache);
  Packer packer;
  packer.add(asked);
  pack(packer, page);
  shared_.cache->store(Cache::Kind::page, key_of(known), std::move(packer.bytes));
  if (late_texts_) page.text = LateText(*shared_.cache, page.text.version());
}

std::vector<std::string> PageCache::changes(const std::string& file, const KnownInputs& known,
                                            const Dependencies& asked) const {
  if (!shared_.cache) return {};
  Dependencies inputs = known.common->all;
  inputs.insert(known.own.begin(), known.own.end());
  inputs.insert(asked.begin(), asked.end());
  const std::string key = "inputs of " + file;
  const auto bytes = shared_.cache->find(Cache::Kind::build, key);
  Packer now;
  now.add(inputs);
  if (bytes == now.bytes) return {};
  shared_.cache->store(Cache::Kind::build, key, now.bytes);
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
