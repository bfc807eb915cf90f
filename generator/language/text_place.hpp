// Places as editors count them: lines from 0, and in a line UTF-16 units.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "generator/diagnostic/source.hpp"

namespace primer {

struct TextPlace16 {
  int line = 0, character = 0;
};

// The byte at a place; beyond a line's end it is the end.
std::size_t offset_at(const Source& source, TextPlace16 place);
TextPlace16 place_at(const Source& source, std::size_t offset);

// "file:///home/a%20b/x.md" ↔ "/home/a b/x.md"; "" for an address of another kind.
std::string path_of_uri(std::string_view uri);
std::string uri_of_path(std::string_view path);

}  // namespace primer
