#include "generator/output.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

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

figures::Result<primer::Written> write_site(const std::string& out, const Files& files) {
  primer::SiteWriter writer(out);
  for (const auto& [path, bytes] : files) writer.add(path, bytes);
  return writer.finish();
}

}  // namespace

TEST_CASE("output: a new tree replaces the old one in one step") {
  const Directory directory;
  const auto first = write_site(directory.site(), {{"index.html", "1"}, {"a/b.js", "x"}});
  REQUIRE(first);
  CHECK(first->changed == 2);
  CHECK(fs::read_symlink(directory.site()) == "site.1");
  const auto second = write_site(directory.site(), {{"index.html", "2"}, {"a/b.js", "x"}});
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
  REQUIRE(write_site(directory.site(), files));
  const auto time = fs::last_write_time(directory.path / "site.1/index.html");
  const auto again = write_site(directory.site(), files);
  REQUIRE(again);
  CHECK(again->changed == 0);
  CHECK(fs::read_symlink(directory.site()) == "site.1");
  CHECK(fs::last_write_time(directory.path / "site.1/index.html") == time);
}

TEST_CASE("output: removed files go, stale trees go") {
  const Directory directory;
  REQUIRE(write_site(directory.site(), {{"a", "1"}, {"b", "2"}}));
  fs::create_directories(directory.path / "site.77/half");   // of a build that was killed
  fs::create_directory_symlink("site.77", directory.path / "site.link");
  fs::create_directories(directory.path / "site.notes");     // somebody's own
  REQUIRE(write_site(directory.site(), {{"a", "1"}}));
  CHECK(!fs::exists(directory.path / "site/b"));
  CHECK(!fs::exists(directory.path / "site.77"));
  CHECK(!fs::exists(fs::symlink_status(directory.path / "site.link")));
  CHECK(fs::exists(directory.path / "site.notes"));
}

TEST_CASE("output: the third tree is made of the first") {
  const Directory directory;
  REQUIRE(write_site(directory.site(), {{"a", "1"}, {"gone/x", "1"}, {"d/e", "1"}, {"f", "1"}}));
  REQUIRE(write_site(directory.site(), {{"a", "2"}, {"d/e", "1"}, {"f", "1"}}));
  const std::string second = (directory.path / "site.2").string();
  // Whatever somebody did to a tree that is not current.
  fs::remove(directory.path / "site.1/f");
  fs::create_directory_symlink(second, directory.path / "site.1/f");
  fs::create_symlink(fs::path(second) / "a", directory.path / "site.1/linked");
  std::ofstream(directory.path / "site.1/extra") << "x";
  const Files third{{"a", "3"}, {"d", "no directory any more"}, {"f", "1"}, {"linked", "l"}};
  const auto written = write_site(directory.site(), third);
  REQUIRE(written);
  CHECK(fs::read_symlink(directory.site()) == "site.3");
  CHECK(!fs::exists(directory.path / "site.1"));
  Files found;
  for (const auto& entry : fs::recursive_directory_iterator(directory.path / "site.3")) {
    CHECK(fs::is_regular_file(entry.symlink_status()));
    found[entry.path().filename().string()] = directory.read("site.3/" + entry.path().filename().string());
  }
  CHECK(found == third);
  CHECK(directory.read("site.2/a") == "2");  // its file was replaced, not written into
  CHECK(directory.read("site.2/d/e") == "1");
}

TEST_CASE("output: what is not a site of ours is left alone") {
  const Directory directory;
  fs::create_directories(directory.path / "site");
  std::ofstream(directory.path / "site/mine") << "precious";
  const auto written = write_site(directory.site(), {{"a", "1"}});
  REQUIRE(!written);
  CHECK(written.error().message.find("no site that primer built") != std::string::npos);
  CHECK(directory.read("site/mine") == "precious");
}

TEST_CASE("output: several threads add files to new and old directories") {
  const Directory directory;
  for (const char* text : {"1", "2"}) {
    primer::SiteWriter writer(directory.site());
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&writer, text, t] {
        for (int i = t; i < 80; i += 4) {
          writer.add(std::to_string(i % 9) + '/' + std::to_string(i % 5) + '/' + std::to_string(i), text);
        }
      });
    }
    threads.clear();
    const auto written = writer.finish();
    REQUIRE(written);
    CHECK(written->files == 80);
    CHECK(written->changed == 80);
    for (int i = 0; i < 80; ++i) {
      CHECK(directory.read("site/" + std::to_string(i % 9) + '/' + std::to_string(i % 5) + '/' +
                           std::to_string(i)) == text);
    }
  }
}

TEST_CASE("output: without an end there is no site") {
  const Directory directory;
  { primer::SiteWriter(directory.site()).add("a", "1"); }
  CHECK(!fs::exists(fs::symlink_status(directory.site())));
  REQUIRE(write_site(directory.site(), {{"a", "1"}}));
  { primer::SiteWriter(directory.site()).add("a", "2"); }
  CHECK(directory.read("site/a") == "1");
  CHECK(!fs::exists(directory.path / "site.2"));
}

TEST_CASE("output: whether a site is as it was written") {
  const Directory directory;
  const Files files{{"index.html", "1"}, {"a/b.js", "x"}, {"c", ""}};
  REQUIRE(write_site(directory.site(), files));
  const auto written = write_site(directory.site(), {{"index.html", "2"}, {"a/b.js", "x"}, {"c", ""}});
  REQUIRE(written);
  const primer::WrittenTree& tree = written->tree;
  const auto same = [&] { return primer::is_as_written(directory.site(), tree, 2); };
  const fs::path page = directory.path / "site/index.html";
  CHECK(same());
  SECTION("as long, other bytes") { std::ofstream(page) << '3'; }
  SECTION("as long, other bytes, and the time as it was") {
    const auto time = fs::last_write_time(page);
    std::ofstream(page) << '3';
    fs::last_write_time(page, time);
  }
  SECTION("one more") { std::ofstream(directory.path / "site/a/more") << 'x'; }
  SECTION("one less") { fs::remove(directory.path / "site/c"); }
  SECTION("a link") {
    fs::rename(directory.path / "site/c", directory.path / "elsewhere");
    fs::create_symlink("../elsewhere", directory.path / "site/c");
  }
  SECTION("the older tree") {
    fs::remove(directory.site());
    fs::create_directory_symlink("site.1", directory.site());
  }
  CHECK(!same());
}

TEST_CASE("output: a site that was copied is as it was written, though its files are others") {
  const Directory directory;
  const auto written = write_site(directory.site(), {{"index.html", "1"}, {"a/b.js", "x"}});
  REQUIRE(written);
  fs::copy(directory.path / "site.1", directory.path / "copy", fs::copy_options::recursive);
  fs::remove_all(directory.path / "site.1");
  fs::rename(directory.path / "copy", directory.path / "site.1");
  CHECK(primer::is_as_written(directory.site(), written->tree, 1));
  std::ofstream(directory.path / "site.1/a/b.js") << 'y';
  CHECK(!primer::is_as_written(directory.site(), written->tree, 1));
}
