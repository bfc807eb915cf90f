#include "generator/pictures/svg_expansion.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <unordered_map>

#include "generator/base/text.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;

// Sums and products stop here, far above the limit.
constexpr std::uint64_t saturated = 1'000'000;
constexpr int deepest_reference = 200;  // levels and references, one inside the other

struct Weight {
  std::uint64_t elements = 0;
  std::uint64_t details =
      0;  // numbers and characters of text: there are no more vertices than that

  void add(const Weight& other, std::uint64_t times = 1) {
    elements = std::min(saturated, elements + other.elements * times);
    details = std::min(saturated, details + other.details * times);
  }
};

class Expansion {
 public:
  explicit Expansion(const SvgNode& root) { collect(root); }

  Result<Weight> weight(const SvgNode& node, int depth = 0) {
    if (const auto known = weights_.find(&node); known != weights_.end()) return known->second;
    if (depth > deepest_reference)
      return Error("its elements refer to each other too deeply", node.offset);
    if (!open_.insert(&node).second) return Error("the element refers to itself", node.offset);
    auto counted = count(node, depth);
    open_.erase(&node);
    if (!counted) return counted;
    if (counted->elements > most_svg_elements) {
      return Error("it comes to more than " + std::to_string(most_svg_elements) +
                       " elements where it uses others: simplify it, or save the picture as PNG",
                   node.offset);
    }
    if (counted->details > most_svg_details) {
      return Error("it comes to more than " + std::to_string(most_svg_details) +
                       " numbers and characters where it "
                       "uses others: simplify it, or save the picture as PNG",
                   node.offset);
    }
    weights_.emplace(&node, *counted);
    return counted;
  }

 private:
  void collect(const SvgNode& node) {
    if (const auto id = node.attributes.find("id"); id != node.attributes.end())
      ids_.emplace(id->second, &node);
    for (const auto& child : node.children) collect(child);
  }

  Result<Weight> count(const SvgNode& node, int depth) {
    Weight own{1, 0};
    for (const auto& [name, value] : node.attributes) own.details += count_svg_numbers(value);
    for (const auto& child : node.children) {
      own.details = std::min(saturated, own.details + child.text.size());
      if (child.name.empty()) continue;
      const auto inside = weight(child, depth + 1);
      if (!inside) return inside;
      own.add(*inside);
    }
    // What <use> shows inherits from it, so it is part of the element's own.
    if (auto used = add_references(node, depth, true, own); !used) return used;
    return add_references(node, depth, false, own);
  }

  Result<Weight> add_references(const SvgNode& node, int depth, bool href, Weight& own) {
    const Weight body = own;
    for (const auto& [name, value] : node.attributes) {
      const auto target = ids_.find(std::string(svg_reference(name, value)));
      if (target == ids_.end() || (name == "href") != href) continue;
      const auto there = weight(*target->second, depth + 1);
      if (!there) return there;
      own.add(*there, times(name, *target->second, body));
    }
    return own;
  }

  // How often what an attribute refers to is drawn. Paints and markers are inherited: by all elements below.
  static std::uint64_t times(std::string_view attribute, const SvgNode& target,
                             const Weight& body) {
    if (target.name.ends_with("Gradient")) return 0;
    if (attribute == "fill" || attribute == "stroke") return body.elements;
    if (attribute == "marker-mid") return std::max(body.details, body.elements);
    if (attribute.starts_with("marker-")) return body.elements;
    return 1;
  }

  std::unordered_map<std::string, const SvgNode*> ids_;
  std::unordered_map<const SvgNode*, Weight> weights_;
  std::set<const SvgNode*> open_;
};

}  // namespace

std::uint64_t count_svg_numbers(std::string_view value) {
  std::uint64_t count = 0;
  bool inside = false;
  for (const char c : value) {
    const bool digit = c >= '0' && c <= '9';
    count += digit && !inside ? 1 : 0;
    inside = digit;
  }
  return std::min(saturated, count);
}

figures::Status check_expansion(const SvgNode& root) {
  const auto whole = Expansion(root).weight(root);
  if (!whole) return whole.error();
  return figures::ok();
}

}  // namespace primer
