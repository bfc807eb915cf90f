// Runs Pandoc for `primer import`: a fixed list of arguments, no shell, no environment, the input on
// its standard input, and limits of time, memory and output. Its own sandbox keeps it from reading
// or fetching what the input names.
#pragma once

#include <filesystem>

#include "generator/tools/import/pandoc.hpp"

namespace primer {

// `scratch` is a directory that Pandoc may write its log and images to; it is emptied after each
// run. Empty if `program` is, that is, if Pandoc is not installed.
Pandoc run_pandoc(const std::filesystem::path& program, const std::filesystem::path& scratch);

}  // namespace primer
