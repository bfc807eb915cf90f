// The manual page, written of the command table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/cli/command_table.hpp"

namespace primer {

// primer(1), in the macros of man.
std::string manual_page(const std::vector<CommandRow>& table, std::string_view version);

}  // namespace primer
