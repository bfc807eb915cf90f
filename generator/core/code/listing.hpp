// Reads the code of a listing block: `source: wasm_kernels/matmul/packed.cpp#micro-kernel`. A
// listing shows a named region of a source file, so chapters show the same code that the tests run
// and the pages measure.
//
//   // region: micro-kernel
//   …
//   // end region: micro-kernel
//
// A marker is alone on its line, after "//" or "#". Regions may nest, and marker lines are never
// shown. If any marker in a file is wrong, the file has no regions at all, because a half-closed
// region would silently show the wrong code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/core/base/file_system.hpp"

namespace primer {

// A named region of a source file.

struct Region {
  std::string name;    // "" for the whole file
  int first_line = 1;  // line in the file, 1-based, of the first line shown
  std::string code;    // without markers, common indentation and blank edges; ends with '\n'
};

// All regions in the order in which they start, the whole file first. Error messages name the line;
// they have no offset.
figures::Result<std::vector<Region>> source_regions(std::string_view text);

struct Listing {
  std::string file;      // from the book's root
  int first_line = 1;    // line in the file, 1-based, of the first line of `code`
  std::string language;  // by file name; "text" if unknown
  std::string code;      // ends with '\n'
};

inline constexpr std::size_t largest_listed_file = 512 * 1024;  // bytes

// Reads "path#region", or the whole file if there is no "#region". Fails if the file is outside the
// book (symbolic links count), missing, too large or not UTF-8, if its markers are wrong, or if the
// region is missing or empty. Errors point into `source`, and a missing file or region comes with
// the nearest existing name.
figures::Result<Listing> read_listing(const FileSystem& files, std::string_view source);

// "cpp" for "a/b.hpp"; "text" if unknown.
std::string_view language_of_file(std::string_view path);

}  // namespace primer
