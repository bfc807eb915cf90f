#include "generator/cli/publish_command.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "generator/base/text.hpp"
#include "generator/cli/console.hpp"
#include "generator/cli/install_prefix.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/program.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> arguments(const PublishCommand& command, const fs::path& shell,
                                   const fs::path& script) {
  std::vector<std::string> all{shell.string(),    script.string(), command.address, command.kept,
                               command.directory, "--book",        command.book};
  if (!command.repository.empty()) {
    all.emplace_back("--repository");
    all.push_back(command.repository);
  }
  const std::pair<bool, const char*> flags[] = {{command.fetch, "--fetch"},
                                                {command.renditions, "--renditions"},
                                                {command.drafts, "--drafts"},
                                                {command.trust, "--trust"},
                                                {command.no_sandbox, "--no-sandbox"}};
  for (const auto& [given, name] : flags)
    if (given) all.emplace_back(name);
  return all;
}

}  // namespace

int run(const PublishCommand& command) {
  const fs::path script = program_home() / "scripts/publish";
  std::error_code error;
  if (!fs::exists(script, error))
    return failed({script.string() + " is missing: install primer again"});
  const fs::path shell = find_program("bash", command.book);
  if (shell.empty()) return failed({"bash, which publishes, is not on the PATH"});
  if (command.address != "-" && find_program("node", command.book).empty()) {
    return failed(
        {"a site with an address needs Node, version 18.19 or later, for the list of what its readers keep; without "
         "Node there are primer publish - DIR, a preview, and primer build --base-url URL, the same pages"});
  }
  const std::string program = this_program().string();
  setenv("PRIMER_INSTALLED", program.c_str(), 1);
  auto all = arguments(command, shell, script);
  std::vector<char*> pointers;
  for (auto& one : all) pointers.push_back(one.data());
  pointers.push_back(nullptr);
  execv(shell.c_str(), pointers.data());
  return failed({shell.string() + " does not start: " + last_error().message()});
}

}  // namespace primer
