// The limits of the sandbox. Each attempt is made by a child process, which enters the sandbox and
// cannot leave it.
#include "generator/host/sandbox.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <functional>

#include "catch.hpp"
#include "generator/host/process.hpp"

using namespace primer;
namespace fs = std::filesystem;

namespace {

struct Directory {
  fs::path path =
      fs::canonical(fs::temp_directory_path()) / ("primer_sandbox_" + std::to_string(::getpid()));
  Directory() {
    for (const char* name : {"book", "out", "outside"}) {
      fs::create_directories(path / name);
      std::ofstream(path / name / "file") << name;
    }
    fs::create_directory_symlink(path / "outside", path / "book/leads_out");
  }
  ~Directory() { fs::remove_all(path); }
  std::string at(const std::string& name) const { return (path / name).string(); }
  Sandbox sandbox() const { return {{at("book")}, {at("out")}, {find_program("env")}}; }
};

// Whether the sandbox of a child process reports that it does not limit `what`.
bool lacks(const std::string& what) {
  int ends[2];
  if (pipe(ends) != 0) return true;
  const pid_t child = fork();
  if (child == 0) {
    const auto protection = restrict_process({});
    std::string all;
    if (protection) all = protection->missing;
    [[maybe_unused]] const auto count = write(ends[1], all.data(), all.size());
    _exit(0);
  }
  close(ends[1]);
  char text[1000] = {};
  const auto count = read(ends[0], text, sizeof text - 1);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  const std::string said(text, static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  if (said.find(what) == said.npos && said.find("anything") == said.npos) return false;
  WARN("not tried, because this system does not limit it: " << said);
  return true;
}

// errno of an attempt in the sandbox; 0 if it succeeds, -1 if the sandbox cannot be entered.
int tried(const Sandbox& sandbox, const std::function<bool()>& attempt) {
  const pid_t child = fork();
  if (child == 0) {
    if (!restrict_process(sandbox)) _exit(255);
    errno = 0;
    _exit(attempt() ? 0 : errno);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 254;
  return code == 255 ? -1 : code;
}

long landlock_version() {
  return syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

bool opens(const std::string& path, int flags) {
  return open(path.c_str(), flags | O_CLOEXEC, 0644) >= 0;
}

}  // namespace

TEST_CASE("sandbox: named paths can be read and written") {
  const Directory home;
  const auto sandbox = home.sandbox();
  CHECK(tried(sandbox, [&] { return opens(home.at("book/file"), O_RDONLY); }) == 0);
  CHECK(tried(sandbox, [&] { return opens(home.at("out/file"), O_RDWR | O_TRUNC); }) == 0);
  CHECK(tried(sandbox, [&] {
          fs::create_directories(home.at("out/a/b"));
          std::ofstream(home.at("out/a/b/c")) << "c";
          fs::create_hard_link(home.at("out/a/b/c"), home.at("out/d"));
          fs::rename(home.at("out/a/b/c"), home.at("out/e"));
          fs::create_symlink("e", home.at("out/f"));
          return fs::remove_all(home.at("out/a")) == 2 && opens(home.at("out/f"), O_RDONLY);
        }) == 0);
}

TEST_CASE("sandbox: nothing else can be") {
  if (lacks("files")) return;
  const Directory home;
  auto sandbox = home.sandbox();
  sandbox.newest_landlock = GENERATE(2, 3, 4, 5, 1000);  // 2 is Debian 12's
  INFO("Landlock " << sandbox.newest_landlock);
  const auto refused = [&](const std::function<bool()>& attempt) {
    const int why = tried(sandbox, attempt);
    return why == EACCES || why == EPERM || why == EXDEV;
  };
  CHECK(refused([&] { return opens(home.at("outside/file"), O_RDONLY); }));
  CHECK(refused([&] { return opens(home.at("book/leads_out/file"), O_RDONLY); }));
  CHECK(refused([&] { return opens(home.at("outside"), O_RDONLY | O_DIRECTORY); }));
  CHECK(refused([&] {
    return opens("/etc/hostname", O_RDONLY) || (errno = errno == ENOENT ? EACCES : errno, false);
  }));
  for (const char* secret : {"environ", "maps", "mem", "cmdline", "root/etc/passwd", "cwd"}) {
    INFO(secret);
    CHECK(refused(
        [&] { return opens("/proc/" + std::to_string(getppid()) + '/' + secret, O_RDONLY); }));
  }
  CHECK(refused([&] { return opens("/proc/self/environ", O_RDONLY); }));
  CHECK(tried(sandbox, [&] { return opens("/proc/self/maps", O_RDONLY); }) == 0);
  CHECK(refused([&] { return opens(home.at("book/file"), O_WRONLY); }));
  CHECK(refused([&] { return opens(home.at("book/new"), O_WRONLY | O_CREAT); }));
  CHECK(refused([&] { return opens(home.at("outside/new"), O_WRONLY | O_CREAT); }));
  if (sandbox.newest_landlock >= 3 && landlock_version() >= 3) {
    CHECK(refused([&] { return opens(home.at("book/file"), O_RDONLY | O_TRUNC); }));
    CHECK(refused([&] { return truncate(home.at("outside/file").c_str(), 0) == 0; }));
  }
  CHECK(refused([&] { return unlink(home.at("outside/file").c_str()) == 0; }));
  CHECK(refused([&] { return unlink(home.at("book/file").c_str()) == 0; }));
  CHECK(refused([&] { return mkdir(home.at("book/directory").c_str(), 0755) == 0; }));
  CHECK(refused([&] { return symlink("x", home.at("book/link").c_str()) == 0; }));
  CHECK(refused(
      [&] { return rename(home.at("out/file").c_str(), home.at("outside/file").c_str()) == 0; }));
  CHECK(refused(
      [&] { return link(home.at("outside/file").c_str(), home.at("out/linked").c_str()) == 0; }));
  CHECK(refused([&] { return mkfifo(home.at("out/fifo").c_str(), 0644) == 0; }));
  CHECK(fs::file_size(home.at("outside/file")) == 7);
  CHECK(fs::file_size(home.at("book/file")) == 4);
}

TEST_CASE("sandbox: only the named programs run, also from their children") {
  if (lacks("files")) return;
  const Directory home;
  const auto run = [&](std::vector<std::string> words) {
    return tried(home.sandbox(), [&] {
      LineProcess process;
      std::string line;
      if (!process.start(words)) return errno = EACCES, false;
      while (process.next_line(line, std::chrono::seconds(60)) == LineProcess::Event::line)
        continue;
      errno = process.finish();
      return errno == 0;
    });
  };
  CHECK(run({"env"}) == 0);
  CHECK(run({"sh", "-c", "true"}) == EACCES);
  CHECK(run({"env", "/bin/sh", "-c", "true"}) ==
        126);  // env's status for a program that it may not run
  fs::copy_file("/bin/sh", home.at("out/shell"));
  CHECK(run({home.at("out/shell"), "-c", "true"}) == EACCES);
}

TEST_CASE("sandbox: no connection leads out, and a server keeps its port") {
  if (lacks("files")) return;
  const Directory home;
  int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const where = reinterpret_cast<sockaddr*>(&address);
  REQUIRE(bind(listening, where, size) == 0);
  REQUIRE(listen(listening, 1) == 0);
  REQUIRE(getsockname(listening, where, &size) == 0);
  const int ready = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const auto sandbox = home.sandbox();
  if (landlock_version() >= 4) {
    CHECK(tried(sandbox, [&] { return connect(ready, where, size) == 0; }) == EACCES);
    CHECK(tried(sandbox, [&] {
            address.sin_port = 0;
            return bind(socket(AF_INET, SOCK_STREAM, 0), where, size) == 0;
          }) == EACCES);
  } else {
    WARN("not tried: this kernel's Landlock does not limit TCP");
  }
  CHECK(tried(sandbox, [&] { return ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0; }) ==
        EPERM);
  if (landlock_version() >= 6) {
    CHECK(tried(sandbox, [&] { return kill(getppid(), 0) == 0; }) == EPERM);
  }
  REQUIRE((connect(ready, where, size) == 0 || errno == EINPROGRESS));
  CHECK(tried(sandbox, [&] { return accept(listening, nullptr, nullptr) >= 0; }) == 0);
  close(ready);
  close(listening);
}

TEST_CASE("sandbox: a program with the setuid bit gains nothing") {
  CHECK(tried({}, [] { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1; }) ==
        (lacks("anything") ? ENOENT : 0));
}

TEST_CASE("sandbox: time, file size and what a crash leaves have an end") {
  const Directory home;
  if (lacks("anything")) return;
  const auto most = [&](int resource, const Sandbox& sandbox) {
    return tried(sandbox, [&] {
      rlimit limit{};
      getrlimit(resource, &limit);
      errno = limit.rlim_cur == RLIM_INFINITY ? 2 : limit.rlim_cur == 0 ? 3 : 4;
      return false;
    });
  };
  auto sandbox = home.sandbox();
  CHECK(most(RLIMIT_CORE, sandbox) == 3);
  CHECK(most(RLIMIT_FSIZE, sandbox) == 4);
  CHECK(most(RLIMIT_CPU, sandbox) == 4);
  CHECK(tried(sandbox, [&] {
          std::signal(SIGXFSZ, SIG_IGN);  // as main() does
          const int file = open(home.at("out/large").c_str(), O_WRONLY | O_CREAT, 0644);
          return pwrite(file, "x", 1, off_t{3} << 30) == 1;
        }) == EFBIG);
}

TEST_CASE("sandbox: what the kernel lacks is named") {
  Sandbox sandbox;
  for (sandbox.newest_landlock = 0; sandbox.newest_landlock < 2; ++sandbox.newest_landlock) {
    CHECK(tried(sandbox, [] {
            const auto protection = restrict_process({{}, {}, {}, true, 0});
            return protection && !protection->missing.empty();
          }) == 0);
    CHECK(tried(sandbox, [] { return opens("/etc/passwd", O_RDONLY); }) == 0);
  }
}

TEST_CASE("sandbox: missing paths are skipped") {
  const Directory home;
  CHECK(tried({{"", "/nowhere/at/all"}, {home.at("out/none")}, {"", "/nowhere/node"}},
              [] { return true; }) == 0);
  int ends[2];
  REQUIRE(pipe(ends) == 0);  // a possible /dev/stdin
  const std::string name = "/proc/self/fd/" + std::to_string(ends[0]);
  CHECK(tried({{name}}, [&] { return opens(name, O_RDONLY); }) == 0);
  close(ends[0]);
  close(ends[1]);
}
