#include "generator/cli/install_prefix.hpp"

#include <system_error>

#ifdef __APPLE__
#include <mach-o/dyld.h>

#include <string>
#endif

namespace primer {
namespace fs = std::filesystem;

fs::path find_home(const fs::path& program, const fs::path& source_tree) {
  const fs::path installed =
      (program.parent_path() / "../share/under-the-roofline").lexically_normal();
  return is_home(installed) ? installed : source_tree;
}

bool is_home(const fs::path& directory) {
  std::error_code error;
  return fs::exists(directory / "site/templates", error);
}

fs::path this_program() {
  std::error_code error;
#ifdef __APPLE__
  std::uint32_t size = 0;
  _NSGetExecutablePath(nullptr, &size);
  std::string path(size, '\0');
  if (_NSGetExecutablePath(path.data(), &size) != 0) return {};
  return fs::canonical(path.c_str(), error);
#else
  return fs::read_symlink("/proc/self/exe", error);  // resolves links
#endif
}

const fs::path& program_home() {
  static const fs::path home = find_home(this_program(), PRIMER_HOME);
  return home;
}

}  // namespace primer
