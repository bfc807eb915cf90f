#include "generator/core/assemble/page_record.hpp"

#include "generator/core/base/pack.hpp"

namespace primer {
namespace {
void pack(Packer& packer, const PageText& text) {
  const auto& [body, prerequisites, d2l, data, heading] = text;
  for (const std::string* part : {&body, &prerequisites, &d2l, &data, &heading}) packer.add(*part);
}

void unpack(Unpacker& unpacker, PageText& text) {
  auto& [body, prerequisites, d2l, data, heading] = text;
  for (std::string* part : {&body, &prerequisites, &d2l, &data, &heading}) unpacker.take(*part);
}

}  // namespace

Digest version_of(const PageText& text) {
  Packer packer;
  pack(packer, text);
  return digest(packer.bytes);
}

void pack(Packer& packer, const Excerpt& excerpt) {
  const auto& [figures, cited, words] = excerpt;
  packer.add(std::uint64_t{figures.size()});
  for (const auto& [id, label, caption, finding, picture] : figures) {
    for (const std::string* text : {&id, &label, &caption, &finding, &picture}) packer.add(*text);
  }
  packer.add(cited);
  packer.add(words);
}

void unpack(Unpacker& unpacker, Excerpt& excerpt) {
  auto& [figures, cited, words] = excerpt;
  unpacker.take_each([&, &list = figures] {
    auto& [id, label, caption, finding, picture] = list.emplace_back();
    for (std::string* text : {&id, &label, &caption, &finding, &picture}) unpacker.take(*text);
  });
  unpacker.take(cited);
  unpacker.take(words);
}

void pack(Packer& packer, const RenderedPage& page) {
  const auto& [chapter, text, data_name, alive, images, offered, listed, excerpt] = page;
  pack(packer, text);
  packer.add(data_name);
  packer.add(std::uint64_t{alive});
  packer.add(images);
  packer.add(offered);
  packer.add(listed);
  pack(packer, excerpt);
}

void unpack(Unpacker& unpacker, RenderedPage& page) {
  auto& [chapter, text, data_name, alive, images, offered, listed, excerpt] = page;
  std::uint64_t is_alive = 0;
  unpack(unpacker, text);
  unpacker.take(data_name);
  unpacker.take(is_alive);
  alive = is_alive != 0;
  unpacker.take(images);
  unpacker.take(offered);
  unpacker.take(listed);
  unpack(unpacker, excerpt);
}

}  // namespace primer
