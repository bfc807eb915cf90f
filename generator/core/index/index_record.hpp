// What the cache holds of a chapter's index (pack.hpp).
#pragma once

#include <string_view>
#include <tuple>

#include "generator/core/base/pack.hpp"
#include "generator/core/index/index.hpp"

namespace primer {

auto packed_members(Is<Entry> auto& entry) {
  auto& [kind, slug, number, file, url, language, original, pending, translated, label, part, depth,
         has_subpages, appendix, is_listed] = entry;
  return std::tie(kind, slug, number, file, url, language, original, pending, translated, label,
                  part, depth, has_subpages, appendix, is_listed);
}

auto packed_members(Is<SectionNote> auto& section) {
  auto& [id, mark, minutes, invite, former] = section;
  return std::tie(id, mark, minutes, invite, former);
}

auto packed_members(Is<FrontMatter> auto& front) {
  auto& [title, heading, question, summary, mental_model, outcomes, takeaway, figure, aliases,
         sections, prerequisites, d2l, from, is_pending, body_line] = front;
  return std::tie(title, heading, question, summary, mental_model, outcomes, takeaway, figure,
                  aliases, sections, prerequisites, d2l, from, is_pending, body_line);
}

auto packed_members(Is<Anchor> auto& anchor) {
  auto& [kind, id, number, title, level, offset] = anchor;
  return std::tie(kind, id, number, title, level, offset);
}

auto packed_members(Is<TextBlock> auto& block) {
  auto& [offset, line, hash, mark_line, kind, references] = block;
  return std::tie(offset, line, hash, mark_line, kind, references);
}

// Without the entry, which the book has, and without notices and untranslated blocks, which every
// build computes from both texts. The blocks come last, so that unpack_index() can leave them out.
auto packed_members(Is<ChapterIndex> auto& index) {
  auto& [entry, front, anchors, terms, has_formulas, whole, blocks, notices, untranslated] = index;
  return std::tie(front, anchors, terms, has_formulas, whole, blocks);
}

// Whether to unpack ChapterIndex::blocks, which only comparisons of translations need.
enum class Blocks { taken, left_out };

// False: the bytes are damaged.
inline bool unpack_index(std::string_view bytes, ChapterIndex& index, Blocks wanted) {
  Unpacker unpacker(bytes);
  auto& [entry, front, anchors, terms, has_formulas, whole, blocks, notices, untranslated] = index;
  unpacker.take(std::tie(front, anchors, terms, has_formulas, whole));
  if (wanted == Blocks::left_out) return unpacker.good();
  unpacker.take(blocks);
  return unpacker.whole();
}

}  // namespace primer
