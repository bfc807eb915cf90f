// Completions of the shells: what can follow the words that are typed already.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/cli/command_table.hpp"

namespace primer {

// A file that bash, zsh or fish reads; nothing for another shell.
std::optional<std::string> completion(const std::vector<CommandRow>& table, std::string_view shell);

}  // namespace primer
