#include "generator/maths_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

extern char** environ;

// macOS has the socket option instead, which start() sets.
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

namespace primer {
namespace {

using Clock = std::chrono::steady_clock;

// A line longer than this is nonsense.
constexpr std::size_t longest_line = 4 << 20;

void prepare_socket([[maybe_unused]] int socket) {
#ifdef SO_NOSIGPIPE
  const int on = 1;
  setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
}

bool try_again() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

bool LineProcess::start(const std::vector<std::string>& arguments) {
  stop();
  // One socket for both directions: writing to a dead child is an error here, not a signal. A child that
  // another thread starts now gets none of it.
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  prepare_socket(ends[0]);
  prepare_socket(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);

  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int failure = posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
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

LineProcess::Event LineProcess::next_line(std::string& line, std::chrono::milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  while (running()) {
    if (const std::size_t end = incoming_.find('\n'); end != incoming_.npos) {
      line = incoming_.substr(0, end);
      incoming_.erase(0, end + 1);
      return Event::line;
    }
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
  return count > 0 && incoming_.size() < longest_line;
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

void LineProcess::stop() {
  if (!running()) return;
  close(socket_);
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  socket_ = -1;
  incoming_.clear();
  outgoing_.clear();
}

}  // namespace primer
