#include "generator/tools/search/word_lists.hpp"

#include "catch.hpp"

using namespace primer;

TEST_CASE("search: an index that is not Pagefind's 1.4 is refused") {
  for (const char* content : {"", "not gzip"}) {
    const auto lists = with_small_lists({{"pagefind.en_0123abc.pf_meta", content}});
    REQUIRE(!lists);
    CHECK(lists.error().message == "pagefind.en_0123abc.pf_meta is not a file of Pagefind 1.4");
  }
}

TEST_CASE("search: other files of an index do not change") {
  const auto lists = with_small_lists({{"pagefind.js", "script"}, {"index/en_1.pf_index", "gone"}});
  REQUIRE(lists);
  REQUIRE(lists->size() == 1);
  CHECK(lists->front().path == "pagefind.js");
  CHECK(lists->front().content == "script");
}
