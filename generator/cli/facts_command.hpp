// The commands that change facts or compare them: `primer facts set`, `diff` and `import`. Those
// that look facts up are in content_commands.hpp.
#pragma once

#include <string>
#include <vector>

#include "generator/cli/site_command.hpp"

namespace primer {

// `primer facts set`: changes a fact and every number in the chapters that follows from it.

struct SetFactCommand : SiteCommand {
  std::string id, value;
  std::vector<std::string> sources;  // ids of works; empty: unchanged
  std::string note, read;            // likewise
};

// `primer facts diff`: what readers see differently because the facts have changed since a commit.

struct DiffFactsCommand : SiteCommand {
  std::string revision;  // "HEAD", "main", "3f906988~2"
};

// These return the exit status.
int run(const SetFactCommand& command);
int run(const DiffFactsCommand& command);

}  // namespace primer
