#include "generator/host/sandbox.hpp"

#include <sys/resource.h>

#include <algorithm>

#ifdef __linux__
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "generator/core/base/text.hpp"
#include "generator/host/process.hpp"
#endif

// Sanitizers inspect the process from outside and write reports to other files.
#if defined(__SANITIZE_ADDRESS__)
#define PRIMER_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PRIMER_SANITIZED 1
#endif
#endif

namespace primer {
namespace {

namespace fs = std::filesystem;
using figures::Error;
using figures::Result;
using figures::Status;

constexpr rlim_t longest_work = 15 * 60;          // seconds of processor time per process
constexpr rlim_t largest_file = rlim_t{2} << 30;  // bytes

// Lowers a limit; never raises it.
void limit(int resource, rlim_t most, rlim_t grace = 0) {
  rlimit now{};
  if (getrlimit(resource, &now) != 0) return;
  const rlimit wanted{std::min(now.rlim_cur, most), std::min(now.rlim_max, most + grace)};
  setrlimit(resource, &wanted);
}

[[maybe_unused]] void limit_resources(const Sandbox& sandbox) {
  limit(RLIMIT_CORE, 0);
  // main() ignores SIGXFSZ, so a write fails with a message instead.
  limit(RLIMIT_FSIZE, largest_file);
  if (sandbox.ends) limit(RLIMIT_CPU, longest_work, 5);
}

#ifdef __linux__

// Landlock's ruleset with the members of later versions, because the header at compile time may be
// older than the running kernel. Older kernels read only the first members.
struct RulesetAttributes {
  std::uint64_t files, network, scopes;
};

constexpr std::uint64_t truncate = 1u << 14, device_control = 1u << 15;  // since versions 3 and 5
constexpr std::uint64_t both_ways_of_tcp = 3, all_scopes = 3;            // since versions 4 and 6

constexpr std::uint64_t read_file = LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t read_anything = read_file | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t write_file = LANDLOCK_ACCESS_FS_WRITE_FILE | truncate;
constexpr std::uint64_t write_all = write_file | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                    LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                    LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM |
                                    LANDLOCK_ACCESS_FS_REFER;
constexpr std::uint64_t on_files =
    read_file | write_file | LANDLOCK_ACCESS_FS_EXECUTE;  // other rights apply only to directories
constexpr std::uint64_t all_of_version_2 = (1u << 14) - 1;

// What programs need to read to start; nothing there may be executed. Of /proc, the cache needs to
// find its mapped file, and Node the size of the memory. The rest stays hidden, because root could
// read the environment of every process there.
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

  // A missing path is skipped, because nothing can be read there anyway.
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
    // Pipes (such as /dev/stdin) are in no directory, so Landlock does not restrict them.
    const bool is_refused = failed && errno != EBADFD;
    const std::string why = is_refused ? reason() : "";
    close(place);
    if (is_refused)
      return Error{in_quotes(path.string()) + " cannot be added to the Landlock rules: " + why};
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
  // Libraries of a program outside the system: /opt/node/lib for /opt/node/bin/node.
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

int landlock_version(const Sandbox& sandbox) {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return std::clamp<int>(static_cast<int>(version), 0, sandbox.newest_landlock);
}

Status restrict_files(const Sandbox& sandbox, int version) {
  const RulesetAttributes attributes{handled_by(version), version >= 4 ? both_ways_of_tcp : 0,
                                     version >= 6 ? all_scopes : 0};
  const std::size_t size = (version >= 6 ? 3 : version >= 4 ? 2 : 1) * sizeof(std::uint64_t);
  const int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, size, 0));
  if (ruleset < 0) return Error{"cannot create Landlock rules: " + reason()};
  Status status = allow_all(Rules(ruleset, attributes.files), sandbox);
  if (status && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) {
    status = Error{"cannot enforce Landlock rules: " + reason()};
  }
  close(ruleset);
  return status;
}

#endif

}  // namespace

#if defined(PRIMER_SANITIZED)

Result<Protection> restrict_process(const Sandbox&) {
  return Protection{"anything (this program was built with sanitizers)"};
}

#elif defined(__linux__)

Result<Protection> restrict_process(const Sandbox& sandbox) {
  limit_resources(sandbox);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return Error{"cannot give up privileges"};
  const int version = landlock_version(sandbox);
  if (version < 2) return Protection{"files (this kernel has no Landlock of version 2)"};
  if (auto status = restrict_files(sandbox, version); !status) return status.error();
  return Protection{};
}

#else

Result<Protection> restrict_process(const Sandbox& sandbox) {
  limit_resources(sandbox);
  return Protection{"files (primer has no sandbox for this system)"};
}

#endif

}  // namespace primer
