// book.yaml with one more chapter, in the style in which its author writes lists: all else stays as it is.
#pragma once

#include <optional>
#include <string>

#include "generator/diagnostic/source.hpp"
#include "generator/formats/yaml.hpp"

namespace primer {

// `number`: what the entry says of it; nothing: no number.
std::string with_chapter(const Source& source, const Yaml& book, const std::string& slug,
                         std::optional<int> number);

// The text of a book.yaml with the chapters that `other`, an edition of it, has besides, each at the end; but not with `left_out`.
std::string with_chapters_of(std::string text, const std::string& other,
                             const std::string& left_out = {});

}  // namespace primer
