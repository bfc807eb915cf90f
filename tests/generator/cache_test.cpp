#include "generator/cache.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "catch.hpp"

namespace fs = std::filesystem;
using primer::Cache;
using Kind = primer::Cache::Kind;

namespace {

struct Scratch {
  fs::path path = fs::temp_directory_path() / ("primer_cache_" + std::to_string(::getpid()));
  Scratch() { fs::create_directories(path); }
  ~Scratch() { fs::remove_all(path); }
  fs::path file() const { return path / "primer.mdb"; }
};

const primer::Digest program{1, 2}, other_program{1, 3};

}  // namespace

TEST_CASE("cache: what one process keeps, the next one finds") {
  const Scratch scratch;
  {
    Cache cache(scratch.path, program);
    CHECK(cache.was_empty());
    CHECK(!cache.find(Kind::code, "key"));
    cache.store(Kind::code, "key", "value");
    cache.store(Kind::code, "empty", "");
    cache.store(Kind::code, "large", std::string(3'000'000, 'x'));
    CHECK(cache.find(Kind::code, "key") == "value");  // before it is written
  }
  Cache cache(scratch.path, program);
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
    Cache cache(scratch.path, program);
    for (const Kind kind : {Kind::page, Kind::index, Kind::code, Kind::figure, Kind::formula}) {
      cache.store(kind, "key", "value");
    }
  }
  const Cache cache(scratch.path, other_program);
  for (const Kind kind : {Kind::page, Kind::index, Kind::code, Kind::figure}) {
    CHECK(!cache.find(kind, "key"));
  }
  CHECK(cache.find(Kind::formula, "key") == "value");
}

TEST_CASE("cache: a damaged file begins anew") {
  const Scratch scratch;
  {
    Cache cache(scratch.path, program);
    cache.store(Kind::code, "key", std::string(100'000, 'x'));
  }
  const auto whole = fs::file_size(scratch.file());
  SECTION("nonsense") { std::ofstream(scratch.file()) << std::string(whole, 'n'); }
  SECTION("empty") { fs::resize_file(scratch.file(), 0); }
  SECTION("cut in the middle") { fs::resize_file(scratch.file(), whole / 2); }
  SECTION("cut in its head") { fs::resize_file(scratch.file(), 100); }
  Cache cache(scratch.path, program);
  CHECK(!cache.find(Kind::code, "key"));
  cache.store(Kind::code, "key", "again");
  cache.flush();
  CHECK(cache.find(Kind::code, "key") == "again");
}

TEST_CASE("cache: past its limit it begins anew") {
  const Scratch scratch;
  {
    Cache cache(scratch.path, program, 50'000);
    cache.store(Kind::code, "key", std::string(100'000, 'x'));
  }
  CHECK(Cache(scratch.path, program).find(Kind::code, "key"));
  CHECK(!Cache(scratch.path, program, 50'000).find(Kind::code, "key"));
}

TEST_CASE("cache: where nothing can be written, nothing is found") {
  Cache cache("/dev/null/cache", program);
  cache.store(Kind::code, "key", "value");
  cache.flush();
  CHECK(!cache.find(Kind::code, "key"));
}
