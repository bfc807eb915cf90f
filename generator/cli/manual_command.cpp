#include "generator/cli/manual_command.hpp"

#include <iostream>

#include "generator/cli/completion.hpp"
#include "generator/cli/manual.hpp"
#include "generator/cli/protection.hpp"

namespace primer {

int run(const ManualCommand& command) {
  if (!enter(reading({}), command.no_sandbox)) return 1;
  std::cout << manual_page(command.table, command.version);
  return 0;
}

int run(const CompletionCommand& command) {
  if (!enter(reading({}), command.no_sandbox)) return 1;
  const auto text = completion(command.table, command.shell);
  if (text) std::cout << *text;
  return text ? 0 : 1;
}

}  // namespace primer
