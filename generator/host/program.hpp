// Other programs: which file one is, and what it is told of this process. Only `node` (formulas), `git` (dates) and
// Pagefind (`primer index`) are ever started, and nothing that a book holds decides which files those are. `primer publish`
// gives its place to a script of its own.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

// The file that `name` means in a list of directories like $PATH: the first that is there and may be run, with
// all links followed. Relative directories are passed over, and so is what lies below `not_below`, where that is
// given: a book's directory. Empty when there is none.
std::filesystem::path find_program_in(std::string_view directories, std::string_view name,
                                      const std::filesystem::path& not_below = {});
// The same in $PATH, or where the system keeps its programs when that is not set.
std::filesystem::path find_program(std::string_view name,
                                   const std::filesystem::path& not_below = {});

// The whole environment of a program that is started: a fixed list, and "NAME=value" entries of its own. Nothing
// of this process's environment is in it, so no NODE_OPTIONS, GIT_DIR or LD_PRELOAD, and no secret.
std::vector<std::string> program_environment(const std::vector<std::string>& own = {});

// The loader that an ELF program names, which starts with it; empty for other files.
std::filesystem::path loader_of(const std::filesystem::path& program);

// Whether `path` is `directory` or lies below it. Both are absolute and normal.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& directory);

}  // namespace primer
