#include "generator/host/line_process.hpp"

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
#include <thread>

#include "generator/host/program.hpp"

// macOS has the socket option instead, which start() sets.
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

namespace primer {
namespace fs = std::filesystem;
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

// What is not closed by itself when a program starts, and is none of its three streams.
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
  // One socket for both directions: writing to a dead child is an error here, not a signal. A child that
  // another thread starts now gets none of it.
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
    const short wanted = outgoing_.empty() ? POLLIN : POLLIN | POLLOUT;
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

// A failure shows as the end of input, on the next read.
void LineProcess::write_some() {
  const ssize_t count = ::send(socket_, outgoing_.data(), outgoing_.size(), MSG_NOSIGNAL);
  if (count > 0) {
    outgoing_.erase(0, static_cast<std::size_t>(count));
  } else if (!try_again()) {
    outgoing_.clear();
  }
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
}

}  // namespace primer
