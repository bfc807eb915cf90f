// Files next to a chapter.
#include "catch.hpp"
#include "small_book.hpp"

namespace {

small_book::Files book_with(const std::string& body, const std::string& file) {
  auto files = small_book::with(body);
  files[file] = "1,2\n";
  return files;
}

}  // namespace

TEST_CASE("download: a file next to the chapter is on the site, with and without a repository") {
  auto files =
      book_with("[data](data%20set.csv) and [more](<data set.csv>)\n", "chapters/en/data set.csv");
  for (const bool has_repository : {true, false}) {
    auto& yaml = files["chapters/book.yaml"];
    if (!has_repository)
      yaml.erase(yaml.find("repository"), yaml.find("chapters:") - yaml.find("repository"));
    const auto built = small_book::build(files);
    REQUIRE(built.errors == "");
    CHECK(built.site.at("files/en/data set.csv") == "1,2\n");
    const std::string& page = built.site.at("first/index.html");
    for (const char* text : {"data", "more"}) {
      CHECK_THAT(page, Catch::Contains("<a href=\"../files/en/data%20set.csv\" download=\"\">" +
                                       std::string(text) + "</a>"));
    }
  }
}

TEST_CASE("download: scripts, secrets and uncommitted files are not offered") {
  auto files = book_with("[x](x.html)\n", "chapters/en/x.html");
  auto& yaml = files["chapters/book.yaml"];
  const auto built = small_book::build(files);
  CHECK_THAT(built.site.at("first/index.html"), Catch::Contains("/blob/main/chapters/en/x.html"));
  CHECK(!built.site.contains("files/en/x.html"));
  yaml.erase(yaml.find("repository"), yaml.find("chapters:") - yaml.find("repository"));
  CHECK_THAT(small_book::build(files).errors, Catch::Contains("[dead-link]"));
  CHECK_THAT(
      small_book::build(book_with("[x](passwords.json)\n", "chapters/en/passwords.json")).errors,
      Catch::Contains("has a name like a secret; to publish it"));
  CHECK_THAT(small_book::publish_tracked(book_with("[x](a.csv)\n", "chapters/en/a.csv"),
                                         primer::TrackedFiles())
                 .errors,
             Catch::Contains("\"chapters/en/a.csv\" is not committed"));
}

TEST_CASE("an image's address may be written as a browser would ask for it") {
  auto files = small_book::with("![a dot](my%20dot.svg)\n");
  files["chapters/en/my dot.svg"] = files["chapters/en/dot.svg"];
  const auto built = small_book::build(files);
  REQUIRE(built.errors == "");
  CHECK_THAT(built.site.at("first/index.html"), Catch::Contains("images/en/my%20dot.svg"));
  CHECK_THAT(small_book::errors("![a dot](%2e%2e/%2e%2e/%2e%2e/x.svg)\n"),
             Catch::Contains("error"));
}
