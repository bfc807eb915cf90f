// Where the program's own files lie: templates, styles, scripts, built modules and fonts.
#pragma once

#include <filesystem>

namespace primer {

// An installed program's are in ../share/under-the-roofline, seen from the directory of `program`,
// wherever that tree was moved to; else they are those of `source_tree`, from which it was built.
// Both are laid out alike: site/, build/wasm/, build/fonts/, build/minified/, generator/, node_modules/.
std::filesystem::path find_home(const std::filesystem::path& program,
                                const std::filesystem::path& source_tree);

// Whether the program's own files are there.
bool is_home(const std::filesystem::path& directory);

// The file that runs.
std::filesystem::path this_program();

// Of the program that runs.
const std::filesystem::path& program_home();

}  // namespace primer
