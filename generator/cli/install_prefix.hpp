// Finds the program's own files: templates, styles, scripts, built modules and fonts.
#pragma once

#include <filesystem>

namespace primer {

// The directory of the program's files: ../share/under-the-roofline relative to `program` if that
// exists, so an installed tree can be moved, otherwise `source_tree`. Both contain site/,
// generator/, node_modules/ and build/ with wasm/, fonts/ and minified/.
std::filesystem::path find_home(const std::filesystem::path& program,
                                const std::filesystem::path& source_tree);

// Whether the directory contains the program's files.
bool is_home(const std::filesystem::path& directory);

// The running executable.
std::filesystem::path this_program();

// find_home() of the running program.
const std::filesystem::path& program_home();

}  // namespace primer
