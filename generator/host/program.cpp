#include "generator/host/program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "generator/base/text.hpp"

#ifdef __linux__
#include <elf.h>
#include <link.h>
#endif

namespace primer {
namespace fs = std::filesystem;

namespace {
constexpr std::string_view system_directories = "/usr/local/bin:/usr/bin:/bin";
}  // namespace

bool is_below(const fs::path& path, const fs::path& directory) {
  const auto [rest, unused] =
      std::mismatch(directory.begin(), directory.end(), path.begin(), path.end());
  return rest == directory.end();
}

fs::path find_program_in(std::string_view directories, std::string_view name,
                         const fs::path& not_below) {
  std::error_code error;
  const fs::path closed = not_below.empty() ? fs::path() : fs::canonical(not_below, error);
  for (const auto directory : split(directories, ':')) {
    const fs::path path = fs::path(directory) / name;
    if (!path.is_absolute() || access(path.c_str(), X_OK) != 0) continue;
    const fs::path file = fs::canonical(path, error);
    if (error || !fs::is_regular_file(file, error)) continue;
    const bool in_book =
        !closed.empty() && (is_below(file, closed) || is_below(path.lexically_normal(), closed));
    if (!in_book) return file;
  }
  return {};
}

fs::path find_program(std::string_view name, const fs::path& not_below) {
  const char* path = std::getenv("PATH");
  return find_program_in(path ? std::string_view(path) : system_directories, name, not_below);
}

std::vector<std::string> program_environment(const std::vector<std::string>& own) {
  std::vector<std::string> all{"PATH=" + std::string(system_directories), "HOME=/", "LC_ALL=C",
                               "TZ=UTC"};
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

#ifdef __linux__
fs::path loader_of(const fs::path& program) {
  std::ifstream file(program, std::ios::binary);
  ElfW(Ehdr) head{};
  if (!file.read(reinterpret_cast<char*>(&head), sizeof head) ||
      std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_phentsize != sizeof(ElfW(Phdr))) {
    return {};
  }
  for (int i = 0; i < head.e_phnum; ++i) {
    ElfW(Phdr) part{};
    file.seekg(
        static_cast<std::streamoff>(head.e_phoff + static_cast<std::size_t>(i) * sizeof part));
    if (!file.read(reinterpret_cast<char*>(&part), sizeof part)) return {};
    if (part.p_type != PT_INTERP || part.p_filesz > 4096) continue;
    std::string name(part.p_filesz, '\0');
    file.seekg(static_cast<std::streamoff>(part.p_offset));
    if (!file.read(name.data(), static_cast<std::streamsize>(name.size()))) return {};
    return name.c_str();
  }
  return {};
}
#else
fs::path loader_of(const fs::path&) { return {}; }
#endif

}  // namespace primer
