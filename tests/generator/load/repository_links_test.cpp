#include "generator/core/load/repository_links.hpp"

#include "catch.hpp"

using primer::RepositoryLinks;

TEST_CASE("repository: each host's addresses, with branch and folder") {
  RepositoryLinks links;
  links.address = "https://github.com/a/b";
  CHECK(links.file("x/y z.cpp") == "https://github.com/a/b/blob/main/x/y%20z.cpp");
  CHECK(links.file("x.cpp", 3, 5) == "https://github.com/a/b/blob/main/x.cpp#L3-L5");
  links.branch = "trunk";
  links.folder = "docs/";
  CHECK(links.edit("chapters/en/a.md") ==
        "https://github.com/a/b/edit/trunk/docs/chapters/en/a.md");
  CHECK(links.commit("abc") == "https://github.com/a/b/commit/abc");
  CHECK(links.report("https://h.io/x/", "1") ==
        "https://github.com/a/b/issues/new?template=mistake.yml&page=https%3A%2F%2Fh.io%2Fx%2F"
        "&build=1");

  links.address = "https://gitlab.example.org/a/b";
  CHECK(links.file("x.cpp", 3, 5) == "https://gitlab.example.org/a/b/-/blob/trunk/docs/x.cpp#L3-5");
  CHECK(links.edit("x.md") == "https://gitlab.example.org/a/b/-/edit/trunk/docs/x.md");
  CHECK(links.commit("abc") == "https://gitlab.example.org/a/b/-/commit/abc");
  CHECK(links.issues() == "https://gitlab.example.org/a/b/-");
  CHECK(
      links.report("p", "1") ==
      "https://gitlab.example.org/a/b/-/issues/new?issue[title]=p&issue[description]=Build%3A%201");

  links.address = "https://codeberg.org/a/b";
  CHECK(links.file("x.cpp", 3, 5) == "https://codeberg.org/a/b/src/branch/trunk/docs/x.cpp#L3-L5");
  CHECK(links.edit("x.md") == "https://codeberg.org/a/b/_edit/trunk/docs/x.md");
  CHECK(links.report("p", "1") == "https://codeberg.org/a/b/issues/new?title=p&body=Build%3A%201");

  links.address = "https://code.example.org/a/b";
  CHECK(links.edit("x.md").starts_with("https://code.example.org/a/b/edit/"));
  links.host = "gitlab";
  CHECK(links.edit("x.md").starts_with("https://code.example.org/a/b/-/edit/"));
  CHECK(RepositoryLinks{}.issues().empty());
}
