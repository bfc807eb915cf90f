// The kinds of targets that a reference can lead to, and the fenced blocks that define them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

enum class AnchorKind { section, figure, table, equation, question, measurement, listing, verdict };

// "Figure", "Question", …: the word that a cross-reference starts with.
std::string_view kind_word(AnchorKind kind);

// One of our fenced blocks: ```figure, ```bench, … Nothing for ordinary code.
struct OwnBlock {
  AnchorKind kind;
  bool numbered;
};
std::optional<OwnBlock> own_block(std::string_view info);
std::vector<std::string> own_block_names();

}  // namespace primer
