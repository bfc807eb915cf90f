// Small text functions, at the edges of their inputs.
#include "generator/core/base/text.hpp"

#include "catch.hpp"

using namespace primer;

TEST_CASE("text: characters are counted, not bytes", "[text]") {
  CHECK(character_count("") == 0);
  CHECK(character_count("abc") == 3);
  CHECK(character_count("µ→🂡") == 3);
  CHECK(character_count("a\xFF\xFE") == 3);
}

TEST_CASE("text: the first byte that is of no UTF-8 text", "[text]") {
  const auto good = [](std::string_view text) {
    return is_utf8(text) && first_bad_byte(text) == text.npos;
  };
  CHECK(good(""));
  CHECK(good("a\tb\r\nc ~\x7f"));
  for (const char* text : {"\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                           "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"})
    CHECK(good(text));
  for (const char* text : {"\x01",
                           "\x1f",
                           "\x08",
                           "\x0b",
                           "\x80",
                           "\xBF",
                           "\xC0\x80",
                           "\xC1\xBF",
                           "\xC2",
                           "\xC2x",
                           "\xE0\x9F\xBF",
                           "\xE2\x82",
                           "\xE2x\x82",
                           "\xED\xA0\x80",
                           "\xED\xBF\xBF",
                           "\xF0\x8F\xBF\xBF",
                           "\xF0\x90\x80",
                           "\xF4\x90\x80\x80",
                           "\xF5\x80\x80\x80",
                           "\xFF"}) {
    CHECK_FALSE(is_utf8(text));
    CHECK(first_bad_byte("µb" + std::string(text)) == 3);
  }
  CHECK_FALSE(is_utf8(std::string_view("\0", 1)));
  // Text after the cut is not read.
  CHECK(first_bad_byte(std::string_view("aµ").substr(0, 2)) == 1);
}

TEST_CASE("text: trimmed, split and joined", "[text]") {
  using Parts = std::vector<std::string_view>;
  CHECK(trim(" \t\r\na b\n ") == "a b");
  CHECK(trim("a") == "a");
  CHECK(trim(" \n") == "");
  CHECK(split("a,,b", ',') == Parts{"a", "", "b"});
  CHECK(split("", ',') == Parts{""});
  CHECK(split("a,", ',') == Parts{"a", ""});
  CHECK(split_lines("a\nb\n") == Parts{"a", "b"});
  CHECK(split_lines("a\n\n") == Parts{"a", ""});
  CHECK(split_lines("\n") == Parts{""});
  CHECK(split_lines("a\nb") == Parts{"a", "b"});
  CHECK(join({}, ", ") == "");
  CHECK(join({"a"}, ", ") == "a");
  CHECK(join({"a", "a", "b"}, ", ") == "a, a, b");
}

TEST_CASE("text: every occurrence is replaced, what replaces it is not", "[text]") {
  CHECK(replace_all("aXbX", "X", "XX") == "aXXbXX");
  CHECK(replace_all("aaa", "aa", "b") == "ba");
  CHECK(replace_all("abc", "x", "y") == "abc");
  CHECK(replace_all("aXXb", "X", "") == "ab");
}

TEST_CASE("text: addresses, identifiers and names of content", "[text]") {
  CHECK(percent_encoded("aZ09-_.~") == "aZ09-_.~");
  CHECK(percent_encoded("a/b c") == "a%2Fb%20c");
  CHECK(percent_encoded("a/b", "/") == "a/b");
  CHECK(percent_encoded("µ") == "%C2%B5");
  CHECK(percent_encoded("-", "/") == "%2D");
  for (const char* good : {"a", "z", "a-b2", "a0z9-"}) CHECK(is_identifier(good));
  for (const char* bad : {"", "-a", "1a", "A", "aB", "a_b", "a b", "`", "{", "aµ"})
    CHECK_FALSE(is_identifier(bad));
  CHECK(is_one_of("b", {"a", "b"}));
  CHECK_FALSE(is_one_of("c", {"a", "b"}));
  CHECK(in_quotes("a") == "\"a\"");
  CHECK(content_hash("") == "cbf29ce484222325");  // published values of FNV-1a
  CHECK(content_hash("a") == "af63dc4c8601ec8c");
  CHECK(content_hash("foobar") == "85944171f73967e8");
}
