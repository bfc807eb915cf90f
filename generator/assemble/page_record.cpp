#include "generator/assemble/page_record.hpp"

namespace primer {

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
  packer.add(text.version());
  packer.add(data_name);
  packer.add(std::uint64_t{alive});
  packer.add(images);
  packer.add(offered);
  packer.add(listed);
  pack(packer, excerpt);
}

void unpack(Unpacker& unpacker, RenderedPage& page, const Cache* cache) {
  auto& [chapter, text, data_name, alive, images, offered, listed, excerpt] = page;
  Digest version;
  std::uint64_t is_alive = 0;
  unpacker.take(version);
  unpacker.take(data_name);
  unpacker.take(is_alive);
  if (cache) text = LateText(*cache, version);
  alive = is_alive != 0;
  unpacker.take(images);
  unpacker.take(offered);
  unpacker.take(listed);
  unpack(unpacker, excerpt);
}

}  // namespace primer
