// Files, by Landlock. The kernel's header on the machine that compiles may be older than the kernel that runs.
#ifdef __linux__

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "generator/base/text.hpp"
#include "generator/host/program.hpp"
#include "generator/host/sandbox_linux.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

using figures::Error;
using figures::Status;

// As the kernel has it from version 6 on; an older one takes the first part of it.
struct RulesetAttributes {
  std::uint64_t files, network, scopes;
};

constexpr std::uint64_t truncate = 1u << 14, device_control = 1u << 15;  // from versions 3 and 5 on
constexpr std::uint64_t both_ways_of_tcp = 3, all_scopes = 3;            // from versions 4 and 6 on

constexpr std::uint64_t read_file = LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t read_anything = read_file | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t write_file = LANDLOCK_ACCESS_FS_WRITE_FILE | truncate;
constexpr std::uint64_t write_all = write_file | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                    LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                    LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM |
                                    LANDLOCK_ACCESS_FS_REFER;
constexpr std::uint64_t on_files =
    read_file | write_file | LANDLOCK_ACCESS_FS_EXECUTE;  // others are of directories
constexpr std::uint64_t all_of_version_2 = (1u << 14) - 1;

// What programs need of the system to start. No program may be run from there. Of /proc, in which root sees the
// environment of every process, the cache needs to know where its file is mapped, and Node how much memory there is.
constexpr const char* system_places[] = {"/usr",
                                         "/lib",
                                         "/lib64",
                                         "/nix/store",
                                         "/etc/ld.so.cache",
                                         "/etc/ssl/openssl.cnf",
                                         "/dev/urandom",
                                         "/proc/self/maps",
                                         "/proc/meminfo"};

std::uint64_t handled_by(int version) {
  return all_of_version_2 | (version >= 3 ? truncate : 0) | (version >= 5 ? device_control : 0);
}

std::string reason() { return std::strerror(errno); }

class Rules {
 public:
  Rules(int ruleset, std::uint64_t handled) : ruleset_(ruleset), handled_(handled) {}

  // Nothing when the path is not there: it then cannot be read either.
  Status allow(const fs::path& path, std::uint64_t rights) const {
    if (path.empty()) return figures::ok();
    const int place = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (place < 0) return figures::ok();
    struct stat about{};
    const bool is_directory = fstat(place, &about) == 0 && S_ISDIR(about.st_mode);
    landlock_path_beneath_attr rule{};
    rule.allowed_access = rights & handled_ & (is_directory ? ~std::uint64_t{0} : on_files);
    rule.parent_fd = place;
    const long failed =
        syscall(SYS_landlock_add_rule, ruleset_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    // Pipes lie in no directory, and are not limited: /dev/stdin may be one.
    const bool is_refused = failed && errno != EBADFD;
    const std::string why = is_refused ? reason() : "";
    close(place);
    if (is_refused) return Error{in_quotes(path.string()) + " cannot be named to Landlock: " + why};
    return figures::ok();
  }

 private:
  int ruleset_;
  std::uint64_t handled_;
};

Status allow_program(const Rules& rules, const fs::path& program) {
  if (program.empty()) return figures::ok();
  constexpr std::uint64_t run = LANDLOCK_ACCESS_FS_EXECUTE | read_file;
  if (auto status = rules.allow(program, run); !status) return status;
  if (auto status = rules.allow(loader_of(program), run); !status) return status;
  // Of one that lies outside the system: /opt/node/bin/node, /opt/node/lib.
  const fs::path directory = program.parent_path();
  return directory.filename() == "bin" ? rules.allow(directory.parent_path() / "lib", read_anything)
                                       : figures::ok();
}

Status allow_all(const Rules& rules, const Sandbox& sandbox) {
  for (const char* place : system_places) {
    if (auto status = rules.allow(place, read_anything); !status) return status;
  }
  if (auto status = rules.allow("/dev/null", read_file | write_file); !status) return status;
  for (const auto& path : sandbox.read) {
    if (auto status = rules.allow(path, read_anything); !status) return status;
  }
  for (const auto& path : sandbox.write) {
    if (auto status = rules.allow(path, read_anything | write_all); !status) return status;
  }
  for (const auto& program : sandbox.run) {
    if (auto status = allow_program(rules, program); !status) return status;
  }
  return figures::ok();
}

}  // namespace

int landlock_version(const Sandbox& sandbox) {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return std::clamp<int>(static_cast<int>(version), 0, sandbox.newest_landlock);
}

Status restrict_files(const Sandbox& sandbox) {
  const int version = landlock_version(sandbox);
  const RulesetAttributes attributes{handled_by(version), version >= 4 ? both_ways_of_tcp : 0,
                                     version >= 6 ? all_scopes : 0};
  const std::size_t size = (version >= 6 ? 3 : version >= 4 ? 2 : 1) * sizeof(std::uint64_t);
  const int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, size, 0));
  if (ruleset < 0) return Error{"Landlock takes no rules: " + reason()};
  Status status = allow_all(Rules(ruleset, attributes.files), sandbox);
  if (status && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) {
    status = Error{"Landlock does not begin: " + reason()};
  }
  close(ruleset);
  return status;
}

}  // namespace primer

#endif
