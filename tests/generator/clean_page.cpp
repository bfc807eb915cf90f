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

// The first thing in the head of an embed that embed.cpp does not write: files of the site, loaded
// by their addresses.
std::string dirt_in_head(const pugi::xml_node& head) {
  for (const auto& child : head.children()) {
    const std::string name = child.name();
    if (child.type() == pugi::node_pcdata) continue;
    if (!is_one_of(name, {"meta", "title", "base", "link", "script"})) return "in a head: " + name;
    if (name == "script" && child.first_child()) return "a script in a head";
    for (const auto& attribute : child.attributes()) {
      const std::string key = attribute.name();
      const bool is_address = key == "href" || key == "src";
      if (key.starts_with("on") || (is_address && !is_safe_address(attribute.value())))
        return "in a head: " + key;
    }
  }
  return {};
}

}  // namespace

std::string dirt_in(const std::string& whole) {
  // Embeds are whole documents, and other pages what the test's template makes of them.
  const std::string doctype = "<!DOCTYPE html>";
  const bool is_embed = whole.starts_with(doctype);
  const std::string html = is_embed ? whole.substr(doctype.size()) : whole;
  pugi::xml_document document;
  const std::string text = "<page>" + html + "</page>";
  const auto parsed =
      document.load_buffer(text.data(), text.size(), pugi::parse_full, pugi::encoding_utf8);
  if (!parsed) {
    return std::string("not well-formed (") + parsed.description() +
           "): " + text.substr(static_cast<std::size_t>(parsed.offset), 60);
  }
  const auto page = document.child("page");
  if (!is_embed) return dirt_in(page);
  const auto head = dirt_in_head(page.child("html").child("head"));
  return head.empty() ? dirt_in(page.child("html").child("body")) : head;
}
