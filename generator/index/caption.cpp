#include "generator/index/caption.hpp"

#include "generator/base/text.hpp"

namespace primer {
namespace {

struct Sort {
  AnchorKind kind;
  std::string_view word, prefix;
};
constexpr Sort sorts[] = {{AnchorKind::table, "Table ", "tbl-"},
                          {AnchorKind::figure, "Figure ", "fig-"}};

// Where the id begins, if the text begins as such a caption; a translation may say "Tabla tbl-energy: …". A table that is
// named otherwise is one too, and its id is refused: "Table 3: …" would be a caption that no link can name.
std::size_t id_place(std::string_view text, const Sort& sort) {
  const auto space = text.find(' ');
  if (space == text.npos || space == 0) return text.npos;
  if (text.substr(space + 1).starts_with(sort.prefix)) return space + 1;
  return sort.kind == AnchorKind::table && text.starts_with(sort.word) ? sort.word.size()
                                                                       : text.npos;
}

}  // namespace

std::optional<Caption> caption_of(const Node& paragraph) {
  if (paragraph.kind != NodeKind::paragraph || paragraph.children.empty()) return std::nullopt;
  const Node& first = paragraph.children.front();
  if (first.kind != NodeKind::text) return std::nullopt;
  for (const Sort& sort : sorts) {
    const auto begin = id_place(first.text, sort);
    const auto colon = first.text.find(": ");
    if (begin == first.text.npos || colon == first.text.npos || colon <= begin) continue;
    Caption found;
    found.kind = sort.kind;
    found.word = trim(std::string_view(first.text).substr(0, begin));
    found.id = first.text.substr(begin, colon - begin);
    found.id_offset = first.offset + begin;
    constexpr std::string_view width = " width=";
    if (const auto at = found.id.find(width);
        at != found.id.npos && sort.kind != AnchorKind::table) {
      found.width = found.id.substr(at + width.size());
      found.id.resize(at);
    }
    if (found.id.empty() || found.id.find(' ') != found.id.npos) continue;
    found.text = paragraph;
    Node& text = found.text.children.front();
    text.text.erase(0, colon + 2);
    if (text.in_source == InSource::verbatim) {
      text.offset += colon + 2;
      text.length -= colon + 2;
    }
    return found;
  }
  return std::nullopt;
}

bool is_empty_caption(const Node& paragraph) {
  const bool is_line = paragraph.children.size() == 1 && paragraph.children[0].text.ends_with(':');
  if (!is_line) return false;
  Node whole = paragraph;
  whole.children[0].text += " words";
  return caption_of(whole).has_value();
}

const Node* lone_image(const Node& paragraph) {
  const bool lone = paragraph.kind == NodeKind::paragraph && paragraph.children.size() == 1 &&
                    paragraph.children[0].kind == NodeKind::image;
  return lone ? &paragraph.children[0] : nullptr;
}

bool Caption::fits(const Node& next) const {
  return kind == AnchorKind::table ? next.kind == NodeKind::table : lone_image(next) != nullptr;
}

}  // namespace primer
