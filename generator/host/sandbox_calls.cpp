// System calls, by seccomp.
#ifdef __linux__

#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "generator/host/sandbox_linux.hpp"

#ifdef PRIMER_HAS_SECCOMP

#include <fcntl.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace primer {
namespace {

using figures::Error;
using figures::Status;

// Sockets, and rings that make them; other processes; keys; files that are run without a name. What the machine's
// seccomp does not know is not a call that it has.
constexpr const char* refused_calls[] = {"socket",
                                         "connect",
                                         "bind",
                                         "listen",
                                         "io_uring_setup",
                                         "io_uring_enter",
                                         "io_uring_register",
                                         "ptrace",
                                         "process_vm_readv",
                                         "process_vm_writev",
                                         "pidfd_getfd",
                                         "keyctl",
                                         "add_key",
                                         "request_key",
                                         "bpf",
                                         "perf_event_open",
                                         "userfaultfd",
                                         "memfd_create",
                                         "mount",
                                         "umount2",
                                         "unshare",
                                         "setns",
                                         "open_by_handle_at"};

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_ALLOW), seccomp_release) {}

  void refuse(const char* name, std::initializer_list<scmp_arg_cmp> when = {}) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call == __NR_SCMP_ERROR || failed_ != 0 || !context_) return;
    const int failed = seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(EPERM), call,
                                              static_cast<unsigned>(when.size()), std::data(when));
    if (failed != 0 && failed != -EDOM) failed_ = failed;
  }

  Status load() {
    if (!context_) return Error{"seccomp takes no rules"};
    if (failed_ == 0) failed_ = seccomp_load(context_.get());
    if (failed_ != 0)
      return Error{std::string("seccomp does not begin: ") + std::strerror(-failed_)};
    return figures::ok();
  }

 private:
  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
  int failed_ = 0;
};

// Landlock sees a file made empty from its third version on only.
void refuse_truncation(Filter& filter) {
  constexpr scmp_datum_t mode = O_ACCMODE | O_TRUNC;
  filter.refuse("open", {SCMP_A1(SCMP_CMP_MASKED_EQ, mode, O_TRUNC)});
  filter.refuse("openat", {SCMP_A2(SCMP_CMP_MASKED_EQ, mode, O_TRUNC)});
  filter.refuse("truncate");
  filter.refuse("truncate64");
}

}  // namespace

bool has_call_filter() { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0; }

Status restrict_calls(const Sandbox& sandbox) {
  Filter filter;
  for (const char* name : refused_calls) filter.refuse(name);
  // LineProcess speaks over a pair, which leads nowhere else.
  filter.refuse("socketpair", {SCMP_A0(SCMP_CMP_NE, AF_UNIX)});
  if (!sandbox.listens) {
    filter.refuse("accept");
    filter.refuse("accept4");
  }
  // Words put into the terminal as if they were typed.
  filter.refuse("ioctl", {SCMP_A1(SCMP_CMP_MASKED_EQ, 0xFFFFFFFFu, TIOCSTI)});
  filter.refuse("ioctl", {SCMP_A1(SCMP_CMP_MASKED_EQ, 0xFFFFFFFFu, TIOCLINUX)});
  if (landlock_version(sandbox) < 3) refuse_truncation(filter);
  return filter.load();
}

}  // namespace primer

#else

namespace primer {

bool has_call_filter() { return false; }
figures::Status restrict_calls(const Sandbox&) { return figures::ok(); }

}  // namespace primer

#endif
#endif
