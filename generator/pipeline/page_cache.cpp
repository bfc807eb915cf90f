#include "generator/pipeline/page_cache.hpp"

#include <algorithm>

#include "generator/base/text.hpp"

namespace primer {
namespace {

std::string key_of(const Reads& known) {
  Packer packer;
  packer.add(known);
  return std::move(packer.bytes);
}

// "read chapters/facts/chips.json" → "chapters/facts/chips.json changed".
std::string sentence(const std::string& name, const Digest& before, const Digest& now) {
  const auto space = name.find(' ');
  const std::string kind = name.substr(0, space);
  const std::string what = space == name.npos ? "" : name.substr(space + 1);
  if (kind == "read") {
    return what + (before == absent ? " is new" : now == absent ? " is gone" : " changed");
  }
  if (kind == "list") return "the files in " + what + " changed";
  if (kind == "anchors") {
    return "the headings or ids of " + (what.empty() ? "some chapter" : what) + " changed";
  }
  return name + " changed";
}

}  // namespace

Digest PageCache::digest_of(const std::string& name) const {
  return name.starts_with("anchors") ? index_.digest_of(name) : files_.digest_of(name);
}

std::optional<PageCache::Found> PageCache::find(const Reads& known) const {
  const auto bytes = cache_ ? cache_->find(Cache::Kind::page, key_of(known)) : std::nullopt;
  if (!bytes) return std::nullopt;
  Unpacker unpacker(*bytes);
  Found found;
  unpacker.take(found.inputs);
  const bool still_true =
      std::all_of(found.inputs.begin(), found.inputs.end(),
                  [&](const auto& input) { return digest_of(input.first) == input.second; });
  if (!still_true) return std::nullopt;
  unpack(unpacker, found.page);
  if (!unpacker.whole()) return std::nullopt;
  return found;
}

void PageCache::store(const Reads& known, const Reads& asked, const RenderedPage& page) const {
  if (!cache_) return;
  Packer packer;
  packer.add(asked);
  pack(packer, page);
  cache_->store(Cache::Kind::page, key_of(known), std::move(packer.bytes));
}

std::vector<std::string> PageCache::changes(const std::string& file, const Reads& inputs) const {
  if (!cache_) return {};
  const std::string key = "inputs of " + file;
  const auto bytes = cache_->find(Cache::Kind::build, key);
  Packer now;
  now.add(inputs);
  if (bytes == now.bytes) return {};
  cache_->store(Cache::Kind::build, key, now.bytes);
  if (!bytes) return {"it was not built before"};
  Reads before;
  Unpacker(*bytes).take(before);
  // What only one of the two builds asked for follows from something else that changed.
  std::vector<std::string> sentences;
  for (const auto& [name, digest] : inputs) {
    const auto old = before.find(name);
    if (old != before.end() && old->second != digest) {
      sentences.push_back(sentence(name, old->second, digest));
    }
  }
  return sentences;
}

}  // namespace primer
