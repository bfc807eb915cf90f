#include "generator/host/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include "generator/core/base/text.hpp"

#ifdef __linux__
#include <elf.h>
#include <link.h>
#endif

// macOS has a socket option instead, which start() sets.
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
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

// LineProcess.

namespace {
using Clock = std::chrono::steady_clock;

void prepare_socket([[maybe_unused]] int socket) {
#ifdef SO_NOSIGPIPE
  const int on = 1;
  setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

// Closes file descriptors without O_CLOEXEC in the child, except for its three streams.
void close_others([[maybe_unused]] posix_spawn_file_actions_t& actions) {
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
#endif
#endif
}

bool try_again() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

bool LineProcess::start(const std::vector<std::string>& arguments,
                        const std::vector<std::string>& environment) {
  stop();
  const std::string program = fs::path(arguments.front()).is_absolute()
                                  ? arguments.front()
                                  : find_program(arguments.front()).string();
  if (program.empty()) return false;
  // One socket pair for both directions, because writing to a dead child is then an error instead
  // of a signal. SOCK_CLOEXEC keeps it from children that other threads start.
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  prepare_socket(ends[0]);
  prepare_socket(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);

  const std::vector<std::string> variables = program_environment(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addchdir_np(&actions, "/");
  close_others(actions);
  const int failure = posix_spawn(&pid_, program.c_str(), &actions, nullptr,
                                  pointers_to(arguments).data(), pointers_to(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failure != 0) {
    close(ends[0]);
    pid_ = 0;
    return false;
  }
  socket_ = ends[0];
  return true;
}

#ifdef __linux__
void LineProcess::limit_memory(std::size_t bytes) {
  const rlimit most{bytes, bytes};
  if (running()) prlimit(pid_, RLIMIT_DATA, &most, nullptr);
}
#else
void LineProcess::limit_memory(std::size_t) {}
#endif

LineProcess::Event LineProcess::next_line(std::string& line, std::chrono::milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  while (running()) {
    if (const std::size_t end = incoming_.find(end_, searched_); end != incoming_.npos) {
      line = incoming_.substr(0, end);
      incoming_.erase(0, end + 1);
      searched_ = 0;
      return Event::line;
    }
    searched_ = incoming_.size();
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return Event::timeout;
    const short wanted = outgoing_.empty() && !ends_input_ ? POLLIN : POLLIN | POLLOUT;
    pollfd state{socket_, wanted, 0};
    if (poll(&state, 1, static_cast<int>(std::min<long long>(left, 60'000))) < 0) {
      if (errno == EINTR) continue;
      return Event::closed;
    }
    if ((state.revents & POLLOUT) != 0) write_some();
    if ((state.revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !read_some()) return Event::closed;
  }
  return Event::closed;
}

bool LineProcess::read_some() {
  char buffer[16 * 1024];
  const ssize_t count = recv(socket_, buffer, sizeof buffer, 0);
  if (count < 0) return try_again();
  incoming_.append(buffer, static_cast<std::size_t>(count));
  return count > 0 && incoming_.size() < longest_;
}

// If this fails, the next read reports the end of input.
void LineProcess::write_some() {
  const ssize_t count = ::send(socket_, outgoing_.data(), outgoing_.size(), MSG_NOSIGNAL);
  if (count > 0) {
    outgoing_.erase(0, static_cast<std::size_t>(count));
  } else if (!try_again()) {
    outgoing_.clear();
  }
  if (outgoing_.empty() && std::exchange(ends_input_, false)) shutdown(socket_, SHUT_WR);
}

int LineProcess::finish() {
  constexpr auto step = std::chrono::milliseconds(1);
  constexpr int steps = 5000;
  int status = 0;
  for (int i = 0; running() && i < steps; ++i) {
    const pid_t ended = waitpid(pid_, &status, WNOHANG);
    if (ended == 0) {
      std::this_thread::sleep_for(step);
      continue;
    }
    if (ended < 0 && errno == EINTR) continue;
    forget();
    return ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  stop();
  return -1;
}

void LineProcess::stop() {
  if (!running()) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  forget();
}

void LineProcess::forget() {
  close(socket_);
  pid_ = 0;
  socket_ = -1;
  incoming_.clear();
  searched_ = 0;
  outgoing_.clear();
  ends_input_ = false;
}

}  // namespace primer
