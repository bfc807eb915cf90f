// What a line of a chapter refers to at a place: a fact, a term, a work, another place. For hovering, jumping and
// completing in an editor.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace primer {

enum class ReferenceKind { fact, claim, term, work, place, file, spec };

struct LineReference {
  ReferenceKind kind;
  std::string
      name;  // "h100-sxm.bandwidth", "hbm", "nv"; of a place "02-matmul.md#id"; of a file its path
  std::size_t begin = 0, end = 0;  // bytes of the line
};

// What stands at byte `at`.
std::optional<LineReference> reference_at(std::string_view line, std::size_t at);

// What is being written up to the line's end: its kind and what of its name is there. `begin` is where it begins.
std::optional<LineReference> unfinished_reference(std::string_view line);

}  // namespace primer
