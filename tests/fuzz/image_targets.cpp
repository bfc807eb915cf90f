// Reads images of chapters from any bytes. The output must not contain anything that runs or loads,
// and must be an image that does not change if it is cleaned again.
#include <algorithm>
#include <pugixml.hpp>
#include <string>

#include "fuzz/targets.hpp"
#include "generator/core/pictures/image.hpp"

namespace {

void require(bool holds) {
  if (!holds) __builtin_trap();
}

std::string cleaned_twice(std::string_view name, std::string_view bytes) {
  const auto image = primer::clean_image(name, bytes, nullptr);
  if (!image) {
    require(!image.error().message.empty());
    return {};
  }
  const auto again = primer::clean_image(name, image->bytes, nullptr);
  require(again && again->bytes == image->bytes);
  return image->bytes;
}

void require_harmless(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  for (const char* never :
       {"script", "style", "foreignObject", "image", "a", "set", "iframe", "filter"}) {
    require(name != never);
  }
  require(name.find(':') == name.npos && !name.starts_with("animate"));
  for (const auto& attribute : node.attributes()) {
    const std::string_view key = attribute.name(), value = attribute.value();
    const bool fixed = key == "xmlns" || key == "xmlns:xlink" || key == "xml:space";
    require(fixed || key == "xlink:href" || key.find(':') == key.npos);
    require(!key.starts_with("on") && key != "style" && key != "src" && key != "href");
    require(key != "xlink:href" || value.starts_with('#'));
    require(key.starts_with("xmlns") ||
            (value.find("//") == value.npos && value.find('\\') == value.npos));
    for (auto at = value.find('('); at != value.npos; at = value.find('(', at + 1)) {
      require(!value.substr(0, at).ends_with("url") || value.substr(at + 1, 1) == "#");
    }
  }
}

struct Walker : pugi::xml_tree_walker {
  bool for_each(pugi::xml_node& node) override {
    require(node.type() == pugi::node_element || node.type() == pugi::node_pcdata);
    if (node.type() == pugi::node_element) require_harmless(node);
    return true;
  }
};

}  // namespace

void fuzz::drawing(std::string_view text) {
  const std::string written = cleaned_twice("a.svg", text);
  if (written.empty()) return;
  require(written.starts_with("<svg "));
  pugi::xml_document document;
  require(
      document.load_buffer(written.data(), written.size(), pugi::parse_full, pugi::encoding_utf8));
  Walker walker;
  document.traverse(walker);
}

void fuzz::raster(std::string_view text) {
  for (const char* name : {"a.png", "a.jpg", "a.webp"}) {
    const std::string written = cleaned_twice(name, text);
    require(written.empty() || primer::raster_kind(written) != primer::RasterKind::none);
  }
}
