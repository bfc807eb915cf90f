// What the cache keeps of a chapter's index, as bytes.
//
// Each function names every member of its type in a structured binding: a member that is added to
// the type and not here does not compile, and so cannot be lost on the way through the cache.
#pragma once

#include <string>
#include <string_view>

#include "generator/base/pack.hpp"
#include "generator/index/index.hpp"

namespace primer {

void pack(Packer& packer, const Entry& entry);
void pack(Packer& packer, const FrontMatter& front);
void pack(Packer& packer, const Anchor& anchor);
// What a page's own text can depend on: all but the lists of chapters and pages.
void pack_settings(Packer& packer, const Book& book);

std::string pack(const ChapterIndex& index);  // without `entry`
// The blocks only where somebody compares them.
enum class Blocks { taken, left_out };
bool unpack(std::string_view bytes, ChapterIndex& index, Blocks wanted = Blocks::taken);

}  // namespace primer
