// What a block says that is the same in every language: the facts, expressions and citations that it
// shows, where its links lead, the ids and the settings of what it draws and asks.
#pragma once

#include <string>
#include <vector>

#include "generator/index/index.hpp"
#include "generator/index/late_source.hpp"

namespace primer {

// Gives each block its references: "link https://example.org/", "fact:h100-sxm.bandwidth",
// "[@nv]", "figure spec: round". Links into the book are written from the directory of the language.
void add_references(const Node& document, const Source& source, const FrontMatter& front,
                    std::vector<TextBlock>& blocks);

// Reports a translated block that says other things than its original's. Of one that was made from an
// earlier text (it has a mark and is not `current`), or that has no original, only links that lead out of the
// book and stand nowhere in the original.
void compare_references(const ChapterIndex& translation, const ChapterIndex& original,
                        const std::vector<int>& paired, const std::vector<bool>& current,
                        const LateSource& text, Diagnostics& diagnostics);

}  // namespace primer
