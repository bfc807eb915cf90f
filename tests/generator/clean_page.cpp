#include "clean_page.hpp"

#include <algorithm>
#include <cstring>
#include <pugixml.hpp>
#include <string_view>

namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

bool is_safe_address(std::string_view url) {
  if (url.starts_with("//")) return false;
  const auto end = url.find_first_of(":/#?");
  const bool has_scheme = end != url.npos && url[end] == ':';
  return !has_scheme || url.starts_with("https://") || url.starts_with("http://") ||
         url.starts_with("mailto:");
}

std::string dirt_in(const pugi::xml_node& node) {
  const std::string name = lower(node.name());
  if (is_one_of(name, {"script", "style", "iframe", "object", "embed", "form", "base", "meta",
                       "link", "foreignobject", "use", "set", "animate", "handler"})) {
    return "the element " + name;
  }
  if (node.type() != pugi::node_element && node.type() != pugi::node_pcdata) {
    return "markup that the emitter never writes";
  }
  for (const auto& attribute : node.attributes()) {
    const std::string key = lower(attribute.name());
    if (key.starts_with("on") || is_one_of(key, {"style", "srcdoc", "action", "formaction"})) {
      return "the attribute " + key;
    }
    if (is_one_of(key, {"href", "src", "xlink:href", "data", "poster"}) &&
        !is_safe_address(attribute.value())) {
      return "the address " + std::string(attribute.value());
    }
  }
  for (const auto& child : node.children()) {
    if (auto dirt = dirt_in(child); !dirt.empty()) return dirt;
  }
  return {};
}

}  // namespace

std::string dirt_in(const std::string& html) {
  pugi::xml_document document;
  const std::string page = "<page>" + html + "</page>";
  const auto parsed =
      document.load_buffer(page.data(), page.size(), pugi::parse_full, pugi::encoding_utf8);
  if (!parsed) {
    return std::string("not well-formed (") + parsed.description() +
           "): " + page.substr(static_cast<std::size_t>(parsed.offset), 60);
  }
  return dirt_in(document.child("page"));
}
