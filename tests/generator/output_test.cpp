#include "generator/output.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.hpp"

namespace fs = std::filesystem;

namespace {

struct Directory {
  fs::path path = fs::temp_directory_path() / ("primer_output_" + std::to_string(::getpid()));
  Directory() { fs::create_directories(path); }
  ~Directory() { fs::remove_all(path); }
  std::string site() const { return (path / "site").string(); }
  std::string read(const std::string& file) const {
    std::ostringstream text;
    text << std::ifstream(path / file, std::ios::binary).rdbuf();
    return text.str();
  }
};

using Files = std::map<std::string, std::string>;

}  // namespace

TEST_CASE("output: a new tree replaces the old one in one step") {
  const Directory directory;
  const auto first = primer::write_site(directory.site(), {{"index.html", "1"}, {"a/b.js", "x"}});
  REQUIRE(first);
  CHECK(first->changed == 2);
  CHECK(fs::read_symlink(directory.site()) == "site.1");
  const auto second = primer::write_site(directory.site(), {{"index.html", "2"}, {"a/b.js", "x"}});
  REQUIRE(second);
  CHECK(second->changed == 1);
  CHECK(fs::read_symlink(directory.site()) == "site.2");
  CHECK(directory.read("site/index.html") == "2");
  CHECK(directory.read("site.1/index.html") == "1");  // a reader may still be in it
  CHECK(fs::equivalent(directory.path / "site.1/a/b.js", directory.path / "site.2/a/b.js"));
}

TEST_CASE("output: nothing is written when nothing changed") {
  const Directory directory;
  const Files files{{"index.html", "1"}, {"empty", ""}};
  REQUIRE(primer::write_site(directory.site(), files));
  const auto time = fs::last_write_time(directory.path / "site.1/index.html");
  const auto again = primer::write_site(directory.site(), files);
  REQUIRE(again);
  CHECK(again->changed == 0);
  CHECK(fs::read_symlink(directory.site()) == "site.1");
  CHECK(fs::last_write_time(directory.path / "site.1/index.html") == time);
}

TEST_CASE("output: removed files go, stale trees go") {
  const Directory directory;
  REQUIRE(primer::write_site(directory.site(), {{"a", "1"}, {"b", "2"}}));
  fs::create_directories(directory.path / "site.77/half");   // of a build that was killed
  fs::create_directory_symlink("site.77", directory.path / "site.link");
  fs::create_directories(directory.path / "site.notes");     // somebody's own
  REQUIRE(primer::write_site(directory.site(), {{"a", "1"}}));
  CHECK(!fs::exists(directory.path / "site/b"));
  CHECK(!fs::exists(directory.path / "site.77"));
  CHECK(!fs::exists(fs::symlink_status(directory.path / "site.link")));
  CHECK(fs::exists(directory.path / "site.notes"));
}

TEST_CASE("output: what is not a site of ours is left alone") {
  const Directory directory;
  fs::create_directories(directory.path / "site");
  std::ofstream(directory.path / "site/mine") << "precious";
  const auto written = primer::write_site(directory.site(), {{"a", "1"}});
  REQUIRE(!written);
  CHECK(written.error().message.find("no site that primer built") != std::string::npos);
  CHECK(directory.read("site/mine") == "precious");
}
