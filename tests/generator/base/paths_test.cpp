// Paths below the root, links between files, and the amount of a file that is read.
#include "catch.hpp"
#include "generator/core/base/file_system.hpp"

using namespace primer;

TEST_CASE("paths: normal ones have no empty part and stay below the root", "[paths]") {
  CHECK(normal_path("a") == "a");
  CHECK(normal_path("a/b/../c") == "a/c");
  CHECK(normal_path("./a/./b") == "a/b");
  CHECK(normal_path("a/..b/c...") == "a/..b/c...");
  for (const char* bad :
       {"", "/", "/a", "a//b", "a/", "..", "a/../..", "../a", ".", "a/..", "a\\b"}) {
    INFO(bad);
    CHECK_FALSE(normal_path(bad));
  }
  CHECK_FALSE(normal_path(std::string_view("a\0b", 3)));
}

TEST_CASE("paths: a link is seen from its file's directory", "[paths]") {
  CHECK(resolve_path("a/b.md", "c.md") == "a/c.md");
  CHECK(resolve_path("a/b.md", "../c.md") == "c.md");
  CHECK(resolve_path("b.md", "c.md") == "c.md");
  CHECK_FALSE(resolve_path("a/b.md", "/c.md"));
  CHECK_FALSE(resolve_path("a/b.md", "../../c.md"));
  CHECK_FALSE(resolve_path("b.md", "../c.md"));
}

TEST_CASE("paths: the link to a file leads there", "[paths]") {
  CHECK(link_to("a/b.md", "a/c.md") == "b.md");
  CHECK(link_to("a/b.md", "c.md") == "a/b.md");
  CHECK(link_to("b.md", "a/x/c.md") == "../../b.md");
  CHECK(link_to("es/a.md", "en/a.md") == "../es/a.md");
  CHECK(link_to("a/b", "a/b/c") == "../b");
  CHECK(link_to("b/a/x", "b/c/y") == "../a/x");
  for (const char* target : {"a", "a/b", "a/b/c", "x/b/c", "a/x/c"})
    for (const char* file : {"f", "a/f", "a/b/f", "a/b/c/f", "x/b/f"}) {
      INFO(target << " from " << file);
      CHECK(resolve_path(file, link_to(target, file)) == target);
    }
}

TEST_CASE("paths: how large a file of its kind may be", "[paths]") {
  constexpr std::size_t kibibyte = 1024;
  for (const char* text : {"a.md", "a.yaml", "a.yml"}) CHECK(largest_file(text) == 512 * kibibyte);
  CHECK(largest_file("a.json") == 8 * 1024 * kibibyte);
  for (const char* other : {"a.png", "md", "a.md.txt", ""})
    CHECK(largest_file(other) == 16 * 1024 * kibibyte);
}

TEST_CASE("paths: a digest is of what was read, and asking is recorded", "[paths]") {
  const auto files = in_memory({{"a/x", "1"}, {"a/y", "2"}, {"b", "1"}});
  const auto of = [&](const char* path) { return files->digest_of(Dependency::file(path)); };
  CHECK_FALSE(files->known_digest_of(Dependency::file("b")));
  CHECK((of("a/x") == of("b")));
  CHECK((of("a/x") != of("a/y")));
  CHECK((of("missing") == absent));
  CHECK(files->known_digest_of(Dependency::file("b")));
  CHECK(files->reads().size() == 4);
  CHECK((files->digest_of(Dependency::directory("a")) == digest("a/x\na/y")));
  CHECK(files->list("a") == std::vector<std::string>{"a/x", "a/y"});
  CHECK(files->list("none").empty());
  CHECK(files->reads().size() == 6);
}
