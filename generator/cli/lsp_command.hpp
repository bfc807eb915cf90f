// `primer lsp`: the language server (language_server.hpp) on standard input and output.
#pragma once

#include "generator/cli/site_command.hpp"

namespace primer {

struct LspCommand : SiteCommand {};

int run(const LspCommand& command);  // the exit status

}  // namespace primer
