// mdBook's includes, expanded: "{{#include file:anchor}}", "{{#rustdoc_include file:2:7}}".
#pragma once

#include <string>
#include <vector>

#include "generator/core/base/file_system.hpp"
#include "generator/tools/import/lowered.hpp"

namespace primer {

struct OldLine {
  std::string text;
  int number = 0;  // in the chapter's file
};

// The lines of a chapter with what they include in place. What cannot be read leaves its line, which is reported.
std::vector<OldLine> with_includes(const FileSystem& files, const std::string& file,
                                   const std::vector<OldLine>& lines, Lowered& lowered);

}  // namespace primer
