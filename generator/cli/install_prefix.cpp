#include "generator/cli/install_prefix.hpp"

#include <system_error>

namespace primer {
namespace fs = std::filesystem;

fs::path find_home(const fs::path& program, const fs::path& source_tree) {
  std::error_code error;
  const fs::path installed =
      (program.parent_path() / "../share/under-the-roofline").lexically_normal();
  return fs::exists(installed / "site/templates", error) ? installed : source_tree;
}

fs::path this_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);  // links on the way are followed
}

const fs::path& program_home() {
  static const fs::path home = find_home(this_program(), PRIMER_HOME);
  return home;
}

}  // namespace primer
