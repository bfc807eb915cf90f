#include "generator/cli/protection.hpp"

#include <iostream>
#include <utility>

#include "generator/base/characters.hpp"
#include "generator/base/text.hpp"
#include "generator/cli/console.hpp"
#include "generator/cli/install_prefix.hpp"

namespace primer {
namespace fs = std::filesystem;

bool enter(Sandbox sandbox, bool no_sandbox) {
  if (no_sandbox) {
    note("nothing is limited: --no-sandbox");
    return true;
  }
  sandbox.read.push_back(program_home());
  sandbox.read.push_back(this_program().parent_path() / "../lib/under-the-roofline");
  const auto protection = restrict_process(sandbox);
  if (!protection) {
    std::cerr << "primer: error: the sandbox cannot be entered: "
              << visible(protection.error().message) << "\n  --no-sandbox goes on without it\n";
    return false;
  }
  if (!protection->missing.empty()) note("not limited: " + protection->missing);
  return true;
}

Sandbox reading(std::vector<fs::path> paths) {
  Sandbox sandbox;
  sandbox.read = std::move(paths);
  return sandbox;
}

Sandbox changing(const std::string& book) {
  auto sandbox = reading({book});
  sandbox.write = places_to_write(book);
  return sandbox;
}

std::vector<fs::path> places_to_write(const fs::path& book) {
  std::vector<fs::path> places;
  std::error_code error;
  for (const char* name : {"chapters", "figures"}) {
    const fs::path place = book / name;
    const auto type = fs::symlink_status(place, error).type();
    if (type == fs::file_type::not_found) return {book};
    if (type == fs::file_type::directory) places.push_back(place);
  }
  return places;
}

}  // namespace primer
