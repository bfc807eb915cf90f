// Documents with one or two mistakes, derived from a correct one. They are the same on every
// machine.
#pragma once

#include <algorithm>
#include <cctype>
#include <random>
#include <string>
#include <vector>

#include "generator/core/formats/yaml.hpp"

namespace mutants {

using primer::Yaml;
using Kind = Yaml::Kind;

inline Yaml scalar_at(const Yaml& place, std::string text, bool plain) {
  Yaml node;
  node.kind = Kind::scalar;
  node.offset = place.offset;
  node.length = place.length;
  node.text = std::move(text);
  node.plain = plain;
  return node;
}

inline void add_nodes(Yaml& node, std::vector<Yaml*>& all) {
  all.push_back(&node);
  for (auto& item : node.items) add_nodes(item, all);
  for (auto& [key, value] : node.entries) add_nodes(value, all);
}

inline bool is_literal(const std::string& text) {
  return text == "true" || text == "false" ||
         (!text.empty() && text.find_first_not_of("0123456789") == text.npos &&
          (text[0] != '0' || text.size() == 1));
}

// Replaces a value, or returns false if that changes nothing.
inline bool replace_value(Yaml& node, std::size_t edit, bool yaml) {
  struct Value {
    const char* text;
    bool plain;
  };
  constexpr Value values[] = {{"true", true},       {"", false},   {" ", false},
                              {"none such", false}, {"0", true},   {"1", false},
                              {"-1", true},         {"1.5", true}, {"99999999999999999999", true}};
  if (edit < std::size(values)) {
    node = scalar_at(node, values[edit].text, values[edit].plain);
    return true;
  }
  Yaml inner = node;
  node = scalar_at(inner, yaml ? "" : "null", true);
  switch (edit - std::size(values)) {
    case 0: node.kind = Kind::null; return true;
    case 1: node.kind = Kind::list, node.text = ""; return true;
    case 2: node.kind = Kind::map, node.text = ""; return true;
    case 3:
      node.kind = Kind::list, node.text = "", node.items.push_back(std::move(inner));
      return true;
    default: break;
  }
  node.kind = Kind::map, node.text = "";
  node.entries.push_back({scalar_at(inner, "none-such", yaml), std::move(inner)});
  return true;
}

// Changes a text, or returns false if there is none.
inline bool change_text(Yaml& node, std::size_t edit, bool yaml) {
  if (node.kind != Kind::scalar) return false;
  if (edit == 0) {
    if (node.text.empty() || (!yaml && !is_literal(node.text))) return false;
    node.plain = !node.plain;
    return true;
  }
  if (node.plain && !yaml) return false;
  if (edit == 1) node.text += std::string(4000, 'x');
  if (edit == 2) node.text += "-";
  if (edit == 3 && !node.text.empty())
    node.text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(node.text[0])));
  return true;
}

// Changes the members of a map or the items of a list.
inline bool change_members(Yaml& node, std::size_t edit, bool yaml, std::mt19937& random) {
  const std::size_t count = node.entries.size() + node.items.size();
  if (edit == 0 && node.kind == Kind::map) {
    node.entries.push_back({scalar_at(node, "none-such", yaml), scalar_at(node, "1", true)});
    return true;
  }
  if (count == 0) return false;
  const auto at = static_cast<std::ptrdiff_t>(random() % count);
  if (edit == 1) {
    if (node.kind == Kind::map) node.entries.erase(node.entries.begin() + at);
    else node.items.erase(node.items.begin() + at);
    return true;
  }
  if (edit == 2 && node.kind == Kind::map) {
    node.entries[static_cast<std::size_t>(at)].key.text += 's';
    return true;
  }
  if (edit == 2) {
    const Yaml one = node.items.front();
    node.items.resize(120, one);
    return true;
  }
  if (edit != 3 || count < 2) return false;
  const std::size_t one = random() % count, other = random() % count;
  if (node.kind == Kind::map) std::swap(node.entries[one].value, node.entries[other].value);
  else std::swap(node.items[one], node.items[other]);
  return one != other;
}

// Applies one of the edits to one of the nodes.
inline bool edit_node(Yaml& document, std::mt19937& random, bool yaml) {
  std::vector<Yaml*> nodes;
  add_nodes(document, nodes);
  Yaml& node = *nodes[random() % nodes.size()];
  const std::size_t edit = random() % 24;
  if (edit < 14) return replace_value(node, edit, yaml);
  if (edit < 18) return change_text(node, edit - 14, yaml);
  return change_members(node, (edit - 18) % 4, yaml, random);
}

// Calls `see` with `count` documents. Every fourth has two mistakes.
template <class See>
void for_each(const Yaml& document, bool yaml, std::size_t count, const See& see) {
  std::mt19937 random(20261129);
  for (std::size_t i = 0; i < count;) {
    Yaml mutant = document;
    bool changed = edit_node(mutant, random, yaml);
    if (i % 4 == 3) changed = edit_node(mutant, random, yaml) || changed;
    if (!changed) continue;
    see(i, mutant);
    ++i;
  }
}

}  // namespace mutants
