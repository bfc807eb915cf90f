#include "generator/pictures/svg_image.hpp"

#include <set>

#include "generator/base/html.hpp"
#include "generator/base/text.hpp"
#include "generator/pictures/svg_dashes.hpp"
#include "generator/pictures/svg_expansion.hpp"
#include "generator/pictures/svg_source.hpp"
#include "generator/pictures/svg_value.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::ok;
using figures::Result;
using figures::Status;

void collect_references(const SvgNode& node, std::set<std::string>& ids) {
  for (const auto& [name, value] : node.attributes) {
    if (const auto id = svg_reference(name, value); !id.empty()) ids.emplace(id);
  }
  for (const auto& child : node.children) collect_references(child, ids);
}

// Ids stay where something refers to them. Two of the same would be two drawings, by browser.
Status keep_used_ids(SvgNode& node, const std::set<std::string>& used,
                     std::set<std::string>& seen) {
  if (const auto id = node.attributes.find("id"); id != node.attributes.end()) {
    if (!used.contains(id->second)) {
      node.attributes.erase(id);
    } else if (!seen.insert(id->second).second) {
      return Error("the id " + in_quotes(id->second) + " is there twice", node.offset);
    }
  }
  for (auto& child : node.children) {
    if (auto kept = keep_used_ids(child, used, seen); !kept) return kept;
  }
  return ok();
}

bool is_text(const SvgNode& node) {
  return node.name == "text" || node.name == "tspan" || node.name == "textPath" ||
         node.name == "title" || node.name == "desc";
}

// Line breaks in values are references: as they stand a parser would make spaces of them.
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
  if (auto checked = check_expansion(root); !checked) return checked.error();
  if (auto counted = check_dashes(root); !counted) return counted.error();
  auto image = sized(root);
  if (!image) return image;
  root.attributes["xmlns"] = "http://www.w3.org/2000/svg";
  if (!used.empty()) root.attributes["xmlns:xlink"] = "http://www.w3.org/1999/xlink";
  write(root, true, image->bytes);
  return image;
}

}  // namespace primer
