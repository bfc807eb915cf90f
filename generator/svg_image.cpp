#include "generator/svg_image.hpp"

#include <algorithm>
#include <initializer_list>
#include <pugixml.hpp>

namespace primer {
namespace {

// Elements that draw, describe or are referred to by those that do.
constexpr std::string_view allowed[] = {
    "svg",      "g",        "defs",     "symbol",  "title",          "desc",           "path",
    "rect",     "circle",   "ellipse",  "line",    "polyline",       "polygon",        "text",
    "tspan",    "textPath", "marker",   "mask",    "clipPath",       "pattern",        "stop",
    "use",      "switch",   "metadata", "filter",  "linearGradient", "radialGradient", "style",
    "feBlend",  "feFlood",  "feMerge",  "feOffset", "feMergeNode",   "feGaussianBlur",
    "feComposite", "feColorMatrix", "feDropShadow",
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

bool loads(std::string_view css) {
  std::string text = lower(css);
  if (text.find("@import") != text.npos || text.find('\\') != text.npos) return true;
  for (auto at = text.find("url("); at != text.npos; at = text.find("url(", at + 1)) {
    const auto target = text.find_first_not_of(" '\"\t\n", at + 4);
    if (target == text.npos || text[target] != '#') return true;
  }
  return false;
}

std::string attribute_fault(const pugi::xml_attribute& attribute) {
  const std::string name = lower(attribute.name());
  const std::string_view value = attribute.value();
  if (name.starts_with("on")) return "it holds the handler " + name;
  const bool address = name == "href" || name.ends_with(":href") || name == "src";
  if (address && !value.starts_with('#')) return "it refers to what lies outside of it";
  if (name != "xmlns" && !name.starts_with("xmlns:") && loads(value)) {
    return "its attribute " + name + " loads something";
  }
  return {};
}

std::string element_fault(const pugi::xml_node& node) {
  if (node.type() == pugi::node_comment) return {};
  if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) {
    const bool style = std::string_view(node.parent().name()) == "style";
    return style && loads(node.value()) ? "its style loads something" : "";
  }
  if (node.type() != pugi::node_element) return "it has a processing instruction or document type";
  const std::string_view name = node.name();
  if (std::find(std::begin(allowed), std::end(allowed), name) == std::end(allowed)) {
    return "it holds a <" + std::string(name) + ">";
  }
  for (const auto& attribute : node.attributes()) {
    if (auto fault = attribute_fault(attribute); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace

std::string svg_fault(std::string_view bytes) {
  pugi::xml_document document;
  // The XML declaration is not kept, so that all other instructions are refused.
  const unsigned options = pugi::parse_full & ~pugi::parse_declaration;
  const auto parsed = document.load_buffer(bytes.data(), bytes.size(), options,
                                           pugi::encoding_utf8);
  if (!parsed) return std::string("it is not well-formed: ") + parsed.description();
  if (std::string_view(document.document_element().name()) != "svg") return "its root is no <svg>";
  // Every node in document order, without recursion.
  for (pugi::xml_node node = document.first_child(); node;) {
    if (auto fault = element_fault(node); !fault.empty()) return fault;
    if (node.first_child()) {
      node = node.first_child();
      continue;
    }
    while (node && !node.next_sibling()) node = node.parent();
    if (node) node = node.next_sibling();
  }
  return {};
}

}  // namespace primer
