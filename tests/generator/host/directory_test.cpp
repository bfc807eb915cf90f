#include "generator/host/directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <future>
#include <optional>
#include <sstream>

#include "catch.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/user_directories.hpp"

namespace fs = std::filesystem;
using primer::Directory;

namespace {

// "below", where the calls act, and "victim", which nothing may touch.
struct Scratch {
  fs::path path = fs::temp_directory_path() / ("primer_directory_" + std::to_string(::getpid()));
  Scratch() {
    fs::create_directories(path / "below/real");
    fs::create_directories(path / "victim");
    std::ofstream(path / "victim/mine") << "precious";
    std::ofstream(path / "below/file") << "file";
    fs::create_directory_symlink("../victim", path / "below/link");
    fs::create_directory_symlink("real", path / "below/inside");
    fs::create_symlink("../victim/mine", path / "below/linked");
  }
  ~Scratch() { fs::remove_all(path); }
  std::string read(const char* file) const {
    std::ostringstream text;
    text << std::ifstream(path / file, std::ios::binary).rdbuf();
    return text.str();
  }
  bool victim_is_whole() const {
    return read("victim/mine") == "precious" &&
           std::distance(fs::directory_iterator(path / "victim"), {}) == 1;
  }
};

}  // namespace

TEST_CASE(
    "directory: a path that is not normal, or leads through a link, is refused by everything") {
  const Scratch scratch;
  const Directory below(scratch.path / "below");
  for (const std::string bad : {"../victim/new", "/tmp/primer-new", "a/../../victim/new", "a//b",
                                "./a", "", "a/.", "link/new", "link/mine", "inside/new"}) {
    INFO(bad);
    CHECK(below.write(bad, "x"));
    CHECK(below.make(bad));
    CHECK(below.link(below, "file", bad));
    CHECK(below.make_new(bad));
    CHECK(below.move("file", below, bad));
    CHECK(below.move_new("file", below, bad));
    CHECK(below.exchange("file", bad));
    CHECK(!below.read(bad, 100));
    CHECK(below.open(bad, O_WRONLY | O_CREAT, 0666) < 0);
    CHECK(below.below(bad).get() < 0);
  }
  for (const std::string bad : {"../victim/mine", "link/mine"}) {
    static_cast<void>(below.remove(bad));
    static_cast<void>(below.remove_all(bad));
  }
  CHECK(below.write("linked", "x"));
  CHECK(below.open("linked", O_WRONLY | O_TRUNC) < 0);
  CHECK(!below.read("linked", 100));
  CHECK(scratch.read("below/file") == "file");
  CHECK(fs::is_empty(scratch.path / "below/real"));
  CHECK(scratch.victim_is_whole());
}

TEST_CASE("directory: step by step the same is refused as by the kernel") {
  const Scratch scratch;
  const Directory below(scratch.path / "below");
  for (const char* bad : {"link/new", "link/mine", "inside/new", "linked", "file/new"}) {
    INFO(bad);
    CHECK(primer::open_by_steps(below.get(), bad, O_WRONLY | O_CREAT, 0666) < 0);
  }
  CHECK(
      (primer::open_by_steps(below.get(), "link", O_PATH | O_DIRECTORY, 0) < 0 && errno == ELOOP));
  const int file =
      primer::open_by_steps(below.get(), "real/new", O_WRONLY | O_CREAT | O_EXCL, 0666);
  REQUIRE(file >= 0);
  close(file);
  CHECK(fs::exists(scratch.path / "below/real/new"));
  CHECK(scratch.victim_is_whole());
}

TEST_CASE("directory: what must be new takes nothing's place, and two things change places") {
  const Scratch scratch;
  const Directory below(scratch.path / "below");
  const std::string aside = primer::aside_name("file");
  CHECK((aside.starts_with("file.") && aside.size() == 17 && aside != primer::aside_name("file")));
  REQUIRE(!below.write(aside, "new"));
  for (const char* taken : {"file", "real", "link", "linked"}) {
    INFO(taken);
    CHECK(below.move_new(aside, below, taken) == std::errc::file_exists);
    CHECK(below.make_new(taken) == std::errc::file_exists);
  }
  CHECK(scratch.read("below/file") == "file");
  CHECK(!below.exchange(aside, "file"));
  CHECK(scratch.read("below/file") == "new");
  CHECK(scratch.read(("below/" + aside).c_str()) == "file");
  CHECK(!below.move_new(aside, below, "free"));
  CHECK(scratch.read("below/free") == "file");
  CHECK(below.exchange("file", "gone") == std::errc::no_such_file_or_directory);
  CHECK(!below.make_new("directory"));
  CHECK(scratch.victim_is_whole());
}

TEST_CASE("directory: removing a link does not remove its target") {
  const Scratch scratch;
  const Directory all(scratch.path);
  fs::create_directory_symlink("../../../victim", scratch.path / "below/real/deep");
  fs::create_hard_link(scratch.path / "victim/mine", scratch.path / "below/real/hard");
  CHECK(!all.remove_all("below"));
  CHECK(!fs::exists(scratch.path / "below"));
  CHECK(!all.remove_all("below"));  // removing it again is no error
  CHECK(scratch.victim_is_whole());
}

TEST_CASE(
    "directory: a new file takes the place of the old one and of nothing that is linked to it") {
  const Scratch scratch;
  const Directory below(scratch.path / "below");
  fs::create_hard_link(scratch.path / "victim/mine", scratch.path / "below/hard");
  CHECK(below.write("hard", "x") == std::errc::file_exists);
  CHECK(!below.write("new", "x"));
  CHECK(!below.move("new", below, "hard"));
  CHECK(scratch.read("below/hard") == "x");
  CHECK(!below.make("a/b/c"));
  CHECK(!below.make("a/b/c"));
  CHECK(!below.write("a/b/c/d", "y"));
  CHECK(below.read("a/b/c/d", 1) == "y");
  CHECK(!below.read("a/b/c/d", 0));
  CHECK(scratch.victim_is_whole());
}

TEST_CASE("directory: a lock is not a link and no file of somebody else's") {
  const Scratch scratch;
  const Directory below(scratch.path / "below");
  fs::create_symlink("../victim/new", scratch.path / "below/dangling");
  fs::create_hard_link(scratch.path / "victim/mine", scratch.path / "below/hard");
  for (const char* bad : {"link", "linked", "dangling", "hard", "real"}) {
    INFO(bad);
    const primer::Lock lock(below, bad);
    CHECK(!lock.held());
    CHECK(lock.error());
  }
  CHECK(primer::Lock(below, "lock").held());
  {
    std::optional<primer::Lock> first(std::in_place, below, "lock");
    std::promise<void> said;
    auto second = std::async(std::launch::async, [&] {
      return primer::Lock(below, "lock", [&] { said.set_value(); }).held();
    });
    said.get_future().wait();  // while it waits, not only afterwards
    CHECK(second.wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
    first.reset();
    CHECK(second.get());
  }
  CHECK(fs::status(scratch.path / "below/lock").permissions() == fs::perms(0600));
  CHECK(scratch.victim_is_whole());
}

namespace {

// Restores the environment afterwards.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variable() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

}  // namespace

TEST_CASE("user directories: by the XDG variables, else below HOME, private, else none") {
  const Scratch scratch;
  const std::string home = (scratch.path / "home").string();
  const Variable at_home("HOME", home.c_str()), cache("XDG_CACHE_HOME", nullptr);
  CHECK(primer::find_user_directories().cache.empty());
  CHECK(!fs::exists(home));
  const auto made = primer::make_user_directories();
  CHECK(made.missing == "");
  CHECK(made.cache == home + "/.cache/primer");
  CHECK(fs::status(made.cache).permissions() == fs::perms(0700));
  CHECK(fs::status(home + "/.cache").permissions() == fs::perms(0700));
  CHECK(primer::find_user_directories().cache == made.cache);
  CHECK(made.cache_of(scratch.path.string()) ==
        made.cache_of((scratch.path / "below/..").string()));
  CHECK(made.cache_of(scratch.path.string()) != made.cache_of((scratch.path / "below").string()));

  // A directory that came with a book is not used as a cache.
  CHECK(primer::find_user_directories(home).cache.empty());
  CHECK(primer::find_user_directories(scratch.path.string()).cache.empty());
  CHECK(primer::make_user_directories(home).missing ==
        home + "/.cache is in the book, whose files are not trusted");
  CHECK(primer::find_user_directories((scratch.path / "below").string()).cache == made.cache);

  fs::permissions(made.cache, fs::perms(0777));
  CHECK(primer::find_user_directories().cache.empty());
  CHECK(primer::make_user_directories().cache == made.cache);  // the user owns it
  CHECK(fs::status(made.cache).permissions() == fs::perms(0700));
  fs::remove_all(made.cache);
  fs::create_directory_symlink(scratch.path / "victim", made.cache);
  CHECK(primer::make_user_directories().cache.empty());
  CHECK(scratch.victim_is_whole());
  const Variable nowhere("HOME", nullptr);
  const auto none = primer::make_user_directories();
  CHECK(none.cache.empty());
  CHECK(none.missing == "neither HOME nor XDG_CACHE_HOME is set");
  CHECK(none.cache_of(".").empty());
}
