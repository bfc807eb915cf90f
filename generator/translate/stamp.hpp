// `primer translate stamp`: the writing of the marks by which a translation knows its original (translation.hpp).
#pragma once

#include <optional>
#include <string>

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// The text of a translation with marks that say: this was made from what stands in the original now.
// With a line, for the block that begins there or above; without one, for all blocks, which must then
// be of the same kinds in the same order as the original's. Nothing after a diagnostic.
std::optional<std::string> stamped(const FileSystem& files, const std::string& file,
                                   std::optional<int> line, Diagnostics& diagnostics);

}  // namespace primer
