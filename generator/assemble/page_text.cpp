#include "generator/assemble/page_text.hpp"

#include <utility>

#include "generator/base/pack.hpp"

namespace primer {
namespace {

std::string packed(const PageText& text) {
  const auto& [body, prerequisites, d2l, data, heading] = text;
  Packer packer;
  for (const std::string* part : {&body, &prerequisites, &d2l, &data, &heading}) packer.add(*part);
  return std::move(packer.bytes);
}

std::string key_of(const Digest& version) { return "text " + to_text(version); }

}  // namespace

LateText::LateText(PageText text)
    : text_(std::make_shared<const PageText>(std::move(text))), version_(digest(packed(*text_))) {}

std::shared_ptr<const PageText> LateText::read() const {
  if (text_) return text_;
  const auto bytes = cache_->find(Cache::Kind::text, key_of(version_));
  if (!bytes) throw LostValue();
  PageText text;
  auto& [body, prerequisites, d2l, data, heading] = text;
  Unpacker unpacker(*bytes);
  for (std::string* part : {&body, &prerequisites, &d2l, &data, &heading}) unpacker.take(*part);
  if (!unpacker.whole()) throw LostValue();
  return std::make_shared<const PageText>(std::move(text));
}

LateText LateText::in_memory() const {
  LateText here = *this;
  here.text_ = read();
  return here;
}

void LateText::store_in(Cache& cache) const {
  cache.store(Cache::Kind::text, key_of(version_), packed(*read()));
}

}  // namespace primer
