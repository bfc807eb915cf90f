#include "generator/host/sandbox.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "generator/host/sandbox_linux.hpp"

#ifdef __linux__
#include <sys/prctl.h>
#endif

// The sanitizers look at the process from outside themselves, and report through files of their own.
#if defined(__SANITIZE_ADDRESS__)
#define PRIMER_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PRIMER_SANITIZED 1
#endif
#endif

namespace primer {
namespace {

using figures::Error;
using figures::Result;

constexpr rlim_t longest_work = 15 * 60;          // seconds of processor time, of each process
constexpr rlim_t largest_file = rlim_t{2} << 30;  // bytes

// Never more than it is already.
void limit(int resource, rlim_t most, rlim_t grace = 0) {
  rlimit now{};
  if (getrlimit(resource, &now) != 0) return;
  const rlimit wanted{std::min(now.rlim_cur, most), std::min(now.rlim_max, most + grace)};
  setrlimit(resource, &wanted);
}

void limit_resources(const Sandbox& sandbox) {
  limit(RLIMIT_CORE, 0);
  // main() ignores the signal: a write then fails, with a message.
  limit(RLIMIT_FSIZE, largest_file);
  if (sandbox.ends) limit(RLIMIT_CPU, longest_work, 5);
}

}  // namespace

#if defined(PRIMER_SANITIZED)

Result<Protection> restrict_process(const Sandbox&) {
  return Protection{{"anything (this program was built with sanitizers)"}};
}

#elif defined(__linux__)

Result<Protection> restrict_process(const Sandbox& sandbox) {
  Protection protection;
  limit_resources(sandbox);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return Error{"privileges cannot be given up"};
  if (landlock_version(sandbox) < 2) {
    protection.missing.push_back("files (this kernel has no Landlock of version 2)");
  } else if (auto status = restrict_files(sandbox); !status) {
    return status.error();
  }
  if (!has_call_filter()) {
    protection.missing.push_back(
        "the network (seccomp is missing in this kernel or in this program)");
  } else if (auto status = restrict_calls(sandbox); !status) {
    return status.error();
  }
  return protection;
}

#else

Result<Protection> restrict_process(const Sandbox& sandbox) {
  limit_resources(sandbox);
  return Protection{{"files", "the network (this system has no sandbox that primer knows)"}};
}

#endif

}  // namespace primer
