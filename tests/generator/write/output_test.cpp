#include "generator/host/write/output.hpp"
#include "generator/host/threads.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "catch.hpp"

namespace fs = std::filesystem;

namespace {

using Files = std::map<std::string, std::string>;

struct Directory {
  fs::path path = fs::temp_directory_path() / ("primer_output_" + std::to_string(::getpid()));
  Directory() { fs::create_directories(path); }
  ~Directory() { fs::remove_all(path); }
  std::string site() const { return (path / "site").string(); }
  // All files and directories of a tree, by path.
  Files files(const std::string& tree) const {
    Files found;
    for (const auto& entry : fs::recursive_directory_iterator(path / tree / "")) {
      const std::string file = entry.path().lexically_relative(path / tree).string();
      if (!entry.is_directory()) found[file] = read(fs::path(tree) / file);
    }
    return found;
  }
  std::string read(const std::string& file) const {
    std::ostringstream text;
    text << std::ifstream(path / file, std::ios::binary).rdbuf();
    return text.str();
  }
};

const primer::Threads two_threads(2);

figures::Result<primer::Written> write_site(const std::string& out, const Files& files,
                                            const std::string& book = "") {
  primer::SiteWriter writer(out, {}, primer::sequential, book);
  for (const auto& [path, bytes] : files) writer.add(path, bytes);
  return writer.finish();
}

// Writes like a build that knows the record of the previous one and reuses what it can. Returns its
// own record.
std::vector<primer::WrittenTree> rewrite_site(const std::string& out, const Files& files,
                                              std::vector<primer::WrittenTree> left = {}) {
  const auto before = left.empty() ? std::map<std::string, primer::Digest>() : left.front().files;
  primer::SiteWriter writer(out, std::move(left), two_threads);
  for (const auto& [path, bytes] : files) {
    const auto old = before.find(path);
    const bool as_before = old != before.end() && old->second == primer::digest(bytes);
    if (!as_before || !writer.keep(path)) writer.add(path, bytes);
  }
  REQUIRE(writer.finish());
  return writer.trees();
}

}  // namespace

TEST_CASE("output: a new tree replaces the old one in one step") {
  const Directory directory;
  const auto first =
      write_site(directory.site(), {{"index.html", "1"}, {"a/b.js", "x"}, {"c", "1"}});
  REQUIRE(first);
  CHECK(first->changed == 3);
  CHECK(fs::read_symlink(directory.site()) == "site.trees/1");
  const auto second =
      write_site(directory.site(), {{"index.html", "2"}, {"a/b.js", "x"}, {"c", "2"}});
  REQUIRE(second);
  CHECK(second->changed == 2);
  CHECK(fs::read_symlink(directory.site()) == "site.trees/2");
  CHECK(directory.read("site/index.html") == "2");
  CHECK(directory.read("site/c") == "2");
  CHECK(directory.read("site.trees/1/index.html") == "1");  // a reader may still have it open
  CHECK(directory.read("site.trees/1/c") == "1");
  CHECK(fs::equivalent(directory.path / "site.trees/1/a/b.js",
                       directory.path / "site.trees/2/a/b.js"));
}

TEST_CASE("output: a reader can finish the old file, and leftovers of a killed build are removed") {
  const Directory directory;
  REQUIRE(write_site(directory.site(), {{"a/index.html", "1"}, {"b", "1"}}));
  std::ifstream open_before(directory.path / "site/a/index.html");
  fs::create_symlink("1", directory.path / "site.trees/link");
  fs::create_directories(directory.path / "site.trees/2/half");
  const auto written = write_site(directory.site(), {{"a/index.html", "longer"}, {"b", "1"}});
  REQUIRE(written);
  CHECK(written->changed == 1);
  CHECK(fs::read_symlink(directory.site()) == "site.trees/2");
  CHECK(directory.read("site/a/index.html") == "longer");
  CHECK(!fs::exists(directory.path / "site/half"));
  CHECK(std::string(std::istreambuf_iterator<char>(open_before), {}) == "1");
  CHECK(!fs::exists(fs::symlink_status(directory.path / "site.trees/link")));
}

TEST_CASE("output: one file more, one less, or another name make a new tree") {
  const Directory directory;
  const Files files{{"a", "1"}, {"b", "1"}};
  REQUIRE(write_site(directory.site(), files));
  const std::vector<std::pair<Files, const char*>> steps = {
      {{{"a", "1"}, {"b", "1"}, {"c", "1"}}, "site.trees/2"},
      {{{"a", "1"}, {"c", "1"}}, "site.trees/3"},
      {{{"a", "1"}, {"d", "1"}}, "site.trees/4"}};
  for (const auto& [now, tree] : steps) {
    REQUIRE(write_site(directory.site(), now));
    CHECK(fs::read_symlink(directory.site()) == tree);
    CHECK(directory.files("site") == now);
  }
}

TEST_CASE("output: nothing is written when nothing changed") {
  const Directory directory;
  const Files files{{"index.html", "1"}, {"empty", ""}};
  REQUIRE(write_site(directory.site(), files));
  const auto time = fs::last_write_time(directory.path / "site.trees/1/index.html");
  const auto again = write_site(directory.site(), files);
  REQUIRE(again);
  CHECK(again->changed == 0);
  CHECK(fs::read_symlink(directory.site()) == "site.trees/1");
  CHECK(fs::last_write_time(directory.path / "site.trees/1/index.html") == time);
}

TEST_CASE("output: removed files go, stale trees go") {
  const Directory directory;
  REQUIRE(write_site(directory.site(), {{"a", "1"}, {"b", "2"}}));
  fs::create_directories(directory.path / "site.trees/2/half");  // left by a killed build
  fs::create_directory_symlink("site.trees/2", directory.path / "site.trees/link");
  fs::create_directories(directory.path / "site.trees/notes");  // somebody's own
  REQUIRE(write_site(directory.site(), {{"a", "1"}}));
  CHECK(!fs::exists(directory.path / "site/b"));
  CHECK(!fs::exists(directory.path / "site/half"));
  CHECK(!fs::exists(fs::symlink_status(directory.path / "site.trees/link")));
  CHECK(fs::exists(directory.path / "site.trees/notes"));
}

TEST_CASE("output: the third tree is made of the first") {
  const Directory directory;
  REQUIRE(write_site(directory.site(), {{"a", "1"}, {"gone/x", "1"}, {"d/e", "1"}, {"f", "1"}}));
  REQUIRE(write_site(directory.site(), {{"a", "2"}, {"d/e", "1"}, {"f", "1"}}));
  const std::string second = (directory.path / "site.trees/2").string();
  // All changes that somebody could make to a tree that is not current.
  fs::remove(directory.path / "site.trees/1/f");
  fs::create_directory_symlink(second, directory.path / "site.trees/1/f");
  fs::create_symlink(fs::path(second) / "a", directory.path / "site.trees/1/linked");
  std::ofstream(directory.path / "site.trees/1/extra") << "x";
  const Files third{{"a", "3"}, {"d", "no directory any more"}, {"f", "1"}, {"linked", "l"}};
  const auto written = write_site(directory.site(), third);
  REQUIRE(written);
  CHECK(fs::read_symlink(directory.site()) == "site.trees/3");
  CHECK(!fs::exists(directory.path / "site.trees/1"));
  Files found;
  for (const auto& entry : fs::recursive_directory_iterator(directory.path / "site.trees/3")) {
    CHECK(fs::is_regular_file(entry.symlink_status()));
    found[entry.path().filename().string()] =
        directory.read("site.trees/3/" + entry.path().filename().string());
  }
  CHECK(found == third);
  CHECK(directory.read("site.trees/2/a") == "2");  // its file was replaced, not overwritten
  CHECK(directory.read("site.trees/2/d/e") == "1");
}

TEST_CASE("output: the third tree is the first with what differs, and nothing else is touched") {
  const Directory directory;
  const auto files = [](const char* text) {
    return Files{{"index.html", text}, {"feed.xml", text}, {"a/b/c.js", "x"}, {"a/d", "y"}};
  };
  auto left = rewrite_site(directory.site(), files("1"));
  REQUIRE(left.size() == 1);
  CHECK(left[0].name == "site.trees/1");
  left = rewrite_site(directory.site(), files("2"), left);
  REQUIRE(left.size() == 2);
  CHECK(left[0].name == "site.trees/2");
  CHECK(left[1].name == "site.trees/1");
  const auto asked = [&](const std::string& path) {
    struct stat status{};
    REQUIRE(stat((directory.path / path).c_str(), &status) == 0);
    return std::tuple(status.st_ino, status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
  };
  const auto script = asked("site.trees/1/a/b/c.js"), scripts = asked("site.trees/1/a/b");
  left = rewrite_site(directory.site(), files("3"), left);
  CHECK(left[0].name == "site.trees/3");
  CHECK(asked("site.trees/3/a/b/c.js") == script);
  CHECK(asked("site.trees/3/a/b") == scripts);
  CHECK(directory.files("site") == files("3"));
  CHECK(directory.files("site.trees/2") == files("2"));
}

namespace {

// "site.trees/2", which is current, and "site.trees/1"; both share the file "a".
std::vector<primer::WrittenTree> two_trees(const Directory& directory) {
  auto left = rewrite_site(directory.site(), {{"a", "1"}, {"b", "0"}, {"d/c", "0"}});
  left = rewrite_site(directory.site(), {{"a", "1"}, {"b", "1"}, {"d/c", "1"}}, left);
  REQUIRE(left.size() == 2);
  return left;
}

}  // namespace

TEST_CASE("output: unmodified files are not read again") {
  const Directory directory;
  auto left = two_trees(directory);
  // Only reading the file shows that the record is wrong.
  for (auto& tree : left) tree.files["a"] = primer::digest("2");
  rewrite_site(directory.site(), {{"a", "2"}, {"b", "2"}, {"d/c", "2"}}, left);
  CHECK(directory.files("site") == Files{{"a", "1"}, {"b", "2"}, {"d/c", "2"}});
}

TEST_CASE("output: what somebody has touched in one of the trees is put right") {
  using Touch = std::function<void(const fs::path& tree)>;
  const std::map<std::string, Touch> touches = {
      {"as long, and the time as it was",
       [](const fs::path& tree) {
         const auto time = fs::last_write_time(tree / "a");
         std::ofstream(tree / "a") << '3';
         fs::last_write_time(tree / "a", time);
       }},
      {"removed", [](const fs::path& tree) { fs::remove(tree / "a"); }},
      {"a link in its place",
       [](const fs::path& tree) {
         fs::remove(tree / "a");
         fs::create_symlink("b", tree / "a");
       }},
      {"one more directory", [](const fs::path& tree) { fs::create_directory(tree / "e"); }},
      {"the whole tree", [](const fs::path& tree) { fs::remove_all(tree); }},
  };
  for (const char* name : {"site.trees/1", "site.trees/2"}) {
    for (const auto& [what, touch] : touches) {
      INFO(name << ": " << what);
      const Directory directory;
      auto left = two_trees(directory);
      touch(directory.path / name);
      // Trees are made from the other one, from this one and from the other one again.
      const Files wanted[] = {{{"a", "1"}, {"b", "2"}, {"d/c", "1"}},
                              {{"a", "1"}, {"b", "3"}, {"d/c", "3"}},
                              {{"a", "1"}, {"b", "4"}, {"d/c", "4"}}};
      for (const auto& files : wanted) {
        left = rewrite_site(directory.site(), files, left);
        CHECK(directory.files("site") == files);
        CHECK(!fs::is_symlink(directory.path / "site/a"));
        CHECK(!fs::exists(directory.path / "site/e"));
      }
    }
  }
}

TEST_CASE("output: what somebody put into the site is refused, not removed") {
  const Directory directory;
  auto left = two_trees(directory);
  const auto add = [&](const fs::path& path) { std::ofstream(directory.path / path) << "mine"; };
  add("site/d/more");
  for (const Files& files : {Files{{"a", "1"}, {"b", "9"}, {"d/c", "1"}}, Files{{"a", "9"}}}) {
    primer::SiteWriter writer(directory.site(), left, primer::sequential);
    for (const auto& [path, bytes] : files) writer.add(path, bytes);
    const auto written = writer.finish();
    REQUIRE(!written);
    CHECK(written.error().message.find("site/d/more was not written by primer: move it out") !=
          std::string::npos);
    CHECK(directory.read("site/d/more") == "mine");
  }
  fs::remove(directory.path / "site/d/more");
  add("site.trees/1/more");  // not in the tree that readers see
  CHECK(rewrite_site(directory.site(), {{"a", "9"}, {"b", "9"}}, left).size() == 2);
}

TEST_CASE("output: an unchanged file of the last build is reused") {
  const Directory directory;
  const auto left = two_trees(directory);
  std::ofstream(directory.path / "site/b") << "somebody else's";
  {
    primer::SiteWriter writer(directory.site(), left, primer::sequential);
    CHECK(writer.keep("a"));
    CHECK(!writer.keep("b"));
    CHECK(!writer.keep("new"));
    writer.add("b", "1");
    const auto written = writer.finish();
    REQUIRE(written);
    CHECK(written->files == 2);
    CHECK(written->changed == 2);  // "d/c" goes
  }
  CHECK(directory.files("site") == Files{{"a", "1"}, {"b", "1"}});
  CHECK(!primer::SiteWriter(directory.site(), {}, primer::sequential).keep("a"));
}

TEST_CASE("output: a directory that is not our site does not change") {
  const Directory directory;
  fs::create_directories(directory.path / "site");
  std::ofstream(directory.path / "site/mine") << "precious";
  const auto written = write_site(directory.site(), {{"a", "1"}});
  REQUIRE(!written);
  CHECK(written.error().message.find(
            "site is not a site that primer wrote; choose another directory with --out") !=
        std::string::npos);
  CHECK(directory.read("site/mine") == "precious");
}

TEST_CASE("output: a path that is not normal is an error and is written nowhere") {
  for (const std::string path :
       {"../pwned", "a/../../pwned", "a/../pwned", "/tmp/primer-pwned", "a//b", "./a", "a/", ""}) {
    INFO(path);
    const Directory directory;
    REQUIRE(write_site(directory.site(), {{"a/b", "1"}, {"c", "1"}}));
    // As the only file that differs, which would replace another one, and as one of several.
    for (const Files& others : {Files{{"a/b", "1"}, {"c", "1"}}, Files{{"a/b", "2"}, {"c", "2"}}}) {
      Files files = others;
      files[path] = "x";
      const auto written = write_site(directory.site(), files);
      REQUIRE(!written);
      CHECK(written.error().message.find("a page cannot have the address") == 0);
    }
    CHECK(directory.files("site") == Files{{"a/b", "1"}, {"c", "1"}});
    CHECK(std::distance(fs::directory_iterator(directory.path), {}) == 3);
    CHECK(!fs::exists("/tmp/primer-pwned"));
  }
}

TEST_CASE("output: a directory of trees without a marker is refused, unless it is empty") {
  const Directory directory;
  const fs::path room = directory.path / "site.trees";
  fs::create_directories(room);
  REQUIRE(write_site(directory.site(), {{"a", "1"}}));
  fs::remove(room / ".primer-output");
  const auto refused = [&] {
    const auto written = write_site(directory.site(), {{"a", "2"}});
    REQUIRE(!written);
    CHECK(written.error().message.find("site.trees was not made by your builds") !=
          std::string::npos);
  };
  refused();
  CHECK(directory.read("site/a") == "1");
  fs::remove_all(room);
  std::ofstream(room) << "mine";
  refused();
  CHECK(directory.read("site.trees") == "mine");
}

TEST_CASE("output: what cannot be a site") {
  const Directory directory;
  const fs::path book = directory.path / "book";
  fs::create_directories(book / "chapters/en");
  std::ofstream(directory.path / "file") << "mine";
  fs::create_directory_symlink("elsewhere", directory.path / "link");
  fs::create_directory_symlink("site.trees/7", directory.path / "site");
  fs::create_directory_symlink("other.7", directory.path / "other");
  fs::create_directory_symlink("book", directory.path / "linked-book");
  const auto fits = [&](const fs::path& out) {
    return bool(primer::check_output(out.string(), book.string()));
  };
  for (const fs::path& bad :
       {fs::path("/"), book, directory.path, book / "chapters", book / "chapters/x",
        book / "figures/x/y", book / ".git/x", book / ".github/x",
        directory.path / "linked-book/chapters/x", directory.path / "file", directory.path / "link",
        directory.path / "other"}) {
    INFO(bad);
    CHECK(!fits(bad));
  }
  for (const fs::path& good :
       {book / "build/site", book / "site", book / "build/site/", directory.path / "site",
        directory.path / "new/site", directory.path / "chapters/x"}) {
    INFO(good);
    CHECK(fits(good));
  }
  CHECK(!fs::exists(directory.path / "new"));
}

TEST_CASE("output: below the book no link is followed, elsewhere the user's are") {
  const Directory directory;
  const fs::path book = directory.path / "book", victim = directory.path / "victim";
  fs::create_directories(book);
  fs::create_directories(victim);
  fs::create_directory_symlink("../victim", book / "build");
  const auto written = write_site((book / "build/site").string(), {{"a", "1"}}, book.string());
  REQUIRE(!written);
  CHECK(written.error().message.find("pass the target of the link with --out") !=
        std::string::npos);
  CHECK(!write_site((book / "build/deeper/site").string(), {{"a", "1"}}, book.string()));
  CHECK(fs::is_empty(victim));
  fs::create_directory_symlink("victim", directory.path / "mine");
  CHECK(write_site((directory.path / "mine/site").string(), {{"a", "1"}}, book.string()));
  CHECK(write_site((directory.path / "mine/deep/er/site").string(), {{"a", "1"}}));
  CHECK(directory.read("victim/deep/er/site/a") == "1");
}

TEST_CASE("output: several threads add files to new and old directories") {
  const Directory directory;
  for (const char* text : {"1", "2"}) {
    primer::SiteWriter writer(directory.site(), {}, primer::sequential);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&writer, text, t] {
        for (int i = t; i < 80; i += 4) {
          writer.add(std::to_string(i % 9) + '/' + std::to_string(i % 5) + '/' + std::to_string(i),
                     text);
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
  {
    primer::SiteWriter(directory.site(), {}, primer::sequential).add("a", "1");
  }
  CHECK(!fs::exists(fs::symlink_status(directory.site())));
  REQUIRE(write_site(directory.site(), {{"a", "1"}}));
  {
    primer::SiteWriter(directory.site(), {}, primer::sequential).add("a", "2");
  }
  CHECK(directory.read("site/a") == "1");
  CHECK(!fs::exists(directory.path / "site.trees/2"));
}

TEST_CASE("output: whether a site is as it was written") {
  const Directory directory;
  const Files files{{"index.html", "1"}, {"a/b.js", "x"}, {"c", ""}};
  REQUIRE(write_site(directory.site(), files));
  const auto tree =
      rewrite_site(directory.site(), {{"index.html", "2"}, {"a/b.js", "y"}, {"c", ""}}).front();
  const auto same = [&] { return primer::is_as_written(directory.site(), tree, two_threads); };
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
    fs::create_directory_symlink("site.trees/1", directory.site());
  }
  CHECK(!same());
}

TEST_CASE("output: a site that was copied is as it was written, though its files are others") {
  const Directory directory;
  const auto tree = rewrite_site(directory.site(), {{"index.html", "1"}, {"a/b.js", "x"}}).front();
  fs::copy(directory.path / "site.trees/1", directory.path / "copy", fs::copy_options::recursive);
  fs::remove_all(directory.path / "site.trees/1");
  fs::rename(directory.path / "copy", directory.path / "site.trees/1");
  CHECK(primer::is_as_written(directory.site(), tree, primer::sequential));
  std::ofstream(directory.path / "site.trees/1/a/b.js") << 'y';
  CHECK(!primer::is_as_written(directory.site(), tree, primer::sequential));
}
