// Matches of patterns, and patterns that are rejected.
#include "generator/core/formats/text_pattern.hpp"

#include <string>

#include "catch.hpp"

namespace {

using primer::TextPattern;

bool found(std::string_view pattern, std::string_view text) {
  const auto parsed = TextPattern::parse(pattern);
  INFO(pattern);
  REQUIRE(parsed);
  return parsed->found_in(text);
}

bool refused(std::string_view pattern) { return !TextPattern::parse(pattern); }

// A pattern of this many bytes, each of which is a step.
std::string of_steps(std::size_t count) { return std::string(count, 'a'); }

}  // namespace

TEST_CASE("text pattern: bytes, anywhere or at an end", "[pattern]") {
  CHECK(found("b", "abc"));
  CHECK_FALSE(found("d", "abc"));
  CHECK(found("", ""));
  CHECK(found("", "abc"));
  CHECK(found("^a", "abc"));
  CHECK_FALSE(found("^b", "abc"));
  CHECK(found("c$", "abc"));
  CHECK_FALSE(found("b$", "abc"));
  CHECK(found("^abc$", "abc"));
  CHECK_FALSE(found("^abc$", "abcd"));
  CHECK_FALSE(found("^abc$", "ab"));
  CHECK(found("^$", ""));
  CHECK_FALSE(found("^$", "a"));
  CHECK(found("$", "a"));
  CHECK(found("ab", "aab"));
  CHECK_FALSE(found("a", ""));
  CHECK(found("^a|b", "xb"));
  CHECK(found("(^a|b$)", "xb"));
  CHECK_FALSE(found("x^a", "xa"));
  CHECK_FALSE(found("a$b", "ab"));
}

TEST_CASE("text pattern: repeated so often", "[pattern]") {
  CHECK(found("^ab*c$", "ac"));
  CHECK(found("^ab*c$", "abbbc"));
  CHECK_FALSE(found("^ab+c$", "ac"));
  CHECK(found("^ab+c$", "abbc"));
  CHECK(found("^ab?c$", "ac"));
  CHECK(found("^ab?c$", "abc"));
  CHECK_FALSE(found("^ab?c$", "abbc"));
  CHECK_FALSE(found("^a{2}$", "a"));
  CHECK(found("^a{2}$", "aa"));
  CHECK_FALSE(found("^a{2}$", "aaa"));
  CHECK_FALSE(found("^a{2,3}$", "a"));
  CHECK(found("^a{2,3}$", "aa"));
  CHECK(found("^a{2,3}$", "aaa"));
  CHECK_FALSE(found("^a{2,3}$", "aaaa"));
  CHECK_FALSE(found("^a{2,}$", "a"));
  CHECK(found("^a{2,}$", "aaaaa"));
  CHECK(found("^a{0}b$", "b"));
  CHECK(found("^(ab){2}$", "abab"));
  CHECK_FALSE(found("^(ab){2}$", "aba"));
  CHECK(found("^(a*)*$", "aaa"));
}

TEST_CASE("text pattern: alternatives and groups", "[pattern]") {
  CHECK(found("^(a|bc|d)$", "bc"));
  CHECK(found("^(a|bc|d)$", "d"));
  CHECK_FALSE(found("^(a|bc|d)$", "b"));
  CHECK_FALSE(found("^(a|bc|d)$", "ad"));
  CHECK(found("^(|a)b$", "b"));
  CHECK(found("^(a|)b$", "ab"));
  CHECK(found("^(a(b|c))+$", "abac"));
}

TEST_CASE("text pattern: classes", "[pattern]") {
  CHECK(found("^[abc]$", "b"));
  CHECK_FALSE(found("^[abc]$", "d"));
  CHECK(found("^[a-c]$", "a"));
  CHECK(found("^[a-c]$", "c"));
  CHECK_FALSE(found("^[a-c]$", "d"));
  CHECK_FALSE(found("^[^a-c]$", "b"));
  CHECK(found("^[^a-c]$", "d"));
  CHECK(found("^[a-]$", "-"));
  CHECK(found("^[-a]$", "-"));
  CHECK(found("^[a-a]$", "a"));
  CHECK(found("^[\\]\\-]+$", "]-"));
  CHECK(found("^[\\d_]+$", "09_"));
  CHECK_FALSE(found("^[\\d_]+$", "a"));
  CHECK(found("^\\w\\w\\w\\w$", "aZ_9"));
  CHECK_FALSE(found("\\w", "-"));
  CHECK_FALSE(found("\\d", "a/:"));
  CHECK(found("^a.c$", "abc"));
  CHECK_FALSE(found("^a.c$", "a\nc"));
  CHECK(found("^\\.\\-$", ".-"));
  CHECK_FALSE(found("\\.", "a"));
  CHECK(found("^.+$", "µ"));
}

TEST_CASE("text pattern: a letter beyond ASCII is one character", "[pattern]") {
  CHECK(found("^.$", "µ"));
  CHECK_FALSE(found("^..$", "µ"));
  CHECK(found("^[^a]$", "µ"));
  CHECK_FALSE(found("^[^a]{2}$", "µ"));
  CHECK(found("^[^a]{3}$", "µ€𝄞"));
  CHECK(found("^µ+$", "µµ"));
  CHECK_FALSE(found("^[a-z]$", "µ"));
  CHECK(found("^\\s\\s$", " \t"));
  CHECK_FALSE(found("\\s", "\n"));
}

TEST_CASE("text pattern: the longest match at a position", "[pattern]") {
  const auto length = [](std::string_view pattern, std::string_view text, std::size_t from,
                         std::size_t not_at = 99) {
    std::size_t effort = 1000;
    const auto parsed = TextPattern::parse(pattern);
    REQUIRE(parsed);
    return parsed->length_at(text, from, [&](std::size_t end) { return end != not_at; }, effort);
  };
  CHECK(length("a|ab|abc", "xabcd", 1) == 3);
  CHECK(length("a|ab|abc", "xabcd", 1, 4) == 2);
  CHECK(length("a|ab|abc", "xabcd", 0) == 0);
  CHECK(length("a*", "b", 0) == 0);
  CHECK(length("a*", "aab", 1) == 1);
  CHECK(length("^a", "aa", 0) == 1);
  CHECK(length("^a", "aa", 1) == 0);
  CHECK(length("a$", "aa", 0) == 0);
  CHECK(length("a$", "aa", 1) == 1);
  CHECK(length(".", "µa", 0) == 2);
  CHECK(length("a", "a", 1) == 0);
}

TEST_CASE("text pattern: a match costs no more effort than it is given", "[pattern]") {
  const auto parsed = TextPattern::parse("(a*)*b");
  REQUIRE(parsed);
  std::size_t effort = 100;
  const auto anywhere = [](std::size_t) { return true; };
  CHECK(parsed->length_at("aaaab", 0, anywhere, effort) == 5);
  CHECK(effort < 100);
  CHECK(effort > 0);
  CHECK(parsed->length_at(std::string(100, 'a') + 'b', 0, anywhere, effort) == 0);
  CHECK(effort == 0);
}

TEST_CASE("text pattern: the position of unsupported syntax", "[pattern]") {
  const auto place = [](std::string_view pattern) {
    const auto parsed = TextPattern::parse(pattern);
    REQUIRE_FALSE(parsed);
    return std::pair(parsed.error().offset, parsed.error().length);
  };
  using Place = std::pair<std::size_t, std::size_t>;
  CHECK(place("ab*?*") == Place(3, 1));
  CHECK(place("a\\q") == Place(1, 2));
  CHECK(place("[a-\\d]") == Place(2, 1));
  CHECK(place("a)") == Place(1, 1));
  CHECK(place("(a") == Place(2, 0));
  CHECK(place("a{x}") == Place(2, 1));
}

TEST_CASE("text pattern: unsupported syntax is rejected", "[pattern]") {
  for (const char* pattern :
       {"*",     "+a",      "?",    "{2}",   "a{",      "a{2", "a{2,1}", "a{x}", "a{,2}", "a{2,x}",
        "a{-1}", "a{1001}", "(",    "(a",    ")",       "a)",  "]",      "}",    "[",     "[a",
        "[^",    "[a^]",    "[[]",  "[b-a]", "[a-\\d]", "[\\", "[\\q]",  "\\",   "\\q",   "(?:a)",
        "^*",    "$+",      "^{2}", "a**",   "(*)",     "a|*", "(a|b"}) {
    INFO(pattern);
    CHECK(refused(pattern));
  }
  for (const char* pattern :
       {"a{1000}", "a{2,2}", "()", "[]", "^a", "a|", "(^)a", "\\*", "[a-b-c]"}) {
    INFO(pattern);
    CHECK_FALSE(refused(pattern));
  }
}

TEST_CASE("text pattern: neither deeper than 16 groups nor longer than 4,000 steps", "[pattern]") {
  const auto nested = [](std::size_t groups) {
    return std::string(groups, '(') + "a" + std::string(groups, ')');
  };
  CHECK_FALSE(refused(nested(16)));
  CHECK(refused(nested(17)));
  CHECK_FALSE(refused(of_steps(3999)));
  CHECK(refused(of_steps(4000)));
  CHECK(refused("(" + of_steps(2000) + "){2}"));
  CHECK_FALSE(refused("(" + of_steps(1998) + "){2}"));
  CHECK(refused(of_steps(2000) + "|" + of_steps(2001)));
  CHECK_FALSE(refused(of_steps(1900) + "|" + of_steps(2000)));
}
