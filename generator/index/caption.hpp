// The line above a table or an image that numbers it: "Table tbl-energy: What a byte costs.",
// "Figure fig-die width=50%: The chip."
#pragma once

#include <array>
#include <optional>
#include <string>

#include "generator/markdown/anchor_kind.hpp"
#include "generator/markdown/markdown.hpp"

namespace primer {

struct Caption {
  AnchorKind kind = AnchorKind::table;  // or figure
  std::string word;                     // in front of the id: "Table", or a translation of it
  std::string id;
  std::size_t id_offset = 0;
  std::string width;                  // as it is written, "50%"; empty: the image's own
  Node text;                          // a paragraph without what is in front
  bool fits(const Node& next) const;  // whether that is what it can stand above
};

// Widths of a page's text that an image can have, in percent.
inline constexpr std::array picture_widths{25, 33, 50, 67, 75};

std::optional<Caption> caption_of(const Node& paragraph);
// Whether it would be one with words behind its colon: "Figure fig-x:".
bool is_empty_caption(const Node& paragraph);

// The image that is all of a paragraph; null: it holds something else.
const Node* lone_image(const Node& paragraph);

}  // namespace primer
