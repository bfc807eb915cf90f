// The distance between two names, and the suggestion for a misspelled one.
#include "figures/base/nearest.hpp"

#include "catch.hpp"

namespace {

std::string nearest(std::string_view text, std::initializer_list<std::string_view> candidates) {
  figures::Nearest best(text);
  for (const auto candidate : candidates) best.offer(candidate);
  return std::string(best.best());
}

}  // namespace

TEST_CASE("nearest: insert, delete, replace and swap each count one", "[nearest]") {
  const auto distance = [](const char* a, const char* b) {
    const int there = figures::edit_distance(a, b, 10);
    CHECK(figures::edit_distance(b, a, 10) == there);
    return there;
  };
  CHECK(distance("", "") == 0);
  CHECK(distance("", "abc") == 3);
  CHECK(distance("cache", "cache") == 0);
  CHECK(distance("Cache", "cAChe") == 0);
  CHECK(distance("cache", "caches") == 1);
  CHECK(distance("cache", "cabhe") == 1);
  CHECK(distance("cache", "cahce") == 1);
  CHECK(distance("ab", "ba") == 1);
  CHECK(distance("AB", "ba") == 1);
  CHECK(distance("abc", "cab") == 2);
  CHECK(distance("abcd", "badc") == 2);
  CHECK(distance("xaby", "xbay") == 1);
  CHECK(distance("aab", "aba") == 1);
  CHECK(distance("acb", "bac") == 2);
  CHECK(distance("ab", "xa") == 2);
  CHECK(distance("ab", "bx") == 2);
  CHECK(distance("kitten", "sitting") == 3);
  CHECK(distance("abcdef", "uvwxyz") == 6);
}

TEST_CASE("nearest: counted up to the limit, long texts never near", "[nearest]") {
  using figures::edit_distance;
  CHECK(edit_distance("kitten", "sitting", 3) == 3);
  CHECK(edit_distance("kitten", "sitting", 2) == 3);
  CHECK(edit_distance("kitten", "sitting", 0) == 1);
  CHECK(edit_distance("same", "same", 0) == 0);
  CHECK(edit_distance("abcdef", "uvwxyz", 2) == 3);
  CHECK(edit_distance("xabc", "abcyz", 1) == 2);
  CHECK(edit_distance("abc", "abcde", 2) == 2);
  CHECK(edit_distance("abc", "abcdef", 2) == 3);
  const std::string longest(64, 'a'), longer(65, 'a');
  CHECK(edit_distance(longest, longest, 4) == 0);
  CHECK(edit_distance(longest, longer, 4) == 5);
  CHECK(edit_distance(longer, longest, 4) == 5);
  CHECK(edit_distance(longer, longer, 4) == 5);
}

TEST_CASE("nearest: at most a third may differ, the first of the nearest wins", "[nearest]") {
  CHECK(nearest("bandwith", {"latency", "bandwidth"}) == "bandwidth");
  CHECK(nearest("bat", {"cat", "bad"}) == "cat");
  CHECK(nearest("caches", {"cafexx", "cache"}) == "cache");
  CHECK(nearest("a", {"b"}) == "b");
  CHECK(nearest("abcde", {"abxyz"}) == "");
  CHECK(nearest("abcde", {"abcxy"}) == "");
  CHECK(nearest("abcdef", {"abcdxy"}) == "abcdxy");
  CHECK(nearest("abcdef", {"abcxyz"}) == "");
  CHECK(nearest("abcdefghijklmno", {"abcdefghijk1234"}) == "abcdefghijk1234");
  CHECK(nearest("abcdefghijklmno", {"abcdefghij12345"}) == "");
  CHECK(nearest("anything", {}) == "");
}
