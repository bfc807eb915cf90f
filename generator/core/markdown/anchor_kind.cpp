#include "generator/core/markdown/anchor_kind.hpp"

#include <algorithm>
#include <iterator>

#include "generator/core/base/text.hpp"

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

namespace {

struct NamedBlock {
  std::string_view name;
  OwnBlock block;
};

constexpr NamedBlock own_blocks[] = {
    {"figure", {AnchorKind::figure, true}},     {"model", {AnchorKind::figure, true}},
    {"bench", {AnchorKind::measurement, true}}, {"worked", {AnchorKind::question, true}},
    {"quiz", {AnchorKind::question, true}},     {"predict", {AnchorKind::question, true}},
    {"listing", {AnchorKind::listing, true}},   {"verdict", {AnchorKind::verdict, false}},
    {"glossary", {AnchorKind::section, false}}, {"problems", {AnchorKind::section, false}},
    {"costs", {AnchorKind::section, false}}};

}  // namespace

std::optional<OwnBlock> own_block(std::string_view info) {
  const auto name = split(trim(info), ' ').front();
  const auto found = std::ranges::find(own_blocks, name, &NamedBlock::name);
  return found == std::end(own_blocks) ? std::nullopt : std::optional(found->block);
}

std::vector<std::string> own_block_names() {
  std::vector<std::string> names;
  for (const auto& own : own_blocks) names.emplace_back(own.name);
  return names;
}

}  // namespace primer
