// What a reference can lead to, and which fenced blocks make it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

enum class AnchorKind { section, figure, table, equation, question, measurement, listing, verdict };

// "Figure", "Question", …: the word that a cross-reference writes.
std::string_view kind_word(AnchorKind kind);

// A fenced block of the book's own: ```figure, ```bench … Nothing for ordinary code.
struct OwnBlock {
  AnchorKind kind;
  bool numbered;
};
std::optional<OwnBlock> own_block(std::string_view info);
std::vector<std::string> own_block_names();

}  // namespace primer
