#include "generator/core/markdown/quote_marker.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "generator/core/base/text.hpp"

namespace primer {

std::optional<QuoteMarker> quote_marker(const Node& paragraph) {
  const auto& inlines = paragraph.children;
  const bool marked = paragraph.kind == NodeKind::paragraph && !inlines.empty() &&
                      inlines[0].kind == NodeKind::text && inlines[0].text.starts_with("[!");
  if (!marked) return std::nullopt;
  const auto end = std::ranges::find_if(inlines, [](const Node& node) {
    return node.kind == NodeKind::soft_break || node.kind == NodeKind::line_break;
  });
  QuoteMarker marker;
  marker.inlines = static_cast<std::size_t>(end - inlines.begin()) + (end == inlines.end() ? 0 : 1);
  marker.title.assign(inlines.begin(), end);
  Node& first = marker.title[0];
  const auto close = first.text.find(']');
  marker.offset = first.offset;
  marker.length = close == first.text.npos ? first.text.size() : close + 1;
  if (close != first.text.npos) marker.name = first.text.substr(2, close - 2);
  for (char& c : marker.name)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  const auto text = std::min(first.text.find_first_not_of(" \t", marker.length), first.text.size());
  first.text.erase(0, text);
  if (first.in_source == InSource::verbatim) first.offset += text, first.length -= text;
  if (first.text.empty()) marker.title.erase(marker.title.begin());
  return marker;
}

std::optional<QuoteMarker> marker_of_quote(const Node& quote) {
  if (quote.kind != NodeKind::quote || quote.children.empty()) return std::nullopt;
  return quote_marker(quote.children[0]);
}

Node without_marker_line(Node paragraph, const QuoteMarker& marker) {
  auto& inlines = paragraph.children;
  inlines.erase(inlines.begin(), inlines.begin() + static_cast<std::ptrdiff_t>(marker.inlines));
  return paragraph;
}

}  // namespace primer
