#include "generator/core/base/cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <vector>

#include "catch.hpp"
#include "generator/host/disk_cache.hpp"
#include "rounds.hpp"

namespace fs = std::filesystem;
using primer::DiskCache;
using Kind = primer::Cache::Kind;

namespace {

struct Scratch {
  fs::path path = fs::temp_directory_path() / ("primer_cache_" + std::to_string(::getpid()));
  Scratch() { fs::create_directories(path); }
  ~Scratch() { fs::remove_all(path); }
  // The cache file whose name begins with this.
  fs::path file(const std::string& name) const {
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().filename().string().starts_with(name)) return entry.path();
    }
    return {};
  }
};

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::size_t size_of(const fs::path& directory) {
  std::size_t sum = 0;
  for (const auto& entry : fs::directory_iterator(directory)) sum += fs::file_size(entry);
  return sum;
}

const primer::Digest program{1, 2}, other_program{1, 3};

}  // namespace

TEST_CASE("cache: what one process keeps, the next one finds") {
  const Scratch scratch;
  {
    DiskCache cache(scratch.path, program);
    CHECK(cache.was_empty());
    CHECK(!cache.find(Kind::code, "key"));
    cache.store(Kind::code, "key", "value");
    cache.store(Kind::code, "empty", "");
    cache.store(Kind::code, "large", std::string(3'000'000, 'x'));
    CHECK(cache.find(Kind::code, "key") == "value");  // before it is written to disk
  }
  DiskCache cache(scratch.path, program);
  CHECK(!cache.was_empty());
  CHECK(cache.find(Kind::code, "key") == "value");
  CHECK(cache.find(Kind::code, "empty") == "");
  CHECK(cache.find(Kind::code, "large").value_or("").size() == 3'000'000);
  CHECK(!cache.find(Kind::page, "key"));
  CHECK(cache.tallies().at(Kind::code).found == 3);
  CHECK(cache.tallies().at(Kind::page).missed == 1);
}

TEST_CASE("cache: another program finds formulas, nothing that it would make itself") {
  const Scratch scratch;
  {
    DiskCache cache(scratch.path, program);
    for (const Kind kind : {Kind::page, Kind::index, Kind::code, Kind::figure, Kind::formula}) {
      cache.store(kind, "key", "value");
    }
  }
  const DiskCache cache(scratch.path, other_program);
  for (const Kind kind : {Kind::page, Kind::index, Kind::code, Kind::figure}) {
    CHECK(!cache.find(kind, "key"));
  }
  CHECK(cache.find(Kind::formula, "key") == "value");
}

TEST_CASE("cache: starts empty after damage") {
  const Scratch scratch;
  {
    DiskCache cache(scratch.path, program);
    cache.store(Kind::code, "key", std::string(100'000, 'x'));
  }
  const fs::path damaged = scratch.file(GENERATE("index", "entries."));
  const auto whole = fs::file_size(damaged);
  SECTION("nonsense") { std::ofstream(damaged) << std::string(whole, 'n'); }
  SECTION("empty") { fs::resize_file(damaged, 0); }
  SECTION("cut in the middle") { fs::resize_file(damaged, whole / 2); }
  SECTION("gone") { fs::remove(damaged); }
  SECTION("a directory") {
    fs::remove(damaged);
    fs::create_directories(damaged / "in/it");
  }
  SECTION("a link") {
    fs::rename(damaged, scratch.path / "elsewhere");
    fs::create_symlink("elsewhere", damaged);
  }
  {
    DiskCache cache(scratch.path, program);
    CHECK(!cache.find(Kind::code, "key"));
    cache.store(Kind::code, "key", "again");
    cache.flush();
    CHECK(cache.find(Kind::code, "key") == "again");
  }
  CHECK(DiskCache(scratch.path, program).find(Kind::code, "key") == "again");
}

// A lookup returns the stored bytes or nothing, whichever bit of the files is flipped. FLIPS=20000
// tries more.
TEST_CASE("cache: a bit that is another in a file is never a value that is another") {
  const Scratch scratch;
  std::map<std::string, std::string> values;
  std::mt19937 random(14);
  for (int i = 0; i < 60; ++i) {
    values[std::to_string(i)] = std::string(random() % 300, static_cast<char>('a' + i % 26));
  }
  {
    DiskCache cache(scratch.path, program);
    for (const auto& [key, value] : values) cache.store(Kind::page, key, value);
  }
  const fs::path files[] = {scratch.file("index"), scratch.file("entries.")};
  const std::string whole[] = {read(files[0]), read(files[1])};
  const std::size_t flips = static_cast<std::size_t>(rounds("FLIPS", 100, 400)) / 2 * 2;
  std::size_t misses = 0;
  for (std::size_t round = 0; round < flips; ++round) {
    const std::size_t which = round % 2;
    std::string damaged = whole[which];
    damaged[random() % damaged.size()] ^= static_cast<char>(1 << random() % 8);
    std::ofstream(files[which], std::ios::binary) << damaged;
    const DiskCache cache(scratch.path, program, DiskCache::Use::read);
    for (const auto& [key, value] : values) {
      const auto found = cache.find(Kind::page, key);
      misses += found ? 0 : 1;
      if (found && *found != value) FAIL("round " << round << ", key " << key);
    }
    std::ofstream(files[which], std::ios::binary) << whole[which];
  }
  // A flipped bit in the index discards the whole cache; one in the values discards a single value.
  CHECK(misses == flips / 2 * values.size() + flips / 2);
}

TEST_CASE("cache: above its limit it starts empty") {
  const Scratch scratch;
  DiskCache::Limits small;
  small.bytes = 50'000;
  {
    DiskCache cache(scratch.path, program);
    cache.store(Kind::code, "key", std::string(100'000, 'x'));
  }
  CHECK(DiskCache(scratch.path, program).find(Kind::code, "key"));
  CHECK(!DiskCache(scratch.path, program, DiskCache::Use::write, small).find(Kind::code, "key"));
  DiskCache cache(scratch.path, program, DiskCache::Use::write, small);
  for (int i = 0; i < 20; ++i) {
    cache.store(Kind::code, std::to_string(i), std::string(10'000, 'x'));
    cache.flush();
    CHECK(size_of(scratch.path) < 60'000);
  }
  CHECK(cache.find(Kind::code, "19"));
  CHECK(!cache.find(Kind::code, "0"));
}

TEST_CASE("cache: what was replaced many times does not pile up") {
  const Scratch scratch;
  const std::string large(4'000'000, 'x');
  DiskCache cache(scratch.path, program);
  cache.store(Kind::code, "small", "value");
  for (int i = 0; i < 12; ++i) {
    cache.store(Kind::build, "record", large);
    cache.flush();
  }
  CHECK(size_of(scratch.path) < 40'000'000);
  CHECK(cache.find(Kind::build, "record") == large);
  CHECK(DiskCache(scratch.path, program).find(Kind::code, "small") == "value");
}

TEST_CASE("cache: two that are open at once keep what each has stored") {
  const Scratch scratch;
  {
    DiskCache one(scratch.path, program), other(scratch.path, program);
    one.store(Kind::code, "one", "1");
    other.store(Kind::code, "other", "2");
    one.flush();
    other.flush();
    one.store(Kind::code, "more", "3");
    one.flush();
    CHECK(other.find(Kind::code, "other") == "2");
  }
  const DiskCache cache(scratch.path, program);
  CHECK(cache.find(Kind::code, "one") == "1");
  CHECK(cache.find(Kind::code, "other") == "2");
  CHECK(cache.find(Kind::code, "more") == "3");
}

TEST_CASE(
    "cache: while another process starts empty, one continues to read and stores nothing wrong") {
  const Scratch scratch;
  DiskCache one(scratch.path, program);
  one.store(Kind::code, "key", "value");
  one.flush();
  DiskCache::Limits none;
  none.bytes = 1;
  DiskCache(scratch.path, program, DiskCache::Use::write, none).store(Kind::code, "other", "2");
  CHECK(one.find(Kind::code, "key") == "value");
  one.store(Kind::code, "late", "3");
  one.flush();
  const DiskCache cache(scratch.path, program);
  CHECK(!cache.find(Kind::code, "key"));
  CHECK(cache.find(Kind::code, "other") == "2");
  CHECK(cache.find(Kind::code, "late") == "3");
}

TEST_CASE("cache: one that only reads touches nothing") {
  const Scratch scratch;
  const fs::path missing = scratch.path / "missing";
  {
    DiskCache cache(missing, program, DiskCache::Use::read);
    cache.store(Kind::code, "key", "value");
    CHECK(cache.find(Kind::code, "key") == "value");
  }
  CHECK(!fs::exists(missing));
  DiskCache(scratch.path, program).store(Kind::code, "key", "value");
  const std::string before = read(scratch.file("index"));
  {
    DiskCache cache(scratch.path, program, DiskCache::Use::read);
    CHECK(cache.find(Kind::code, "key") == "value");
    cache.store(Kind::code, "other", "2");
  }
  CHECK(read(scratch.file("index")) == before);
  CHECK(!DiskCache(scratch.path, program).find(Kind::code, "other"));
}

TEST_CASE("cache: where nothing can be written, nothing is found") {
  for (const char* nowhere : {"/dev/null/cache", ""}) {
    DiskCache cache(nowhere, program);
    cache.store(Kind::code, "key", "value");
    cache.flush();
    CHECK(!cache.find(Kind::code, "key"));
  }
}

TEST_CASE("cache: the directory of another user, or a link to one, is none") {
  const Scratch scratch;
  fs::create_directories(scratch.path / "victim");
  fs::create_directory_symlink("victim", scratch.path / "linked");
  std::vector<fs::path> strange{scratch.path / "linked"};
  if (geteuid() == 0) {
    fs::create_directories(scratch.path / "other");
    REQUIRE(chown((scratch.path / "other").c_str(), 65534, 65534) == 0);
    strange.push_back(scratch.path / "other");
  }
  for (const auto& directory : strange) {
    DiskCache(directory, program).store(Kind::code, "key", "value");
    CHECK(fs::is_empty(directory));
  }
}

namespace {

// A cache of `size` bytes that was last used at that second.
fs::path make_cache(const fs::path& all, char digit, std::size_t size, int used) {
  const fs::path path = all / std::string(32, digit);
  fs::create_directories(path);
  std::ofstream(path / "entries.1") << std::string(size, 'x');
  std::ofstream(path / "lock");
  const timespec times[2] = {{used, 0}, {used, 0}};
  REQUIRE(utimensat(AT_FDCWD, (path / "lock").c_str(), times, 0) == 0);
  return path;
}

}  // namespace

TEST_CASE("cache: if there are too many, the least recently used ones are removed") {
  const Scratch scratch;
  const auto own = make_cache(scratch.path, 'a', 150, 1),
             old = make_cache(scratch.path, 'b', 150, 2),
             older = make_cache(scratch.path, 'c', 10, 1),
             late = make_cache(scratch.path, 'd', 150, 4);
  fs::create_directories(scratch.path / "notes");
  const fs::path digests =
      scratch.path / std::string(32, 'e');  // somebody's directory with the name of a cache
  fs::create_directories(digests);
  std::ofstream(digests / "mine") << "precious";
  // Each is a multiple of 100, and 100 more must fit: 300 + 200 + 100 + 200.
  primer::make_room_beside(own, 800, 100);
  CHECK(fs::exists(older));
  primer::make_room_beside(own, 799, 100);
  CHECK(!fs::exists(older));
  CHECK(fs::exists(old));
  primer::make_room_beside(own, 600, 100);
  CHECK(!fs::exists(old));
  CHECK(fs::exists(late));
  primer::make_room_beside(own, 0, 100);
  CHECK(fs::exists(own));
  CHECK(fs::exists(scratch.path / "notes"));
  CHECK(fs::exists(digests / "mine"));
}

TEST_CASE("cache: room is made before it grows by a step") {
  const Scratch scratch;
  int calls = 0;
  DiskCache::Limits limits;
  limits.step = 10'000;
  limits.make_room = [&] { ++calls; };
  DiskCache cache(scratch.path, program, DiskCache::Use::write, limits);
  const auto keep = [&](const char* key, std::size_t size) {
    cache.store(Kind::code, key, std::string(size, 'x'));
    cache.flush();
  };
  keep("first", 100);
  CHECK(calls == 1);
  keep("second", 100);
  CHECK(calls == 1);
  keep("third", 10'000);
  CHECK(calls == 2);
}
