#include "generator/serve/http_server.hpp"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iterator>
#include <list>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace primer {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t head_memory = 16 * 1024;  // of each connection, for both heads
constexpr long most_connections = 512;
constexpr unsigned leaving_connections = 64;  // closed, but not yet out of the library's count
constexpr std::size_t most_waiting_bytes = 256u << 20;
constexpr std::size_t event_chunk = 4 * 1024;
constexpr seconds head_time{5};
constexpr seconds write_time{10};
constexpr milliseconds idle_interval{
    1000};  // how late it is seen that a head is late, or that a stream is over
constexpr milliseconds news_interval{50};  // how late a stream hears where the library has no epoll

// GNU libmicrohttpd, loaded when the server is made: with the GnuTLS that it brings along it would cost every other
// start of the program two milliseconds.
struct Library {
#define PRIMER_TAKE(name) decltype(&::MHD_##name) name = take<decltype(&::MHD_##name)>("MHD_" #name)
  void* file = dlopen(PRIMER_MICROHTTPD, RTLD_NOW | RTLD_LOCAL);
  bool is_whole = file != nullptr;
  PRIMER_TAKE(add_response_header);
  PRIMER_TAKE(create_response_from_buffer);
  PRIMER_TAKE(create_response_from_callback);
  PRIMER_TAKE(destroy_response);
  PRIMER_TAKE(get_connection_info);
  PRIMER_TAKE(get_connection_values);
  PRIMER_TAKE(get_daemon_info);
  PRIMER_TAKE(get_timeout);
  PRIMER_TAKE(http_unescape);
  PRIMER_TAKE(queue_response);
  PRIMER_TAKE(quiesce_daemon);
  PRIMER_TAKE(resume_connection);
  PRIMER_TAKE(run_wait);
  PRIMER_TAKE(start_daemon);
  PRIMER_TAKE(stop_daemon);
  PRIMER_TAKE(suspend_connection);
#undef PRIMER_TAKE

 private:
  template <class Function>
  Function take(const char* name) {
    void* const found = file ? dlsym(file, name) : nullptr;
    is_whole = is_whole && found != nullptr;
    return reinterpret_cast<Function>(found);
  }
};

// Whole wherever there is a Listener.
const Library& library() {
  static const Library loaded;
  return loaded;
}

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
  if (make_private(made) && setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
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
  asking,    // its head is read
  answered,  // its answer is sent
  streaming,
  leaving,  // closed here, and soon by the library
};

struct Visitor {
  int socket = -1;
  MHD_Connection* connection = nullptr;
  Clock::time_point since;
  Stage stage = Stage::asking;
  std::string text;         // the answer's body, or the event that a stream is being sent
  std::size_t sent = 0;     // of an event
  int news = -1;            // that a stream was told
  bool is_resting = false;  // a stream that waits for news: the library does not look at it
};

struct ResponseEnd {
  void operator()(MHD_Response* response) const { library().destroy_response(response); }
};
using ResponsePointer = std::unique_ptr<MHD_Response, ResponseEnd>;

// Wakes a thread that waits for sockets.
class Bell {
 public:
  Bell() {
    if (pipe(ends_) != 0) return;
    for (const int end : ends_) make_private(end);
  }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  ~Bell() {
    for (const int end : ends_) close(end);
  }

  bool is_whole() const { return ends_[0] >= 0; }
  // Readable after it has rung.
  int socket() const { return ends_[0]; }
  // From any thread. One that nobody has heard yet is enough.
  void ring() const { [[maybe_unused]] const auto size = write(ends_[1], "!", 1); }
  void hear() const {
    char rings[64];
    while (read(ends_[0], rings, sizeof rings) > 0) continue;
  }

 private:
  int ends_[2] = {-1, -1};
};

class Server {
 public:
  Server(const Listener& listener, const HttpSite& site) : listener_(listener), site_(site) {}
  figures::Status run();

 private:
  MHD_Daemon* start();
  void stop(MHD_Daemon* daemon);
  void add(MHD_Connection* connection, void** context);
  void make_room();
  void drop_late();
  void leave(Visitor& visitor);
  MHD_Result take(Visitor& visitor, std::string_view method, const char* target);
  HttpResponse response_to(int status, const HttpRequest& request);
  bool send(Visitor& visitor, HttpResponse&& response);
  ssize_t next_part(Visitor& visitor, char* to, std::size_t room);
  bool work(MHD_Daemon* daemon);
  void wake(Visitor& visitor);
  void wake_streams();
  std::size_t count(Stage stage) const;

  const Listener& listener_;
  const HttpSite& site_;
  const std::size_t most_connections_ = connection_limit();
  const std::size_t most_streams_ = most_connections_ / 2;
  std::list<Visitor> visitors_;  // the oldest first
  Bell bell_;                    // rings for news
};

std::size_t Server::count(Stage stage) const {
  return static_cast<std::size_t>(std::count_if(
      visitors_.begin(), visitors_.end(), [&](const Visitor& one) { return one.stage == stage; }));
}

Visitor& visitor_of(MHD_Connection* connection) {
  const auto* info = library().get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return *static_cast<Visitor*>(info->socket_context);
}

MHD_Daemon* Server::start() {
  const auto notice = [](void* self, MHD_Connection* connection, void** context,
                         MHD_ConnectionNotificationCode what) noexcept {
    auto& server = *static_cast<Server*>(self);
    if (what == MHD_CONNECTION_NOTIFY_STARTED) return server.add(connection, context);
    server.visitors_.remove_if([&](const Visitor& one) { return &one == *context; });
  };
  // The only call for a request: it is answered before any body, which is then never read.
  const auto handle = [](void* self, MHD_Connection* connection, const char* target,
                         const char* method, const char*, const char*, std::size_t*, void**) {
    return static_cast<Server*>(self)->take(visitor_of(connection), method, target);
  };
  // Targets stay as they are written: what a "%00" means is seen in take().
  const auto unescape = [](void*, MHD_Connection*, char* text) { return std::strlen(text); };
  return library().start_daemon(
      MHD_USE_AUTO | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_SUPPRESS_DATE_NO_CLOCK, 0, nullptr, nullptr,
      static_cast<MHD_AccessHandlerCallback>(handle), this, MHD_OPTION_LISTEN_SOCKET,
      listener_.socket(), MHD_OPTION_CONNECTION_LIMIT,
      static_cast<unsigned>(most_connections_) + leaving_connections,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, head_memory, MHD_OPTION_CONNECTION_TIMEOUT,
      static_cast<unsigned>(write_time.count()), MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
      MHD_OPTION_UNESCAPE_CALLBACK,
      static_cast<std::size_t (*)(void*, MHD_Connection*, char*)>(unescape), nullptr,
      MHD_OPTION_NOTIFY_CONNECTION, static_cast<MHD_NotifyConnectionCallback>(notice), this,
      MHD_OPTION_END);
}

// The listening socket stays its owner's.
void Server::stop(MHD_Daemon* daemon) {
  library().quiesce_daemon(daemon);
  for (auto& visitor : visitors_) {
    visitor.stage = Stage::leaving;
    wake(visitor);
  }
  library().stop_daemon(daemon);
}

figures::Status Server::run() {
  MHD_Daemon* const daemon = start();
  if (daemon == nullptr) return figures::Error{"the system does not let the server start"};
  if (site_.on_news) site_.on_news([this] { bell_.ring(); });
  while (work(daemon)) drop_late();
  if (site_.on_news) site_.on_news({});
  stop(daemon);
  return figures::Error{"the system does not wait for sockets"};
}

// Waits until there is something to do, and has it done. False: the system waits no more.
bool Server::work(MHD_Daemon* daemon) {
  const auto* waiting = library().get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  const auto run = [&](milliseconds patience) {
    return library().run_wait(daemon, static_cast<std::int32_t>(patience.count())) == MHD_YES;
  };
  if (waiting == nullptr || waiting->epoll_fd < 0 || !bell_.is_whole()) {
    if (!run(count(Stage::streaming) > 0 ? news_interval : idle_interval)) return false;
    wake_streams();
    return true;
  }
  MHD_UNSIGNED_LONG_LONG patience = idle_interval.count();
  if (MHD_UNSIGNED_LONG_LONG left = 0; library().get_timeout(daemon, &left) == MHD_YES) {
    patience = std::min(patience, left);
  }
  pollfd sources[] = {{waiting->epoll_fd, POLLIN, 0}, {bell_.socket(), POLLIN, 0}};
  if (poll(sources, std::size(sources), static_cast<int>(patience)) < 0 && errno != EINTR)
    return false;
  bell_.hear();
  wake_streams();
  return run(milliseconds(0));
}

void Server::add(MHD_Connection* connection, void** context) {
  const auto* info = library().get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  Visitor& fresh = visitors_.emplace_back();
  fresh.socket = info->connect_fd;
  fresh.connection = connection;
  fresh.since = Clock::now();
  *context = &fresh;
  make_room();
}

// The library sees the end of the connection, and gives it back.
void Server::leave(Visitor& visitor) {
  visitor.stage = Stage::leaving;
  shutdown(visitor.socket, SHUT_RDWR);
}

// Ends the oldest connection that asks for nothing; if all ask, the oldest that is answered.
// Streams are fewer than connections and stay.
void Server::make_room() {
  if (visitors_.size() - count(Stage::leaving) <= most_connections_) return;
  for (const Stage stage : {Stage::asking, Stage::answered}) {
    const auto oldest = std::find_if(visitors_.begin(), visitors_.end(),
                                     [&](const Visitor& one) { return one.stage == stage; });
    if (oldest != visitors_.end()) return leave(*oldest);
  }
}

// The library's time limit begins anew with each byte; a head has this long, whatever it sends.
void Server::drop_late() {
  const auto now = Clock::now();
  for (auto& visitor : visitors_) {
    if (visitor.stage == Stage::asking && now - visitor.since > head_time) leave(visitor);
  }
}

bool is_visible(char c) { return c > ' ' && c < '\x7f'; }

// False: it is none.
bool read_target(HttpRequest& request) {
  std::string& target = request.target;
  if (!target.starts_with('/') || !std::all_of(target.begin(), target.end(), is_visible)) {
    return false;
  }
  target.resize(std::min(target.size(), target.find('#')));
  request.path = target;
  request.path.resize(library().http_unescape(request.path.data()));
  return true;
}

void read_headers(MHD_Connection* connection, HttpRequest& request) {
  const auto add = [](void* headers, MHD_ValueKind, const char* name, const char* value) noexcept {
    std::string key(name);
    for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const std::string text(value == nullptr ? "" : value);
    auto& all = *static_cast<std::map<std::string, std::string>*>(headers);
    const auto [at, is_new] = all.emplace(key, text);
    if (!is_new) at->second += ", " + text;
    return MHD_YES;
  };
  library().get_connection_values(connection, MHD_HEADER_KIND, add, &request.headers);
}

bool announces_body(const HttpRequest& request) {
  const auto length = request.headers.find("content-length");
  return (length != request.headers.end() && length->second != "0") ||
         request.headers.contains("transfer-encoding");
}

// Answers a request. Nothing may be thrown into the library.
MHD_Result Server::take(Visitor& visitor, std::string_view method, const char* target) try {
  if (visitor.stage != Stage::asking) return MHD_NO;
  HttpRequest request;
  request.head_only = method == "HEAD";
  request.target = target;
  read_headers(visitor.connection, request);
  int status = 200;
  if (method != "GET" && method != "HEAD") status = 405;
  else if (announces_body(request)) status = 413;
  else if (!read_target(request) || !request.headers.contains("host")) status = 400;
  return send(visitor, response_to(status, request)) ? MHD_YES : MHD_NO;
} catch (const std::exception&) {
  return MHD_NO;  // the connection is closed, and no other
}

HttpResponse Server::response_to(int status, const HttpRequest& request) {
  HttpResponse response;
  if (status == 200) {
    try {
      response = site_.answer(request);
    } catch (const std::exception&) {  // no memory, say: this answer fails, and no other
      status = 500;
    }
  }
  std::size_t waiting = 0;
  for (const auto& one : visitors_) waiting += one.text.size();
  const bool is_much = waiting > 0 && waiting + response.body.size() > most_waiting_bytes;
  if (response.is_stream && count(Stage::streaming) >= most_streams_) wake_streams();
  if (is_much || (response.is_stream && count(Stage::streaming) >= most_streams_)) status = 503;
  if (status != 200) {
    response = {status, {}, "", false};
    if (status == 405) response.headers.emplace_back("Allow", "GET, HEAD");
    if (status == 503) response.headers.emplace_back("Retry-After", "1");
    site_.refuse(response);
  }
  response.is_stream = response.is_stream && !request.head_only;
  return response;
}

// The body stays with the visitor until the library has done with the connection.
bool Server::send(Visitor& visitor, HttpResponse&& response) {
  visitor.stage = response.is_stream ? Stage::streaming : Stage::answered;
  visitor.text = std::move(response.body);
  ResponsePointer made;
  if (response.is_stream) {
    struct Source {
      Server& server;
      Visitor& visitor;
    };
    const auto read = [](void* source, std::uint64_t, char* to, std::size_t room) {
      auto& [server, reader] = *static_cast<Source*>(source);
      return server.next_part(reader, to, room);
    };
    const auto forget = [](void* source) { delete static_cast<Source*>(source); };
    auto source = std::make_unique<Source>(Source{*this, visitor});
    made.reset(library().create_response_from_callback(MHD_SIZE_UNKNOWN, event_chunk, read,
                                                       source.get(), forget));
    if (made) source.release();
  } else {
    made.reset(library().create_response_from_buffer(visitor.text.size(), visitor.text.data(),
                                                     MHD_RESPMEM_PERSISTENT));
  }
  if (!made) return false;
  library().add_response_header(made.get(), MHD_HTTP_HEADER_CONNECTION, "close");
  for (const auto& [name, value] : response.headers) {
    library().add_response_header(made.get(), name.c_str(), value.c_str());
  }
  return library().queue_response(visitor.connection, static_cast<unsigned>(response.status),
                                  made.get()) == MHD_YES;
}

// What a stream is sent next. Without news it rests: the library leaves it alone until wake().
ssize_t Server::next_part(Visitor& visitor, char* to, std::size_t room) try {
  if (visitor.stage != Stage::streaming) return MHD_CONTENT_READER_END_WITH_ERROR;
  if (visitor.sent == visitor.text.size()) {
    const int news = site_.news();
    if (news == visitor.news) {
      visitor.is_resting = true;
      library().suspend_connection(visitor.connection);
      return 0;
    }
    visitor.text = site_.event();
    visitor.sent = 0;
    visitor.news = news;
  }
  const std::size_t size = visitor.text.copy(to, room, visitor.sent);
  visitor.sent += size;
  return static_cast<ssize_t>(size);
} catch (const std::exception&) {
  return MHD_CONTENT_READER_END_WITH_ERROR;
}

void Server::wake(Visitor& visitor) {
  if (!std::exchange(visitor.is_resting, false)) return;
  library().resume_connection(visitor.connection);
}

// Wakes the streams that have something to hear, and those that are over: the library does not see
// that a resting one ends. A stream has nothing to say: one that speaks is over as well.
void Server::wake_streams() {
  std::vector<pollfd> sockets;
  std::vector<Visitor*> resting;
  for (auto& visitor : visitors_) {
    if (!visitor.is_resting) continue;
    sockets.push_back({visitor.socket, POLLIN, 0});
    resting.push_back(&visitor);
  }
  if (resting.empty()) return;
  const int news = site_.news();
  poll(sockets.data(), static_cast<nfds_t>(sockets.size()), 0);
  for (std::size_t i = 0; i < resting.size(); ++i) {
    if (sockets[i].revents != 0) leave(*resting[i]);
    if (sockets[i].revents != 0 || resting[i]->news != news) wake(*resting[i]);
  }
}

}  // namespace

figures::Result<Listener> Listener::on_this_machine(int port, int attempts) {
  if (!library().is_whole)
    return figures::Error{"there is no " PRIMER_MICROHTTPD ", which serves pages"};
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

std::string Listener::address() const { return "http://127.0.0.1:" + std::to_string(port_) + '/'; }

std::string HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

std::string reason_of(int status) {
  static const std::map<int, std::string> reasons = {
      {400, "Bad Request"},        {403, "Forbidden"},         {404, "Not Found"},
      {405, "Method Not Allowed"}, {413, "Content Too Large"}, {500, "Internal Server Error"},
      {503, "Service Unavailable"}};
  const auto found = reasons.find(status);
  return found == reasons.end() ? std::to_string(status) : found->second;
}

figures::Status run_server(const Listener& listener, const HttpSite& site) {
  std::signal(SIGPIPE, SIG_IGN);  // where a socket cannot be told not to raise it
  return Server(listener, site).run();
}

}  // namespace primer
