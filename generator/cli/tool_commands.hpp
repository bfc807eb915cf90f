// The commands `primer index`, `primer pack` and `primer lsp`.
#pragma once

#include <string>

#include "generator/cli/site_command.hpp"

namespace primer {

// `primer index`: makes the search index of a built site, for `primer build --search`.
struct IndexCommand {
  std::string book;
  std::string site;    // default: the book's build/site
  std::string search;  // default: the book's build/search
  bool no_sandbox = false;
};

int run(const IndexCommand& command);  // returns the exit status

// `primer pack`: writes a book into one file for the browser editor (tools/workshop/book_pack.hpp).

struct PackCommand : SiteCommand {
  std::string file;
};

int run(const PackCommand& command);  // returns the exit status

// `primer lsp`: runs the language server (language_server.hpp) on standard input and output.

struct LspCommand : SiteCommand {};

int run(const LspCommand& command);  // returns the exit status

}  // namespace primer
