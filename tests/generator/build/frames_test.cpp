// A page's file is reused without being assembled again, so its key must include everything that
// its layout shows.
#include "catch.hpp"
#include "rebuilt_site.hpp"
#include "small_book.hpp"

using namespace rebuilt;

namespace {

const std::string small_table = "Table tbl-one: One.\n\n| a |\n|---|\n| 1 |\n";

// `count` chapters in two languages, with the real layouts around them. The first two are
// translated.
Files framed_book(int count) {
  Files files = small_book::with("");
  std::erase_if(files, [](const auto& file) { return file.first.starts_with("chapters/en/c"); });
  for (const std::string path :
       {"templates/page.mustache", "templates/404.mustache", "locales/es.json"}) {
    files["site/" + path] = read(fs::path(PRIMER_SOURCE) / "site" / path);
  }
  files["site/sheets/pages.css"] = "p { margin: 0 }\n";
  std::string list;
  for (int i = 0; i < count; ++i) {
    const std::string slug = "c" + std::to_string(i);
    list += "  - " + slug + '\n';
    files["chapters/en/" + slug + ".md"] = "---\ntitle: Title " + slug + "\nsummary: About " +
                                           slug + ".\n---\n\n## One\n\n[HBM](term:hbm) of " + slug +
                                           ".\n\n## Two\n\nEnd.\n\n" + small_table;
    if (i < 2) {
      files["chapters/es/" + slug + ".md"] =
          "---\ntitle: Título " + slug + "\n---\n\n<!-- from 00000000 -->\n## Uno\n";
    }
  }
  list.replace(list.find("  - c1"), 0, "  - part: First part\n");
  files["chapters/book.yaml"] =
      "title: Framed\nsubtitle: Before\nlanguage: en\nlanguages: [en, es]\nreference: test\n"
      "base_url: https://example.org/\nrepository: https://example.org/framed\nchapters:\n" +
      list + "pages:\n  - our-rules\n";
  files["chapters/en/pages/our-rules.md"] = "---\ntitle: Rules\n---\nBe kind.\n";
  files.erase("chapters/en/01-first.md");
  files.erase("chapters/en/second.md");
  return files;
}

std::string many_words() {
  std::string words;
  for (int i = 0; i < 700; ++i) words += "word ";
  return words + '\n';
}

struct FrameEdit {
  const char* path;
  const char* from;  // empty: the end of the file
  std::string to;
};

// Each edit changes one thing that a page shows outside its own text.
const std::vector<FrameEdit> frame_edits{
    {"chapters/en/c2.md", "Title c2", "Another title"},
    {"chapters/en/c2.md", "About c2", "More about c2"},
    {"chapters/en/c2.md", "", many_words()},
    {"chapters/en/c2.md", "## Two", "## Three"},
    {"chapters/en/c1.md", "End.", "The end."},
    {"chapters/en/c1.md", "",
     "\nTable tbl-more: More.\n\n| a |\n|---|\n| 1 |\n"},  // the book counts tables
    {"chapters/es/c1.md", "Título c1", "Otro título"},
    {"chapters/es/c1.md", "", "\n<!-- from 00000000 -->\n## Dos\n"},
    {"chapters/en/c0.md", "title:", "sections: {two: {mark: lab}}\ntitle:"},
    {"chapters/en/c0.md", "title:", "aliases: [old]\ntitle:"},
    {"chapters/book.yaml", "First part", "Second part"},
    {"chapters/book.yaml", "subtitle: Before", "subtitle: After"},
    {"chapters/book.yaml", "title: Framed", "title: In a frame"},
    {"chapters/book.yaml", "title:", "numbering: all\ntitle:"},
    {"chapters/book.yaml", "title:", "license: CC BY 4.0\ntitle:"},
    {"chapters/book.yaml", "  - c2\n  - c3\n", "  - c3\n  - c2\n"},
    {"chapters/facts/glossary.json", "\"hbm\"",
     "\"ddr\": {\"term\": \"DDR\", \"definition\": \"Beside it.\"}, \"hbm\""},
    {"figures/profiles/test.json", "Test core", "Other core"},
    {"site/locales/es.json", "\"Contents\": \"", "\"Contents\": \"El "},
    {"site/templates/page.mustache", "</html>", "</html>\n"},
    {"site/sheets/our-rules.css", "", "p { margin: 1px }\n"},
};

}  // namespace

TEST_CASE("incremental: a page follows what its frame shows of the book", "[incremental]") {
  // A book with few chapters has a strip; in a book with many, the contents show a part.
  const int count = GENERATE(5, 160);
  const Scratch scratch;
  Bench bench(scratch.path);
  Files files = framed_book(count), before;
  int number = 0;
  const auto build = [&](const std::string& edit) {
    INFO("edit " << number++ << ": " << edit);
    write_out(scratch.path / "book", files, before);
    before = files;
    primer::BuildReport report;
    REQUIRE(bench.incremental(report) == "");
    CHECK(!report.unchanged);
    const auto clean = bench.clean();
    REQUIRE(clean.errors == "");
    const Files site = tree(bench.site());
    for (const auto& [path, bytes] : clean.files) {
      INFO(path);
      REQUIRE(site.contains(path));
      REQUIRE((site.at(path) == bytes));
    }
    REQUIRE(site.size() == clean.files.size());
  };
  build("begin");
  for (const auto& [path, from, to] : frame_edits) {
    std::string& text = files[path];
    const auto at = *from == '\0' ? text.size() : text.find(from);
    REQUIRE(at != text.npos);
    text.replace(at, std::string(from).size(), to);
    build(std::string(path) + ": " + to.substr(0, 40));
  }
  std::string& list = files.at("chapters/book.yaml");
  const std::string one_more = "  - new\n";
  list.insert(list.find("  - c3\n"), one_more);
  files["chapters/en/new.md"] = "---\ntitle: New\n---\n\nText.\n";
  build("a chapter more");
  list.erase(list.find(one_more), one_more.size());
  files.erase("chapters/en/new.md");
  build("a chapter less");
  REQUIRE(commit(scratch.path / "book", "One"));
  build("the dates of a commit");
}

TEST_CASE("incremental: a damaged page in the cache is rendered again", "[incremental]") {
  const Scratch scratch;
  Bench bench(scratch.path);
  Files files = framed_book(3);
  write_out(scratch.path / "book", files, {});
  primer::BuildReport report;
  REQUIRE(bench.incremental(report) == "");
  // One bit of the page's text
  const std::string in_text = "of c2.</p>";
  for (const auto& entry : fs::directory_iterator(scratch.path / "cache")) {
    std::string bytes = read(entry.path());
    const auto at = bytes.find(in_text);
    if (at == bytes.npos) continue;
    bytes[at] ^= 1;
    std::ofstream(entry.path(), std::ios::binary) << bytes;
  }
  bench.reopen();
  files["site/templates/page.mustache"] += "\n";
  write_out(scratch.path / "book", files, {});
  report = {};
  REQUIRE(bench.incremental(report) == "");
  std::size_t rendered = 0;
  for (const auto& page : report.pages) rendered += page.rendered ? 1 : 0;
  CHECK(rendered == 1);
  CHECK((tree(bench.site()) == bench.clean().files));
}
