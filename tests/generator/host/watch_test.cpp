#include "generator/host/watch.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "generator/host/disk.hpp"

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using primer::Watch;

namespace {

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

// A book of which some files, a directory and paths that do not exist were read.
struct Book {
  fs::path root =
      fs::temp_directory_path() / ("primer_watch_" + std::to_string(::getpid()) + '_' + number());
  fs::path book = root / "book", later = root / "build/search";

  Book() {
    write(book / "chapters/en/one.md", "one");
    write(book / "chapters/en/two.md", "two");
    write(book / "beside/never_read.md", "beside");
    fs::create_directories(book / "chapters/images/deep");
    fs::create_directory_symlink(book, root / "link");
  }
  ~Book() { fs::remove_all(root); }
  static std::string number() {
    static std::atomic<int> next = 0;
    return std::to_string(next++);
  }

  primer::WatchedDependencies read() const {
    const auto files = primer::disk((root / "link").string());
    for (const char* path :
         {"chapters/en/one.md", "chapters/en/two.md", "chapters/facts/gpus.json"}) {
      static_cast<void>(files->read(path));
    }
    static_cast<void>(files->list("chapters/images"));
    const auto search = primer::disk(later.string());
    static_cast<void>(search->list("."));
    static_cast<void>(search->read("unfinished"));
    return {
        {(root / "link").string(), files->reads()}, {later.string(), search->reads()}, {"", {}}};
  }
};

struct Edit {
  const char* name;
  std::function<void(const Book&)> make;
};

// The ways in which editors and other programs save.
const std::vector<Edit>& edits() {
  static const std::vector<Edit> all = {
      {"written in place",
       [](const Book& b) { write(b.book / "chapters/en/one.md", "one, edited"); }},
      {"written in place, as long as it was",
       [](const Book& b) { write(b.book / "chapters/en/one.md", "eno"); }},
      {"renamed over",
       [](const Book& b) {
         write(b.book / "chapters/en/one.md~", "one, edited");
         fs::rename(b.book / "chapters/en/one.md~", b.book / "chapters/en/one.md");
       }},
      {"removed", [](const Book& b) { fs::remove(b.book / "chapters/en/two.md"); }},
      {"a file where none was",
       [](const Book& b) { write(b.book / "chapters/facts/gpus.json", "{}"); }},
      {"a file in a directory that was listed",
       [](const Book& b) { write(b.book / "chapters/images/deep/a.svg", ""); }},
      {"a directory there, and a file in it",
       [](const Book& b) { write(b.book / "chapters/images/new/a.svg", ""); }},
      {"a directory on the way, by another",
       [](const Book& b) {
         fs::rename(b.book / "chapters", b.book / "old");
         write(b.book / "chapters/en/one.md", "another");
       }},
      {"the root, that was not there", [](const Book& b) { write(b.later / "entry.json", "{}"); }},
      {"the link to the root",
       [](const Book& b) {
         fs::remove(b.root / "link");
         fs::create_directory_symlink(b.book / "beside", b.root / "link");
       }},
      {"the root, moved away", [](const Book& b) { fs::rename(b.book, b.root / "moved"); }},
  };
  return all;
}

// Whether the watch sees an edit that is made while it waits.
bool sees(Watch::Way way, const Edit& edit) {
  const Book book;
  Watch watch(book.read(), way);
  auto waiting = std::async(std::launch::async, [&] { watch.wait(); });
  const bool waited = waiting.wait_for(50ms) == std::future_status::timeout;
  edit.make(book);
  const bool seen = waiting.wait_for(60s) == std::future_status::ready;
  if (!seen) write(book.book / "chapters/en/one.md", "so that it ends");
  return waited && seen;
}

// The edits that were not seen, if all are made at the same time.
std::string unseen(Watch::Way way) {
  std::vector<std::pair<const char*, std::future<bool>>> all;
  for (const auto& edit : edits()) {
    // Polling compares sizes and times, which a save within one clock tick can leave unchanged.
    if (way == Watch::Way::looks && std::string(edit.name).ends_with("as long as it was")) continue;
    all.emplace_back(edit.name,
                     std::async(std::launch::async, [way, &edit] { return sees(way, edit); }));
  }
  std::string names;
  for (auto& [name, seen] : all) {
    if (!seen.get()) names += std::string(name) + '\n';
  }
  return names;
}

// On a system without notifications, there is nothing to test.
bool has_notices() {
  const Book book;
  const Watch watch(book.read());
  if (!watch.why_looking().empty()) WARN("not tested, because " + watch.why_looking());
  return watch.why_looking().empty();
}

}  // namespace

TEST_CASE("watch: each kind of save is seen, by the system's notices", "[watch]") {
  if (!has_notices()) return;
  CHECK(unseen(Watch::Way::notices) == "");
}

TEST_CASE("watch: each kind of save is seen by looking, where there are no notices", "[watch]") {
  CHECK(unseen(Watch::Way::looks) == "");
}

TEST_CASE("watch: what was saved between the build's reading and the watch is seen at once",
          "[watch]") {
  for (const auto way : {Watch::Way::notices, Watch::Way::looks}) {
    const Book book;
    const auto reads = book.read();
    write(book.book / "chapters/en/one.md", "during the build");
    Watch watch(reads, way);
    auto waiting = std::async(std::launch::async, [&] { watch.wait(); });
    CHECK(waiting.wait_for(60s) == std::future_status::ready);
  }
}

TEST_CASE("watch: a change of an unread file wakes nobody", "[watch]") {
  for (const auto way : {Watch::Way::notices, Watch::Way::looks}) {
    const Book book;
    Watch watch(book.read(), way);
    auto waiting = std::async(std::launch::async, [&] { watch.wait(); });
    write(book.book / "beside/never_read.md", "edited");
    write(book.book / "chapters/en/.one.md.swp", "an editor's own");
    write(book.book / "chapters/en/.one.md.new", "one");  // the same bytes, in one step
    std::filesystem::rename(book.book / "chapters/en/.one.md.new",
                            book.book / "chapters/en/one.md");
    write(book.root / "site/index.html", "a site");
    CHECK(waiting.wait_for(700ms) == std::future_status::timeout);
    write(book.book / "chapters/en/one.md", "edited");
    CHECK(waiting.wait_for(60s) == std::future_status::ready);
  }
}

TEST_CASE("watch: an edit is noticed after a directory is replaced by a copy", "[watch]") {
  const Book book;
  Watch watch(book.read());
  auto waiting = std::async(std::launch::async, [&] { watch.wait(); });
  fs::copy(book.book / "chapters", book.root / "copy", fs::copy_options::recursive);
  fs::rename(book.book / "chapters", book.root / "old");
  fs::rename(book.root / "copy", book.book / "chapters");
  CHECK(waiting.wait_for(200ms) == std::future_status::timeout);
  write(book.book / "chapters/en/one.md", "edited");
  CHECK(waiting.wait_for(60s) == std::future_status::ready);
}

TEST_CASE("watch: a storm that does not end is not waited for", "[watch]") {
  const Book book;
  Watch watch(book.read());
  std::atomic<bool> is_over = false;
  std::thread storm([&] {
    for (int i = 0; !is_over; ++i) write(book.book / "chapters/en/one.md", std::to_string(i));
  });
  auto waiting = std::async(std::launch::async, [&] { watch.wait(); });
  CHECK(waiting.wait_for(60s) == std::future_status::ready);
  is_over = true;
  storm.join();
}
