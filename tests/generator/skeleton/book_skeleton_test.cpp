#include "generator/tools/skeleton/skeleton.hpp"

#include "catch.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/load/book.hpp"
#include "generator/host/disk.hpp"
#include "skeleton/placeholders.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

const std::unique_ptr<FileSystem> site = disk(PRIMER_SOURCE "/site");

}  // namespace

TEST_CASE("new book: it builds unchanged, with one of everything that it promises") {
  Diagnostics diagnostics;
  const auto files = new_book(*site, "Gpu notes", "en", diagnostics);
  REQUIRE(files);
  const auto built = small_book::build(*files);
  CHECK(has_only_placeholders(built.errors));
  CHECK(built.site.contains("index.html"));
  const std::string& page = built.site.at("memory/index.html");
  CHECK(page.find("<title>Memory · Gpu notes</title>") != page.npos);
  for (const char* part : {"class=\"fact\">3.35\u202FTB/s<", "<figure class=\"plot\"",
                           "<primer-bench", "class=\"worked\""}) {
    INFO(part);
    CHECK(page.find(part) != page.npos);
  }
  for (const char* path :
       {".gitignore", "README.md", ".github/workflows/publish.yml", ".vscode/settings.json"}) {
    INFO(path);
    CHECK(files->contains(path));
  }
}

TEST_CASE("new book: without a reference machine its verdict says that nothing is measured") {
  Diagnostics diagnostics;
  auto files = new_book(*site, "Gpu notes", "en", diagnostics);
  REQUIRE(files);
  const auto has = [&](const char* sentence) {
    const std::string page = small_book::build(*files).site.at("memory/index.html");
    return page.find(std::string(">") + sentence + "</p>") != page.npos;
  };
  CHECK(has("Nothing has been measured yet."));
  std::string& text = files->at("chapters/en/00-memory.md");
  text = replace_all(text, "Nothing has been measured yet.", "It read {value | GB/s | 3}.");
  CHECK(has("Not measured yet."));
}

TEST_CASE("new book: its optional settings are right as they stand") {
  Diagnostics diagnostics;
  auto files = new_book(*site, "Gpu notes", "en", diagnostics);
  REQUIRE(files);
  std::string& settings = files->at("chapters/book.yaml");
  for (const char* key : {"license", "authors", "repository", "base_url"}) {
    INFO(key);
    REQUIRE(settings.find("\n# " + std::string(key) + ": ") != settings.npos);
    settings = replace_all(settings, "\n# " + std::string(key), '\n' + std::string(key));
  }
  CHECK(has_only_placeholders(small_book::build(*files).errors));
  CHECK(load_book(*in_memory(*files), diagnostics)->license == "CC BY 4.0");
}

TEST_CASE("new book: any name of a directory is a title") {
  for (const char* name : {"a: \"b\" #c", "- [", "1", "\xff", "TITLE", "'"}) {
    INFO(name);
    Diagnostics diagnostics;
    const auto files = new_book(*site, name, "en", diagnostics);
    REQUIRE(files);
    CHECK(has_only_placeholders(small_book::build(*files).errors));
  }
}
