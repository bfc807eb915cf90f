// Named regions of source files: what a chapter shows is what the tests test and the pages run.
//
//   // region: micro-kernel
//   …
//   // end region: micro-kernel
//
// A marker stands alone on its line, after "//" or "#". Regions may nest; marker lines are never
// shown. A file whose markers are wrong in any place has no regions at all: half-closed markers
// would show the wrong code in silence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"

namespace primer {

struct Region {
  std::string name;    // "" for the whole file
  int first_line = 1;  // of the file, 1-based: the first line that is shown
  std::string code;    // without markers, common indentation and blank edges; ends with '\n'
};

// All regions of a file in the order in which they begin, the whole file first. Errors name the
// line of the file and point nowhere (offset and length 0).
figures::Result<std::vector<Region>> source_regions(std::string_view text);

}  // namespace primer
