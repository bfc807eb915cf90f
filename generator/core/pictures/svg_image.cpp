#include "generator/core/pictures/svg_image.hpp"

#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <unordered_map>
#include <vector>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/html.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/pictures/svg_value.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::ok;
using figures::Result;
using figures::Status;

// An element or text that has passed the allowlists.
struct SvgNode {
  std::string name;          // without a prefix; empty: a text
  std::string text;          // content of a text
  SvgProperties attributes;  // "href" is always "#id"; "xml:space" keeps its prefix
  std::vector<SvgNode> children;
  std::size_t offset = 0;  // in the file
};

// The id that a checked value refers to: "#a", or "url(#a)" with or without a color after it. Empty
// if it refers to nothing.
std::string_view svg_reference(std::string_view attribute, std::string_view value) {
  if (attribute == "href") return value.substr(1);
  if (!value.starts_with("url(#")) return {};
  return value.substr(5, value.find(')') - 5);
}

constexpr std::string_view svg_names = "http://www.w3.org/2000/svg";
constexpr std::string_view link_names = "http://www.w3.org/1999/xlink";
constexpr std::string_view xml_names = "http://www.w3.org/XML/1998/namespace";
constexpr int deepest_element = 100;  // levels of elements
constexpr int most_attributes = 100;  // per element
constexpr std::size_t most_namespaces = 200;
// bytes of all attributes, including those from style sheets
constexpr std::size_t most_written = 4'000'000;

const Names allowed = {
    "svg",      "g",       "defs",           "symbol",         "title",  "desc",
    "path",     "rect",    "circle",         "ellipse",        "line",   "polyline",
    "polygon",  "text",    "tspan",          "textPath",       "marker", "mask",
    "clipPath", "pattern", "linearGradient", "radialGradient", "stop",   "use",
    "switch",
};
const Names holding_text = {"text", "tspan", "textPath", "title", "desc"};

// How to avoid an element that is not allowed.
std::string advice_on(std::string_view name) {
  if (name == "foreignObject")
    return ": in draw.io switch off \"Word Wrap\" and \"Formatted Text\", elsewhere write the text as <text>";
  if (name == "filter" || name.starts_with("fe"))
    return ": remove blurs, shadows and other filters, or save the image as PNG";
  if (name == "image")
    return ": an SVG cannot contain raster images, so save the whole image as PNG";
  if (name == "script") return ": images cannot run scripts";
  if (name.starts_with("animate") || is_one_of(name, {"set", "mpath"}))
    return ": images cannot be animated";
  if (name.starts_with("flow"))
    return ": in Inkscape choose Text, Convert to Text, and save as plain SVG";
  return ": save the file as plain SVG, or as PNG";
}

// The first hidden character or invalid UTF-8 byte; npos if there is none.
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

// Converts pugixml's tree to SvgNodes: first all style sheets, then the elements. Anything that is
// on no allowlist is dropped or an error.
class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  Result<SvgNode> read(const pugi::xml_document& document);

 private:
  Status check_head(const pugi::xml_document& document) const;
  Status collect_styles(const pugi::xml_node& node, int depth);
  Status add_style(const pugi::xml_node& style);
  Status open_names(const pugi::xml_node& node);
  // Null if the prefix was not declared.
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
  std::size_t bytes_ = 0;                                   // of attributes so far
};

// An error at the attribute's place in the element's tag, or at the element if it cannot be found.
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
  if (local_name(root.name()) != "svg") return fault(root, "its root element is not <svg>");
  if (names.value() != svg_names) {
    return fault(root, "its root element needs xmlns=\"" + std::string(svg_names) + '"');
  }
  return ok();
}

// Adds the namespaces that the element declares. The caller restores the size of names_ after the
// element.
Status Reader::open_names(const pugi::xml_node& node) {
  int count = 0;
  std::set<std::string_view> seen;
  for (const auto& attribute : node.attributes()) {
    const std::string_view name = attribute.name();
    if (++count > most_attributes)
      return fault(node,
                   "the element has more than " + std::to_string(most_attributes) + " attributes");
    if (!seen.insert(name).second) return attribute_fault(node, name, "duplicate attribute");
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
    return fault(style, "the style sheet is only for some media: remove it");
  std::string css;
  std::vector<std::pair<std::size_t, std::size_t>>
      pieces;  // offset of each piece in `css` and in the file
  for (const auto& piece : style.children()) {
    if (piece.type() == pugi::node_element)
      return fault(piece, "a style sheet cannot contain elements");
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

// Collects style sheets before any element is read, because their rules also apply to earlier
// elements. Other mistakes are reported later, when the elements are read.
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
  if (local_name(from.name()) == "a") return ok();  // the content is drawn without the link
  if (!value.starts_with('#') || !is_svg_id(value.substr(1))) {
    return attribute_fault(from, attribute.name(),
                           "it must refer to a place in the file, written #id");
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
    return attribute_fault(from, name,
                           "the attribute contains a character that cannot be published");
  }
  if (std::string_view(attribute.value()).size() > most_svg_attribute) {
    return attribute_fault(from, name,
                           "the attribute has more than " + std::to_string(most_svg_attribute) +
                               " bytes: simplify it, or save the image as PNG");
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
                           "the attribute contains a character that cannot be published");
  }
  const auto taken = take_svg_declarations(style.value(), to.attributes);
  return taken ? count(from, to) : Status(attribute_fault(from, "style", taken.error().message));
}

// A rule for "*" adds attributes to every element, so their total size is limited while it grows.
Status Reader::count(const pugi::xml_node& from, const SvgNode& made) {
  for (const auto& [name, value] : made.attributes) bytes_ += name.size() + value.size();
  if (bytes_ <= most_written) return ok();
  return fault(from,
               "it has more than " + std::to_string(most_written) +
                   " bytes where its style sheet is written out: simplify it, or save it as PNG");
}

Status Reader::take_text(const pugi::xml_node& text, SvgNode& to) const {
  if (bad_character(text.value()) != std::string_view::npos) {
    return Error("the text contains a character that cannot be published", offset_of(text));
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
  else return fault(node, "it contains a <" + svg_excerpt(name) + '>' + advice_on(name));
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

// Reads the root element, <svg>.
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

void collect_references(const SvgNode& node, std::set<std::string>& ids) {
  for (const auto& [name, value] : node.attributes) {
    if (const auto id = svg_reference(name, value); !id.empty()) ids.emplace(id);
  }
  for (const auto& child : node.children) collect_references(child, ids);
}

// Drops ids that nothing refers to. Duplicate ids are errors, because browsers disagree on which
// element they mean.
Status keep_used_ids(SvgNode& node, const std::set<std::string>& used,
                     std::set<std::string>& seen) {
  if (const auto id = node.attributes.find("id"); id != node.attributes.end()) {
    if (!used.contains(id->second)) {
      node.attributes.erase(id);
    } else if (!seen.insert(id->second).second) {
      return Error("duplicate id " + in_quotes(id->second), node.offset);
    }
  }
  for (auto& child : node.children) {
    if (auto kept = keep_used_ids(child, used, seen); !kept) return kept;
  }
  return ok();
}

// Counts the elements that a browser draws: the target of a <use>, a marker, a pattern, a mask or a
// clip path counts once per reference. The count stops at the limit, which bounds its own time too.
class Drawing {
 public:
  explicit Drawing(const SvgNode& root) { collect(root); }

  Status count(const SvgNode& node, int references = 0) {
    if (references > most_svg_references) {
      return Error("its elements refer to each other more than " +
                       std::to_string(most_svg_references) + " deep, or to themselves",
                   node.offset);
    }
    if (++elements_ > most_svg_elements) {
      return Error("it comes to more than " + std::to_string(most_svg_elements) +
                       " elements: simplify it, or save the image as PNG",
                   node.offset);
    }
    for (const auto& child : node.children) {
      if (child.name.empty()) continue;
      if (auto counted = count(child, references); !counted) return counted;
    }
    for (const auto& [name, value] : node.attributes) {
      const auto target = ids_.find(svg_reference(name, value));
      if (target == ids_.end() || target->second->name.ends_with("Gradient")) continue;
      if (auto counted = count(*target->second, references + 1); !counted) return counted;
    }
    return ok();
  }

 private:
  void collect(const SvgNode& node) {
    if (const auto id = node.attributes.find("id"); id != node.attributes.end())
      ids_.emplace(id->second, &node);
    for (const auto& child : node.children) collect(child);
  }

  std::unordered_map<std::string_view, const SvgNode*> ids_;
  std::size_t elements_ = 0;
};

bool is_text(const SvgNode& node) {
  return node.name == "text" || node.name == "tspan" || node.name == "textPath" ||
         node.name == "title" || node.name == "desc";
}

// Line breaks in values become character references, because a parser turns raw ones into spaces.
std::string attribute_value(std::string_view value) {
  return replace_all(replace_all(replace_all(escape(value), "\n", "&#10;"), "\t", "&#9;"), "\r",
                     "&#13;");
}

void write(const SvgNode& node, bool whole_lines, std::string& out) {
  if (node.name.empty()) {
    out += replace_all(escape(node.text), "\r", "&#13;");
    return;
  }
  out += '<' + node.name;
  for (const auto& [name, value] : node.attributes) {
    out += (name == "href" ? " xlink:href" : ' ' + name) + "=\"" + attribute_value(value) + '"';
  }
  if (node.children.empty()) {
    out += "/>";
  } else {
    out += '>';
    const bool lines = whole_lines && !is_text(node);
    if (lines) out += '\n';
    for (const auto& child : node.children) write(child, lines, out);
    out += "</" + node.name + '>';
  }
  if (whole_lines) out += '\n';
}

Result<SvgImage> sized(const SvgNode& root) {
  const auto attribute = [&](const char* name) {
    const auto found = root.attributes.find(name);
    return found == root.attributes.end() ? std::string_view() : std::string_view(found->second);
  };
  const auto size = drawing_size(attribute("width"), attribute("height"), attribute("viewBox"));
  if (!size) return Error(size.error().message, root.offset, root.name.size());
  return SvgImage{"", size.value()};
}

}  // namespace

Result<SvgImage> clean_svg(std::string_view file) {
  if (file.size() > most_svg_bytes) {
    return Error("it has more than " + std::to_string(most_svg_bytes) +
                 " bytes: simplify it, or save it as PNG");
  }
  auto read = read_svg(file);
  if (!read) return read.error();
  SvgNode& root = read.value();
  std::set<std::string> used, seen;
  collect_references(root, used);
  if (auto kept = keep_used_ids(root, used, seen); !kept) return kept.error();
  if (auto counted = Drawing(root).count(root); !counted) return counted.error();
  auto image = sized(root);
  if (!image) return image;
  root.attributes["xmlns"] = "http://www.w3.org/2000/svg";
  if (!used.empty()) root.attributes["xmlns:xlink"] = "http://www.w3.org/1999/xlink";
  write(root, true, image->bytes);
  return image;
}

}  // namespace primer
