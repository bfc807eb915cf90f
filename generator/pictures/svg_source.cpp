#include "generator/pictures/svg_source.hpp"

#include <algorithm>
#include <initializer_list>
#include <pugixml.hpp>
#include <set>

#include "generator/base/characters.hpp"
#include "generator/base/text.hpp"
#include "generator/pictures/svg_expansion.hpp"
#include "generator/pictures/svg_style.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::ok;
using figures::Result;
using figures::Status;

constexpr std::string_view svg_names = "http://www.w3.org/2000/svg";
constexpr std::string_view link_names = "http://www.w3.org/1999/xlink";
constexpr std::string_view xml_names = "http://www.w3.org/XML/1998/namespace";
constexpr int deepest_element = 100;  // levels of elements
constexpr int most_attributes = 100;  // of one element
constexpr std::size_t most_namespaces = 200;
constexpr std::size_t most_written = 4'000'000;

const Names allowed = {
    "svg",      "g",       "defs",           "symbol",         "title",  "desc",
    "path",     "rect",    "circle",         "ellipse",        "line",   "polyline",
    "polygon",  "text",    "tspan",          "textPath",       "marker", "mask",
    "clipPath", "pattern", "linearGradient", "radialGradient", "stop",   "use",
    "switch",
};
const Names holding_text = {"text", "tspan", "textPath", "title", "desc"};

// How to do without an element that is not published.
std::string mend_of(std::string_view name) {
  if (name == "foreignObject")
    return ": in draw.io switch off \"Word Wrap\" and \"Formatted Text\", elsewhere write the text as <text>";
  if (name == "filter" || name.starts_with("fe"))
    return ": take out blurs, shadows and other filters, or save the picture as PNG";
  if (name == "image") return ": a drawing holds no pictures, so save the whole as PNG";
  if (name == "script") return ": pictures only draw";
  if (name.starts_with("animate") || is_one_of(name, {"set", "mpath"}))
    return ": pictures do not move";
  if (name.starts_with("flow"))
    return ": in Inkscape choose Text, Convert to Text, and save as plain SVG";
  return ": save the file as plain SVG, or as PNG";
}

// Where a character stands that no text of a book may hold, or a byte that is not UTF-8; npos when there is none.
std::size_t bad_character(std::string_view text) {
  const auto hidden = first_hidden_character(text);
  return std::min(first_bad_byte(text), hidden ? hidden->offset : text.npos);
}

std::string_view local_name(std::string_view name) {
  const auto colon = name.find(':');
  return colon == name.npos ? name : name.substr(colon + 1);
}

std::string_view prefix_of(std::string_view name) {
  const auto colon = name.find(':');
  return colon == name.npos ? std::string_view() : name.substr(0, colon);
}

std::size_t offset_of(const pugi::xml_node& node) {
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, node.offset_debug()));
}

class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  Result<SvgNode> read(const pugi::xml_document& document);

 private:
  Status check_head(const pugi::xml_document& document) const;
  Status collect_styles(const pugi::xml_node& node, int depth);
  Status add_style(const pugi::xml_node& style);
  Status open_names(const pugi::xml_node& node);
  // Nothing when the prefix was not declared.
  const std::string* namespace_of(std::string_view prefix) const;
  bool is_svg(const pugi::xml_node& node) const;
  Error fault(const pugi::xml_node& node, const std::string& message) const {
    return Error(message, offset_of(node), std::string_view(node.name()).size());
  }
  Error attribute_fault(const pugi::xml_node& node, std::string_view name,
                        const std::string& message) const;
  Status take_attributes(const pugi::xml_node& from, SvgNode& to);
  Status take_attribute(const pugi::xml_node& from, const pugi::xml_attribute& attribute,
                        SvgNode& to);
  Status take_link(const pugi::xml_node& from, const pugi::xml_attribute& attribute, SvgNode& to);
  Status take_children(const pugi::xml_node& from, bool in_text, int depth, SvgNode& to);
  Status take_child(const pugi::xml_node& child, bool in_text, int depth, SvgNode& to);
  Status take_text(const pugi::xml_node& text, SvgNode& to) const;
  Status count(const pugi::xml_node& from, const SvgNode& made);
  Result<SvgNode> element(const pugi::xml_node& node, bool in_text, int depth);

  std::string_view file_;
  SvgStyles styles_;
  std::vector<std::pair<std::string, std::string>> names_;  // prefixes in scope, the innermost last
  std::size_t elements_ = 0, bytes_ = 0;
};

// Where an attribute stands in the element's tag, as far as it can be found.
Error Reader::attribute_fault(const pugi::xml_node& node, std::string_view name,
                              const std::string& message) const {
  const std::size_t begin = offset_of(node);
  constexpr std::size_t farthest = 10'000;
  const std::string_view tag = file_.substr(std::min(begin, file_.size()), farthest);
  for (auto at = tag.find(name); at != tag.npos; at = tag.find(name, at + 1)) {
    const auto behind = tag.find_first_not_of(" \t\r\n", at + name.size());
    const bool begins =
        at > 0 && std::string_view(" \t\r\n").find(tag[at - 1]) != std::string_view::npos;
    if (begins && behind != tag.npos && tag[behind] == '=')
      return Error(message, begin + at, name.size());
  }
  return fault(node, message);
}

Status Reader::check_head(const pugi::xml_document& document) const {
  int roots = 0;
  for (const auto& node : document.children()) {
    if (node.type() == pugi::node_element && ++roots > 1)
      return fault(node, "there is more than one root element");
    if (node.type() == pugi::node_doctype &&
        std::string_view(node.value()).find_first_of("[<") != std::string_view::npos) {
      return Error("the DOCTYPE declares entities or the like: save the file as plain SVG",
                   offset_of(node));
    }
    if (node.type() != pugi::node_declaration) continue;
    std::string encoding = node.attribute("encoding").as_string("utf-8");
    for (char& c : encoding) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    if (encoding != "utf-8") {
      return Error("the file says that its encoding is not UTF-8: save it as UTF-8",
                   offset_of(node));
    }
  }
  const auto root = document.document_element();
  const std::string_view prefix = prefix_of(root.name());
  const auto names =
      root.attribute(prefix.empty() ? "xmlns" : ("xmlns:" + std::string(prefix)).c_str());
  if (local_name(root.name()) != "svg") return fault(root, "its root is no <svg>");
  if (names.value() != svg_names) {
    return fault(root, "its root is no SVG without xmlns=\"" + std::string(svg_names) + '"');
  }
  return ok();
}

// To be called with the size of names_ restored after the element.
Status Reader::open_names(const pugi::xml_node& node) {
  int count = 0;
  std::set<std::string_view> seen;
  for (const auto& attribute : node.attributes()) {
    const std::string_view name = attribute.name();
    if (++count > most_attributes)
      return fault(node,
                   "the element has more than " + std::to_string(most_attributes) + " attributes");
    if (!seen.insert(name).second)
      return attribute_fault(node, name, "the attribute is there twice");
    if (name == "xmlns") names_.emplace_back("", attribute.value());
    if (name.starts_with("xmlns:")) names_.emplace_back(name.substr(6), attribute.value());
  }
  if (names_.size() > most_namespaces)
    return fault(node, "there are too many namespaces: save the file as plain SVG");
  for (const auto& attribute : node.attributes()) {
    const std::string_view prefix = prefix_of(attribute.name());
    if (prefix.empty() || prefix == "xmlns" || namespace_of(prefix)) continue;
    return attribute_fault(node, attribute.name(),
                           "the prefix " + in_quotes(svg_excerpt(prefix)) + " is not declared");
  }
  if (!prefix_of(node.name()).empty() && !namespace_of(prefix_of(node.name()))) {
    return fault(
        node, "the prefix " + in_quotes(svg_excerpt(prefix_of(node.name()))) + " is not declared");
  }
  return ok();
}

const std::string* Reader::namespace_of(std::string_view prefix) const {
  static const std::string none, xml(xml_names);
  if (prefix == "xml") return &xml;
  for (auto at = names_.rbegin(); at != names_.rend(); ++at) {
    if (at->first == prefix) return &at->second;
  }
  return prefix.empty() ? &none : nullptr;
}

bool Reader::is_svg(const pugi::xml_node& node) const {
  const std::string* names = namespace_of(prefix_of(node.name()));
  return names && *names == svg_names;
}

Status Reader::add_style(const pugi::xml_node& style) {
  const std::string_view type = style.attribute("type").as_string("text/css");
  if (type != "text/css") return fault(style, "the style sheet is not text/css");
  if (style.attribute("media"))
    return fault(style, "the style sheet is for some media only: take it out");
  std::string css;
  std::vector<std::pair<std::size_t, std::size_t>>
      pieces;  // where in `css` and in the file each begins
  for (const auto& piece : style.children()) {
    if (piece.type() == pugi::node_element) return fault(piece, "a style sheet holds no elements");
    if (piece.type() != pugi::node_pcdata && piece.type() != pugi::node_cdata) continue;
    pieces.emplace_back(css.size(), offset_of(piece));
    css += piece.value();
  }
  const auto added = styles_.add(css);
  if (added) return ok();
  std::size_t place = offset_of(style);
  for (const auto& [begin, offset] : pieces) {
    if (begin <= added.error().offset) place = offset + (added.error().offset - begin);
  }
  return Error(added.error().message, place, added.error().length);
}

// Rules hold for elements before them too. What is of no interest here is reported when it is taken.
Status Reader::collect_styles(const pugi::xml_node& node, int depth) {
  if (depth > deepest_element)
    return fault(node,
                 "its elements are nested more than " + std::to_string(deepest_element) + " deep");
  const std::size_t outside = names_.size();
  if (auto opened = open_names(node); !opened) return opened;
  Status done = ok();
  if (is_svg(node) && local_name(node.name()) == "style") {
    done = add_style(node);
  } else {
    for (const auto& child : node.children()) {
      if (child.type() == pugi::node_element && is_svg(node) && done)
        done = collect_styles(child, depth + 1);
    }
  }
  names_.resize(outside);
  return done;
}

Status Reader::take_link(const pugi::xml_node& from, const pugi::xml_attribute& attribute,
                         SvgNode& to) {
  const std::string_view value = trim(attribute.value());
  if (local_name(from.name()) == "a") return ok();  // it is drawn without its link
  if (!value.starts_with('#') || !is_svg_id(value.substr(1))) {
    return attribute_fault(from, attribute.name(),
                           "it refers to more than a place in the file, which is written #id");
  }
  if (local_name(attribute.name()) == attribute.name() || !to.attributes.contains("href"))
    to.attributes["href"] = value;
  return ok();
}

Status Reader::take_attribute(const pugi::xml_node& from, const pugi::xml_attribute& attribute,
                              SvgNode& to) {
  const std::string_view name = attribute.name();
  const std::string_view prefix = prefix_of(name);
  if (name == "xmlns" || prefix == "xmlns" || is_one_of(name, {"style", "class"})) return ok();
  if (bad_character(attribute.value()) != std::string_view::npos) {
    return attribute_fault(from, name, "the attribute holds a character that cannot be published");
  }
  const std::string& names = *namespace_of(prefix);
  if (!prefix.empty() && names != link_names && names != xml_names) return ok();
  if (names == xml_names && !prefix.empty()) {
    if (name == "xml:space" && is_one_of(attribute.value(), {"preserve", "default"})) {
      to.attributes["xml:space"] = attribute.value();
    }
    return ok();
  }
  if (local_name(name) == "href") return take_link(from, attribute, to);
  if (!prefix.empty()) return ok();
  if (name == "id") {
    to.attributes["id"] = attribute.value();
    return ok();
  }
  const auto taken = take_svg_attribute(name, attribute.value(), to.attributes);
  return taken ? ok() : Status(attribute_fault(from, name, taken.error().message));
}

Status Reader::take_attributes(const pugi::xml_node& from, SvgNode& to) {
  for (const auto& attribute : from.attributes()) {
    if (auto taken = take_attribute(from, attribute, to); !taken) return taken;
  }
  styles_.apply(local_name(from.name()), from.attribute("id").value(),
                from.attribute("class").value(), to.attributes);
  const auto style = from.attribute("style");
  if (!style) return count(from, to);
  if (bad_character(style.value()) != std::string_view::npos) {
    return attribute_fault(from, "style",
                           "the attribute holds a character that cannot be published");
  }
  const auto taken = take_declarations(style.value(), to.attributes);
  return taken ? count(from, to) : Status(attribute_fault(from, "style", taken.error().message));
}

// A rule for "*" is written out at every element: what it comes to is bounded while it is.
Status Reader::count(const pugi::xml_node& from, const SvgNode& made) {
  for (const auto& [name, value] : made.attributes) bytes_ += name.size() + value.size();
  if (++elements_ > most_svg_elements) {
    return fault(from, "it has more than " + std::to_string(most_svg_elements) +
                           " elements: simplify it, or save the picture as PNG");
  }
  if (bytes_ <= most_written) return ok();
  return fault(from,
               "it has more than " + std::to_string(most_written) +
                   " bytes where its style sheet is written out: simplify it, or save it as PNG");
}

Status Reader::take_text(const pugi::xml_node& text, SvgNode& to) const {
  if (bad_character(text.value()) != std::string_view::npos) {
    return Error("the text holds a character that cannot be published", offset_of(text));
  }
  SvgNode& node = to.children.emplace_back();
  node.text = text.value();
  return ok();
}

Status Reader::take_child(const pugi::xml_node& child, bool in_text, int depth, SvgNode& to) {
  if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
    return in_text ? take_text(child, to) : ok();
  }
  if (child.type() != pugi::node_element) return ok();
  const std::size_t outside = names_.size();
  if (auto opened = open_names(child); !opened) return opened;
  Status done = ok();
  if (is_svg(child) && !is_one_of(local_name(child.name()), {"style", "metadata"})) {
    auto taken = element(child, in_text, depth + 1);
    if (taken) to.children.push_back(std::move(taken.value()));
    else done = taken.error();
  }
  names_.resize(outside);
  return done;
}

Status Reader::take_children(const pugi::xml_node& from, bool in_text, int depth, SvgNode& to) {
  for (const auto& child : from.children()) {
    if (auto taken = take_child(child, in_text, depth, to); !taken) return taken;
  }
  return ok();
}

Result<SvgNode> Reader::element(const pugi::xml_node& node, bool in_text, int depth) {
  const std::string_view name = local_name(node.name());
  SvgNode made;
  made.offset = offset_of(node);
  if (name == "a") made.name = in_text ? "tspan" : "g";
  else if (is_one_of(name, allowed)) made.name = name;
  else return fault(node, "it holds a <" + svg_excerpt(name) + '>' + mend_of(name));
  if (auto taken = take_attributes(node, made); !taken) return taken.error();
  if (auto taken = take_children(node, is_one_of(made.name, holding_text), depth, made); !taken)
    return taken.error();
  return made;
}

Result<SvgNode> Reader::read(const pugi::xml_document& document) {
  if (auto checked = check_head(document); !checked) return checked.error();
  const auto root = document.document_element();
  if (auto collected = collect_styles(root, 1); !collected) return collected.error();
  if (auto opened = open_names(root); !opened) return opened.error();
  return element(root, false, 1);
}

}  // namespace

Result<SvgNode> read_svg(std::string_view file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  const std::size_t skipped = file.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  const std::string_view text = file.substr(skipped);
  if (const auto bad = bad_character(text); bad != text.npos) {
    return Error(
        "there is a character that cannot be published, or the file is not UTF-8: save it as UTF-8 "
        "without control characters",
        skipped + bad, 1);
  }
  pugi::xml_document document;
  const unsigned options =
      pugi::parse_default | pugi::parse_ws_pcdata | pugi::parse_doctype | pugi::parse_declaration;
  const auto parsed = document.load_buffer(text.data(), text.size(), options, pugi::encoding_utf8);
  if (!parsed) {
    const auto place = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, parsed.offset));
    return Error(std::string("it is not well-formed: ") + parsed.description(),
                 skipped + std::min(place, text.size()));
  }
  auto root = Reader(text).read(document);
  if (root || skipped == 0) return root;
  return Error(root.error().message, skipped + root.error().offset, root.error().length);
}

}  // namespace primer
