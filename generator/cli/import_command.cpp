#include "generator/cli/import_command.hpp"

#include <filesystem>
#include <iostream>

#include "generator/base/characters.hpp"
#include "generator/cli/console.hpp"
#include "generator/cli/new_directory.hpp"
#include "generator/cli/protection.hpp"
#include "generator/host/disk.hpp"
#include "generator/import/import.hpp"

namespace primer {
namespace fs = std::filesystem;

int run(const ImportCommand& command) {
  Diagnostics diagnostics;
  std::error_code error;
  const fs::path old = fs::weakly_canonical(command.from, error);
  const fs::path directory = fs::absolute(command.directory + '/').lexically_normal().parent_path();
  fs::path place = directory.parent_path();
  while (!fs::is_directory(place, error) && place.has_relative_path()) place = place.parent_path();
  Sandbox sandbox;
  sandbox.read.push_back(old);
  sandbox.write.push_back(place);
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  const auto book = import_book(*disk(old.string()), old.filename().string(), diagnostics);
  if (book) write_new_directory(directory, book->files, diagnostics);
  if (book && !diagnostics.has_errors()) {
    std::cout
        << book->chapters << " chapters; IMPORTED.md lists " << book->changed
        << " changes\nwhether the text may be published here, and under which licence, is its "
           "author's to say: check it\nto see what is left to mend: cd "
        << visible(command.directory) << " && primer check --counts\n";
  }
  return report(diagnostics, {});
}

}  // namespace primer
