// `source: wasm_kernels/matmul/packed.cpp#micro-kernel`: a region of a file of the book, to show.
#pragma once

#include <string>
#include <string_view>

#include "figures/base/result.hpp"
#include "generator/base/file_system.hpp"

namespace primer {

struct Listing {
  std::string file;      // from the book's root
  int first_line = 1;    // of the file: the first line of `code`
  std::string language;  // by the file's name; "text" when it is of no known language
  std::string code;      // ends with '\n'
};

inline constexpr std::size_t largest_listed_file = 512 * 1024;  // bytes

// Reads "path#region", or a whole file without "#region". Fails when the file is outside the book
// (symbolic links count), missing, too large or not UTF-8, when its markers are wrong, and when
// the region is missing or empty. Errors point into `source`; a missing file or region comes with
// the nearest name there is.
figures::Result<Listing> read_listing(const FileSystem& files, std::string_view source);

// "cpp" for "a/b.hpp", "text" for what is unknown.
std::string_view language_of_file(std::string_view path);

}  // namespace primer
