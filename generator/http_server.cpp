#include "generator/http_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <list>
#include <string_view>
#include <utility>
#include <vector>

namespace primer {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t longest_head = 16 * 1024;
constexpr long most_connections = 512;
constexpr std::size_t most_waiting_bytes = 256u << 20;
constexpr int most_accepted_at_once = 64;
constexpr seconds head_time{5};
constexpr seconds write_time{10};
constexpr seconds drain_time{1};
constexpr milliseconds news_interval{50};  // how late a stream can hear
constexpr milliseconds idle_interval{1000};

#ifdef MSG_NOSIGNAL
constexpr int send_flags = MSG_NOSIGNAL;
#else
constexpr int send_flags = 0;  // SIGPIPE is ignored (run_server)
#endif

bool make_private(int socket) {
  return fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 && fcntl(socket, F_SETFL, O_NONBLOCK) == 0;
}

sockaddr_in on_loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

// Half of the descriptors that the process may have: it reads files besides.
std::size_t connection_limit() {
  const long descriptors = sysconf(_SC_OPEN_MAX);
  const long half = descriptors < 0 ? most_connections : std::max(descriptors / 2, 8L);
  return static_cast<std::size_t>(std::min(half, most_connections));
}

// A socket that listens on the port, or -1. SO_REUSEADDR takes a port whose connections are still
// being forgotten; it never takes one that somebody listens on, as SO_REUSEPORT does.
int listening_socket(int port) {
  const int made = ::socket(AF_INET, SOCK_STREAM, 0);
  if (made < 0) return -1;
  const int yes = 1;
  const sockaddr_in address = on_loopback(port);
  if (make_private(made) &&
      setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
      bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      listen(made, 128) == 0) {
    return made;
  }
  close(made);
  return -1;
}

int port_of(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return ntohs(address.sin_port);
}

enum class Stage {
  reading,   // the head
  writing,   // the answer
  draining,  // what the client sends after its answer: closing at once could lose the answer
  streaming,
  closed,
};

struct Connection {
  int socket = -1;
  Stage stage = Stage::reading;
  std::string in;
  std::string out;
  std::size_t sent = 0;  // of `out`
  int news = -1;         // that a stream was told
  Clock::time_point deadline;

  std::size_t waiting() const { return out.size() - sent; }
};

class Server {
 public:
  Server(const Listener& listener, const HttpSite& site) : listener_(listener), site_(site) {}
  figures::Status run();

 private:
  std::vector<pollfd> watched() const;
  milliseconds patience() const;
  bool make_room();
  void accept_new();
  void serve(Connection& connection, short happened);
  void read_head(Connection& connection);
  void drain(Connection& connection);
  void respond(Connection& connection, std::size_t head_size);
  HttpResponse answer(const HttpRequestOrStatus& parsed) const;
  void start_writing(Connection& connection, const HttpResponse& response, bool head_only);
  void write_out(Connection& connection);
  void tell_streams();
  void drop_late();
  std::size_t streams() const;

  const Listener& listener_;
  const HttpSite& site_;
  const std::size_t most_connections_ = connection_limit();
  const std::size_t most_streams_ = most_connections_ / 2;
  std::list<Connection> connections_;  // the oldest first
};

std::size_t Server::streams() const {
  return static_cast<std::size_t>(
      std::count_if(connections_.begin(), connections_.end(),
                    [](const Connection& one) { return one.stage == Stage::streaming; }));
}

figures::Status Server::run() {
  for (;;) {
    auto sockets = watched();
    const int ready = poll(sockets.data(), static_cast<nfds_t>(sockets.size()),
                           static_cast<int>(patience().count()));
    if (ready < 0 && errno != EINTR) return figures::Error{"the system does not wait for sockets"};
    auto watched_socket = sockets.begin();
    if ((watched_socket->revents & (POLLERR | POLLNVAL)) != 0) {
      return figures::Error{"the system took the port away"};
    }
    const bool is_asked = (watched_socket->revents & POLLIN) != 0;
    for (auto& connection : connections_) serve(connection, (++watched_socket)->revents);
    tell_streams();
    drop_late();
    if (is_asked) accept_new();
  }
}

std::vector<pollfd> Server::watched() const {
  std::vector<pollfd> sockets{{listener_.socket(), POLLIN, 0}};
  for (const auto& connection : connections_) {
    const bool writes = connection.stage == Stage::writing || connection.waiting() > 0;
    const bool reads = connection.stage != Stage::writing;
    sockets.push_back({connection.socket,
                       static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)), 0});
  }
  return sockets;
}

milliseconds Server::patience() const { return streams() > 0 ? news_interval : idle_interval; }

// Closes the oldest connection that asks for nothing; if all ask, the oldest that is answered.
// Streams are fewer than connections and stay.
bool Server::make_room() {
  if (connections_.size() < most_connections_) return true;
  const auto oldest = [&](auto&& is_meant) {
    return std::find_if(connections_.begin(), connections_.end(), is_meant);
  };
  auto leaving = oldest([](const Connection& one) {
    return one.stage == Stage::reading || one.stage == Stage::draining;
  });
  if (leaving == connections_.end()) {
    leaving = oldest([](const Connection& one) { return one.stage == Stage::writing; });
  }
  if (leaving == connections_.end()) return false;
  close(leaving->socket);
  connections_.erase(leaving);
  return true;
}

void Server::accept_new() {
  for (int i = 0; i < most_accepted_at_once; ++i) {
    const int taken = accept(listener_.socket(), nullptr, nullptr);
    if (taken < 0) {
      // No descriptor is left: what asks for nothing has to go, or this would be tried for ever.
      if ((errno == EMFILE || errno == ENFILE) && !connections_.empty()) {
        close(connections_.front().socket);
        connections_.pop_front();
      }
      return;
    }
    if (!make_private(taken) || !make_room()) {
      close(taken);
      continue;
    }
    Connection fresh;
    fresh.socket = taken;
    fresh.deadline = Clock::now() + head_time;
    connections_.push_back(std::move(fresh));
  }
}

void Server::serve(Connection& connection, short happened) {
  if (happened == 0) return;
  if ((happened & (POLLERR | POLLNVAL)) != 0) connection.stage = Stage::closed;
  if ((happened & POLLOUT) != 0 && connection.waiting() > 0) write_out(connection);
  if ((happened & (POLLIN | POLLHUP)) == 0) return;
  if (connection.stage == Stage::reading) read_head(connection);
  else if (connection.stage != Stage::closed) drain(connection);
}

// What comes after the head is read to be forgotten. A stream has nothing to say: one that speaks,
// or ends, is over.
void Server::drain(Connection& connection) {
  std::array<char, 16 * 1024> buffer;
  const auto got = recv(connection.socket, buffer.data(), buffer.size(), 0);
  const bool is_over = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
  if (is_over || (got > 0 && connection.stage == Stage::streaming)) {
    connection.stage = Stage::closed;
  }
}

void Server::read_head(Connection& connection) {
  std::array<char, 4096> buffer;
  const std::size_t room = longest_head - connection.in.size();
  const auto got = recv(connection.socket, buffer.data(), std::min(buffer.size(), room), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    connection.stage = Stage::closed;
    return;
  }
  const std::size_t seen = connection.in.size();
  connection.in.append(buffer.data(), static_cast<std::size_t>(got));
  constexpr std::string_view blank_line = "\r\n\r\n";
  const auto end = connection.in.find(blank_line, seen < 3 ? 0 : seen - 3);
  if (end != connection.in.npos) respond(connection, end + blank_line.size());
  else if (connection.in.size() >= longest_head) respond(connection, 0);
}

// `head_size` 0: the head is longer than any that is read.
void Server::respond(Connection& connection, std::size_t head_size) {
  HttpRequestOrStatus parsed;
  if (head_size == 0) parsed.status = 431;
  else parsed = parse_request(std::string_view(connection.in).substr(0, head_size));
  connection.in = std::string();
  HttpResponse response = answer(parsed);
  std::size_t waiting = 0;
  for (const auto& one : connections_) waiting += one.waiting();
  const bool is_much = waiting > 0 && waiting + response.body.size() > most_waiting_bytes;
  if (is_much || (response.is_stream && streams() >= most_streams_)) {
    response = {503, {{"Retry-After", "1"}}, "", false};
    site_.refuse(response);
  }
  start_writing(connection, response, parsed.request.head_only);
}

HttpResponse Server::answer(const HttpRequestOrStatus& parsed) const {
  HttpResponse refused{parsed.status, {}, "", false};
  if (parsed.status == 200) {
    try {
      return site_.answer(parsed.request);
    } catch (const std::exception&) {  // no memory, say: this answer fails, and no other
      refused.status = 500;
    }
  }
  if (refused.status == 405) refused.headers.emplace_back("Allow", "GET, HEAD");
  site_.refuse(refused);
  return refused;
}

void Server::start_writing(Connection& connection, const HttpResponse& response, bool head_only) {
  connection.out = head_of(response);
  if (!head_only) connection.out += response.body;
  connection.stage = response.is_stream && !head_only ? Stage::streaming : Stage::writing;
  connection.deadline = Clock::now() + write_time;
  write_out(connection);
}

void Server::write_out(Connection& connection) {
  while (connection.waiting() > 0) {
    const auto taken = send(connection.socket, connection.out.data() + connection.sent,
                            connection.waiting(), send_flags);
    if (taken < 0 && errno == EINTR) continue;
    if (taken < 0 && errno == EAGAIN) return;
    if (taken <= 0) {
      connection.stage = Stage::closed;
      return;
    }
    connection.sent += static_cast<std::size_t>(taken);
    connection.deadline = Clock::now() + write_time;
  }
  connection.out = std::string();
  connection.sent = 0;
  if (connection.stage != Stage::writing) return;
  shutdown(connection.socket, SHUT_WR);
  connection.stage = Stage::draining;
  connection.deadline = Clock::now() + drain_time;
}

// A stream that has not taken its last event is closed: its page connects again, and is told.
void Server::tell_streams() {
  if (streams() == 0) return;
  const int news = site_.news();
  std::string event;
  for (auto& connection : connections_) {
    if (connection.stage != Stage::streaming || connection.news == news) continue;
    if (connection.waiting() > 0) {
      connection.stage = Stage::closed;
      continue;
    }
    if (event.empty()) event = site_.event();
    connection.out = event;
    connection.news = news;
    connection.deadline = Clock::now() + write_time;
    write_out(connection);
  }
}

void Server::drop_late() {
  const auto now = Clock::now();
  connections_.remove_if([&](Connection& connection) {
    const bool is_quiet_stream =
        connection.stage == Stage::streaming && connection.waiting() == 0;
    if (connection.stage != Stage::closed && (is_quiet_stream || now < connection.deadline)) {
      return false;
    }
    close(connection.socket);
    return true;
  });
}

}  // namespace

figures::Result<Listener> Listener::on_this_machine(int port, int attempts) {
  for (int i = 0; i < attempts; ++i) {
    const int tried = port == 0 ? 0 : port + i;
    const int made = listening_socket(tried);
    if (made >= 0) return Listener(made, port_of(made));
  }
  return figures::Error{"no port from " + std::to_string(port) + " on is free"};
}

Listener::Listener(Listener&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), port_(other.port_) {}

Listener::~Listener() {
  if (socket_ >= 0) close(socket_);
}

std::string Listener::address() const {
  return "http://127.0.0.1:" + std::to_string(port_) + '/';
}

figures::Status run_server(const Listener& listener, const HttpSite& site) {
  std::signal(SIGPIPE, SIG_IGN);  // where a socket cannot be told not to raise it
  return Server(listener, site).run();
}

}  // namespace primer
