#include "generator/markdown/anchor_kind.hpp"

#include "generator/base/text.hpp"

namespace primer {

std::string_view kind_word(AnchorKind kind) {
  switch (kind) {
    case AnchorKind::section: return "Section";
    case AnchorKind::figure: return "Figure";
    case AnchorKind::table: return "Table";
    case AnchorKind::equation: return "Equation";
    case AnchorKind::question: return "Question";
    case AnchorKind::measurement: return "Measurement";
    case AnchorKind::listing: return "Listing";
    case AnchorKind::verdict: break;
  }
  return "Verdict";
}

std::optional<OwnBlock> own_block(std::string_view info) {
  const auto name = split(trim(info), ' ').front();
  if (name == "figure" || name == "model") return OwnBlock{AnchorKind::figure, true};
  if (name == "bench") return OwnBlock{AnchorKind::measurement, true};
  if (name == "worked" || name == "quiz" || name == "predict") {
    return OwnBlock{AnchorKind::question, true};
  }
  if (name == "listing") return OwnBlock{AnchorKind::listing, true};
  if (name == "glossary") return OwnBlock{AnchorKind::section, false};
  if (name == "verdict") return OwnBlock{AnchorKind::verdict, false};
  return std::nullopt;
}

}  // namespace primer
