// The suggestion for a misspelled name, if a letter or a part is missing.
#include "generator/core/base/text.hpp"

#include "catch.hpp"

using primer::nearest;

TEST_CASE("spelling: a name that holds the other, when half of it is common", "[spelling]") {
  CHECK(nearest("my-roof", {"fig-my-roof"}) == "fig-my-roof");
  CHECK(nearest("fig-my-roof", {"my-roof"}) == "my-roof");
  CHECK(nearest("abcd", {"wxyzabcd"}) == "wxyzabcd");
  CHECK(nearest("abcd", {"vwxyzabcd"}) == "");
  CHECK(nearest("abc", {"xyzabc"}) == "");
}

TEST_CASE("spelling: of several that hold it the one with the least added, then the first",
          "[spelling]") {
  CHECK(nearest("matmul", {"matmul-tiled", "matmul-loop", "matmul-pack"}) == "matmul-loop");
  CHECK(nearest("matmul", {"matmul-loops", "xyzuv-matmul", "matmul-tiled"}) == "matmul-loops");
  CHECK(nearest("", {"a"}) == "");
  CHECK(nearest("matmul", {}) == "");
  CHECK(nearest("matmul", {"matmul-tiled", "matmuk"}) == "matmuk");
}
