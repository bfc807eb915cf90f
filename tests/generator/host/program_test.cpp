// Which programs are started, with which arguments and environment.
#include "generator/host/process.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

#include "catch.hpp"

using namespace primer;
namespace fs = std::filesystem;

namespace {

struct Directory {
  fs::path path =
      fs::canonical(fs::temp_directory_path()) / ("primer_program_" + std::to_string(::getpid()));
  Directory() { fs::create_directories(path); }
  ~Directory() { fs::remove_all(path); }
  std::string put(const std::string& name, fs::perms mode = fs::perms::owner_all) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << "#!/bin/sh\n";
    fs::permissions(path / name, mode);
    return (path / name).string();
  }
};

std::string said_by(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment = {}) {
  LineProcess process;
  std::string out, line;
  if (!process.start(arguments, environment)) return "does not start";
  while (process.next_line(line, std::chrono::seconds(60)) == LineProcess::Event::line)
    out += line + '\n';
  return out;
}

}  // namespace

TEST_CASE("program: found in absolute directories, and not in the book") {
  const Directory home;
  const std::string own = home.put("bin/tool"), in_book = home.put("book/bin/tool");
  home.put("plain/tool", fs::perms::owner_read);
  fs::create_directories(home.path / "directory/tool");
  fs::create_directory_symlink(home.path / "book/bin", home.path / "link");
  fs::create_directories(home.path / "book/out");
  fs::create_symlink(own, home.path / "book/out/tool");
  const auto at = [&](const std::string& name) { return (home.path / name).string(); };
  const auto found = [&](const std::string& list) {
    return find_program_in(list, "tool", home.path / "book").string();
  };
  CHECK(found(at("bin")) == own);
  CHECK(found(at("none") + ':' + at("plain") + ':' + at("directory") + ':' + at("bin")) == own);
  CHECK(found(at("book/bin") + ':' + at("bin")) == own);
  CHECK(found(at("link") + ':' + at("book/out")) == "");
  CHECK(found(at("bin/../book/bin")) == "");
  CHECK(find_program_in(at("link"), "tool") == in_book);
  CHECK(found("") == "");
  const fs::path before = fs::current_path();
  fs::current_path(home.path);
  CHECK(found("bin:./bin:.:") == "");
  fs::current_path(before);
}

TEST_CASE("program: it inherits nothing from this process") {
  setenv("PRIMER_TEST_SECRET", "token", 1);
  setenv("NODE_OPTIONS", "--require /nowhere", 1);
  setenv("GIT_DIR", "/nowhere", 1);
  const std::string said = said_by({"env"}, {"OWN=1"});
  CHECK(said == "PATH=/usr/local/bin:/usr/bin:/bin\nHOME=/\nLC_ALL=C\nTZ=UTC\nOWN=1\n");
  for (const char* name : {"PRIMER_TEST_SECRET", "NODE_OPTIONS", "GIT_DIR"}) unsetenv(name);
  CHECK(said_by({"pwd"}) == "/\n");
  CHECK(said_by({"no such program"}) == "does not start");
}

TEST_CASE("program: its exit status, when its output has ended") {
  const auto status = [](const std::string& script) {
    LineProcess process;
    std::string line;
    REQUIRE(process.start({"sh", "-c", script}));
    while (process.next_line(line, std::chrono::seconds(60)) == LineProcess::Event::line) continue;
    return process.finish();
  };
  CHECK(status("echo a") == 0);
  CHECK(status("exit 3") == 3);
  CHECK(status("kill -9 $$") == -1);
}

TEST_CASE("program: the loader that it names") {
  const Directory home;
  CHECK(loader_of(home.put("script")) == "");
  CHECK(loader_of("/nowhere") == "");
#ifdef __linux__
  CHECK(fs::exists(loader_of("/bin/sh")));
#endif
}

TEST_CASE("program: the whole input, its end, and an output without lines") {
  LineProcess process;
  std::string line;
  REQUIRE(process.start({"cat"}));
  const std::string text(1'000'000, 'x');
  process.send(text);
  process.end_input();
  CHECK(process.next_line(line, std::chrono::seconds(60)) == LineProcess::Event::closed);
  CHECK(process.take_rest() == text);
  CHECK(process.finish() == 0);
}
