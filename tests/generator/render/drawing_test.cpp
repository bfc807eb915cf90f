// Cached figures: one for all blocks that show a spec.
#include "generator/core/render/drawing.hpp"

#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "generator/host/disk_cache.hpp"

using namespace primer;

TEST_CASE("drawing: equal specifications are drawn once, and errors are kept") {
  const auto directory =
      std::filesystem::temp_directory_path() / ("primer-drawing-" + std::to_string(getpid()));
  std::filesystem::remove_all(directory);
  const nlohmann::json spec = {{"kind", "curves"},
                               {"title", "c"},
                               {"finding", "f"},
                               {"y", {{"title", "y"}}},
                               {"x", {{"name", "n"}, {"title", "x"}, {"from", "1"}, {"to", "10"}}},
                               {"curves", nlohmann::json::array({{{"label", "a"}, {"y", "n"}}})}};
  const nlohmann::json wrong = {{"kind", "curve"}};
  // A check reads the results that builds have cached, and writes nothing to disk.
  for (const auto use : {DiskCache::Use::read, DiskCache::Use::write}) {
    DiskCache cache(directory, {}, use);
    const auto drawn = [&](const nlohmann::json& of) {
      return draw(&cache, {}, of, {}, {}, Messages());
    };
    for (int i = 0; i < 2; ++i) {
      const auto one = drawn(spec);
      REQUIRE(one);
      CHECK(one->svg == figures::render(spec, {}, {})->svg);
    }
    for (int i = 0; i < 2; ++i) {
      const auto none = drawn(wrong);
      REQUIRE_FALSE(none);
      CHECK(none.error().message == figures::render(wrong, {}, {}).error().message);
      CHECK(none.error().suggestion == "curves");
      CHECK(none.error().path == "kind");
    }
    const auto tally = cache.tallies().at(Cache::Kind::figure);
    CHECK(tally.missed == 2);
    CHECK(tally.found == 2);
  }
  std::filesystem::remove_all(directory);
}
