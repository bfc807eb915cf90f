// Serializes a chapter's index for the cache, and the settings that pages depend on.
//
// Each function names every member of its type in a structured binding. If a member is added to the
// type and not here, the code does not compile, so no member can be lost in the cache.
#pragma once

#include <string>
#include <string_view>

#include "generator/core/base/pack.hpp"
#include "generator/core/index/index.hpp"

namespace primer {

void pack(Packer& packer, const Entry& entry);
void pack(Packer& packer, const FrontMatter& front);
void pack(Packer& packer, const Anchor& anchor);
// Packs the settings that the text of a page can depend on: everything except the lists of chapters
// and pages.
void pack_settings(Packer& packer, const Book& book);

std::string pack(const ChapterIndex& index);  // without `entry`
// Whether to unpack ChapterIndex::blocks, which only comparisons of translations need.
enum class Blocks { taken, left_out };
bool unpack(std::string_view bytes, ChapterIndex& index, Blocks wanted = Blocks::taken);

}  // namespace primer
