#include "generator/host/user_directories.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "generator/core/base/digest.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/process.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

constexpr const char* own_folder = "primer";

// Ignores relative paths, which would depend on the working directory.
fs::path absolute_from(const char* variable) {
  const char* value = std::getenv(variable);
  const fs::path path = value ? value : "";
  return path.is_absolute() ? path : fs::path();
}

fs::path base_of(const char* variable, const char* below_home) {
  const fs::path own = absolute_from(variable);
  if (!own.empty()) return own;
  const fs::path home = absolute_from("HOME");
  return home.empty() ? home : home / below_home;
}

// Makes missing directories with mode 0700.
void make_private(const fs::path& path) {
  std::error_code ignored;
  if (path.empty() || fs::exists(path, ignored)) return;
  make_private(path.parent_path());
  ::mkdir(path.c_str(), 0700);
}

// Why the directory cannot be used, or "".
std::string fault(const fs::path& base, bool makes) {
  if (makes) make_private(base);
  const Directory above(base);
  if (makes && above.get() >= 0) mkdirat(above.get(), own_folder, 0700);
  const int file = above.get() < 0 ? -1 : above.open(own_folder, O_RDONLY | O_DIRECTORY);
  if (file < 0) return (base / own_folder).string() + ": " + last_error().message();
  struct stat status{};
  std::string found;
  if (fstat(file, &status) != 0) {
    found = (base / own_folder).string() + ": " + last_error().message();
  } else if (status.st_uid != geteuid()) {
    found = (base / own_folder).string() + " belongs to another user";
  } else if ((status.st_mode & 077) != 0 && (!makes || fchmod(file, 0700) != 0)) {
    found = (base / own_folder).string() + " is open to other users";
  }
  ::close(file);
  return found;
}

// Whether the path is inside the book, so that its content may have come with it.
bool is_in_book(const fs::path& path, const std::string& book) {
  std::error_code error;
  const fs::path real = fs::canonical(book, error);
  if (book.empty() || error) return false;
  const fs::path place = fs::weakly_canonical(path, error);
  return is_below(place, real);
}

UserDirectories directories(bool makes, const std::string& book) {
  UserDirectories found;
  const fs::path base = base_of("XDG_CACHE_HOME", ".cache");
  found.missing = base.empty() ? "neither HOME nor XDG_CACHE_HOME is set"
                  : is_in_book(base, book)
                      ? base.string() + " is in the book, whose files are not trusted"
                      : fault(base, makes);
  if (found.missing.empty()) found.cache = base / own_folder;
  return found;
}

}  // namespace

fs::path UserDirectories::cache_of(const std::string& book) const {
  std::error_code error;
  const fs::path real = fs::canonical(book, error);
  if (cache.empty() || error) return {};
  return cache / to_text(digest(real.native()));
}

UserDirectories find_user_directories(const std::string& book) { return directories(false, book); }

UserDirectories make_user_directories(const std::string& book) { return directories(true, book); }

}  // namespace primer
