#include "generator/host/book_files.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.hpp"

namespace fs = std::filesystem;

namespace {

using Files = std::map<std::string, std::string>;

struct Scratch {
  fs::path path = fs::temp_directory_path() / ("primer_book_files_" + std::to_string(::getpid()));
  Scratch() {
    fs::create_directories(path / "book/chapters/en");
    fs::create_directories(path / "book/.github/workflows");
    fs::create_directories(path / "outside");
    std::ofstream(path / "book/chapters/book.yaml") << "old";
    std::ofstream(path / "book/.github/workflows/x.yml") << "workflow";
    std::ofstream(path / "outside/mine") << "precious";
  }
  ~Scratch() { fs::remove_all(path); }
  std::string read(const std::string& file) const {
    std::ostringstream text;
    text << std::ifstream(path / file, std::ios::binary).rdbuf();
    return text.str();
  }
  // Every path with the content of its file.
  Files all() const {
    Files found;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      const std::string name = entry.path().lexically_relative(path).string();
      found[name] = entry.is_regular_file() ? read(name) : "";
    }
    return found;
  }
  // The messages.
  std::string write(const Files& files) const {
    primer::Diagnostics diagnostics;
    const auto written = primer::write_book_files((path / "book").string(), files, diagnostics);
    CHECK(written.size() == (diagnostics.has_errors() ? 0 : files.size()));
    return to_text(diagnostics, primer::Format::text);
  }
};

bool contains(const std::string& text, const char* part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("book files: new ones with their directories, old ones with their mode, nothing else") {
  const Scratch scratch;
  const fs::path old = scratch.path / "book/chapters/book.yaml";
  fs::permissions(old, fs::perms(0664));
  fs::create_hard_link(old, scratch.path / "outside/other-name");
  CHECK(scratch.write({{"chapters/book.yaml", "new"}, {"figures/specs/a.json", "{}"}}) == "");
  CHECK(scratch.read("book/chapters/book.yaml") == "new");
  CHECK(scratch.read("book/figures/specs/a.json") == "{}");
  CHECK(fs::status(old).permissions() == fs::perms(0664));
  CHECK(scratch.read("outside/other-name") == "old");
  CHECK(scratch.all().size() == 13);
}

TEST_CASE("book files: nothing is written by way of a link, and then nothing at all") {
  const Scratch scratch;
  const fs::path book = scratch.path / "book";
  const std::string reason =
      GENERATE("workflow", "outside", "directory", "specs", "elsewhere", "pipe");
  std::string path = "chapters/en/x.md";
  if (reason == "workflow") fs::create_symlink("../../.github/workflows/x.yml", book / path);
  if (reason == "outside") fs::create_symlink("../../../outside/mine", book / path);
  if (reason == "directory") fs::create_directories(book / path);
  if (reason == "specs") {
    fs::create_directory_symlink("../outside", book / "figures");
    path = "figures/specs/new.json";
  }
  if (reason == "elsewhere")
    path = GENERATE(".github/workflows/x.yml", "chapters/../x", "/tmp/primer-x", "site/x");
  if (reason == "pipe") REQUIRE(mkfifo((book / path).c_str(), 0600) == 0);
  const auto before = scratch.all();
  const std::string messages =
      scratch.write({{"chapters/en/a.md", "new"}, {"chapters/book.yaml", "new"}, {path, "new"}});
  INFO(messages);
  CHECK(contains(messages, path.c_str()));
  CHECK(contains(messages, "1 error"));
  CHECK(scratch.all() == before);
}

TEST_CASE("book files: where the disk is full everything is as it was, and the message says why") {
  const Scratch scratch;
  const auto before = scratch.all();
  // A file size limit acts as a full disk.
  rlimit old{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, old.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const std::string messages = scratch.write({{"chapters/book.yaml", "new"},
                                              {"chapters/es/b.md", "new"},
                                              {"figures/c", std::string(2000, 'x')}});
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  CHECK(contains(messages, "figures/c: error: cannot be written: File too large"));
  CHECK(scratch.all() == before);
}
