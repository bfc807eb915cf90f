// The files that a site with a public address has for other programs: dates from git, plain
// content, feeds, the sitemap.
#include <unistd.h>
#include <zip.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "catch.hpp"
#include "generator/core/publish/epub.hpp"
#include "generator/core/publish/plain_content.hpp"
#include "generator/core/publish/publication.hpp"

using namespace primer;
namespace fs = std::filesystem;

TEST_CASE("addresses: as a page means them") {
  const std::string page = "https://h.io/repo/roofline/";
  CHECK(absolute_url(page, "#eq") == page + "#eq");
  CHECK(absolute_url(page, "../matmul/#ladder") == "https://h.io/repo/matmul/#ladder");
  CHECK(absolute_url(page, "./a.svg") == page + "a.svg");
  CHECK(absolute_url(page, "a.svg") == page + "a.svg");
  CHECK(absolute_url(page, "/x") == "https://h.io/x");
  CHECK(absolute_url(page, "https://other.org/?a=../b") == "https://other.org/?a=../b");
  CHECK(absolute_url(page, "mailto:a@b.c") == "mailto:a@b.c");
  // Not above the host.
  CHECK(absolute_url(page, "../../../../x") == "https://h.io/x");
}

namespace {

std::string plain(const std::string& body, Markup markup) {
  return plain_content(body, figures::Theme::light, markup,
                       [](const std::string& to) { return absolute_url("https://h.io/a/", to); });
}

}  // namespace

TEST_CASE("an address leads into a chapter by its id, or leads elsewhere", "[feeds]") {
  const std::string chapter = "https://h.io/repo/matmul/";
  CHECK(id_within(chapter, chapter) == "");
  CHECK(id_within(chapter, chapter + "#") == "");
  CHECK(id_within(chapter, chapter + "#ladder") == "ladder");
  CHECK(id_within(chapter, chapter + "a.svg") == std::nullopt);
  CHECK(id_within(chapter, "https://h.io/repo/matmul-2/#ladder") == std::nullopt);
  CHECK(id_within(chapter, "https://h.io/repo/") == std::nullopt);
}

TEST_CASE("plain content: what needs the book's scripts and style is gone") {
  const std::string body =
      "<p>One <span class=\"tipped\" tabindex=\"0\" aria-describedby=\"t\"><span class=\"fact\">2 "
      "B</span><span class=\"tip wide\" id=\"t\">source</span></span><br/>two</p>"
      "<primer-bench id=\"b\" state=\"idle\" aria-labelledby=\"b.label\"><button>Run</button><p>kept</p></primer-bench>"
      "<details class=\"answer\"><summary>Answer</summary><p>42</p></details>"
      "<select hidden=\"hidden\"><option>x</option></select>"
      "<svg><line stroke=\"var(--ink)\"></line></svg><a href=\"../x/\">x</a><td></td>";
  const std::string html = plain(body, Markup::html);
  CHECK(
      html ==
      "<div><p>One <span class=\"tipped\"><span class=\"fact\">2 B</span></span><br/>two</p>"
      "<section id=\"b\"><p>kept</p></section>"
      "<details class=\"answer\" open=\"open\"><summary>Answer</summary><p>42</p></details>"
      "<svg><line stroke=\"#1e1c19\"></line></svg><a href=\"https://h.io/x/\">x</a><td></td></div>");
  CHECK(plain("<p>", Markup::html).empty());
  CHECK(plain("<td></td><math><mi displaystyle=\"true\">x</mi></math>", Markup::xhtml) ==
        "<div><td/><math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mi>x</mi></math></div>");
}

namespace {

Book small_book_with_address() {
  Book book;
  book.title = "A & B";
  book.subtitle = "of <small> things";
  book.language = "en";
  book.base_url = "https://h.io/repo/";
  return book;
}

std::vector<FeedItem> two_items() {
  static const primer::PageText old_text{"<p>1</p>", "", "", ""};
  static const primer::PageText new_text{
      "<p>a &amp; b</p><figure><svg><path/></svg><details class=\"plot-data\"><summary>Data</summary></details>"
      "<a href=\"#fig\">Link</a></figure>",
      "", "", ""};
  return {
      {"old/", "Old", "first", &old_text, {"2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"}},
      {"new/", "New < old", "second", &new_text, {"2026-01-01T00:00:00Z", "2026-03-02T00:00:00Z"}}};
}

}  // namespace

TEST_CASE("feeds: newest first, whole addresses, content that survives escaping") {
  const Book book = small_book_with_address();
  auto items = two_items();
  keep_newest(items);
  write_items(book, items, nullptr, primer::sequential);
  CHECK(items.front().title == "New < old");

  pugi::xml_document atom;
  REQUIRE(atom.load_string(atom_feed(book, items).c_str()));
  const auto feed = atom.child("feed");
  CHECK(feed.child_value("title") == std::string("A & B"));
  CHECK(feed.child_value("updated") == std::string("2026-03-02T00:00:00Z"));
  CHECK(feed.find_child_by_attribute("link", "rel", "self").attribute("href").value() ==
        std::string("https://h.io/repo/feed.xml"));
  const auto entry = feed.child("entry");
  // The text, with links instead of drawings: with all drawings, a feed would have a megabyte.
  const std::string content =
      "<div><p>a &amp; b</p><figure><a href=\"https://h.io/repo/new/#fig\">Link</a></figure></div>";
  CHECK(entry.child_value("id") == std::string("https://h.io/repo/new/"));
  CHECK(entry.child_value("content") == content);
  CHECK(std::string(entry.next_sibling("entry").child_value("published")) ==
        "2026-01-01T00:00:00Z");

  const auto json = nlohmann::json::parse(json_feed(book, items));
  CHECK(json["items"].size() == 2);
  CHECK(json["items"][0]["content_html"] == content);
  CHECK(json["feed_url"] == "https://h.io/repo/feed.json");
}

TEST_CASE("feeds: the newest twenty") {
  const primer::PageText text{"<p></p>", "", "", ""};
  std::vector<FeedItem> items;
  for (int i = 10; i < 35; ++i) {
    const std::string day = "2026-01-01T00:00:" + std::to_string(i) + "Z";
    items.push_back({std::to_string(i) + '/', "T", "S", &text, {day, day}});
  }
  keep_newest(items);
  REQUIRE(items.size() == longest_feed);
  CHECK(items.front().url == "34/");
  CHECK(items.back().url == "15/");
}

TEST_CASE("site map: every page, with its date where that is known") {
  pugi::xml_document map;
  const std::string text =
      site_map(small_book_with_address(), {{"", ""}, {"new/", "2026-03-02T00:00:00Z"}});
  REQUIRE(map.load_string(text.c_str()));
  const auto home = map.child("urlset").child("url");
  CHECK(home.child_value("loc") == std::string("https://h.io/repo/"));
  CHECK(!home.child("lastmod"));
  CHECK(home.next_sibling("url").child_value("lastmod") == std::string("2026-03-02T00:00:00Z"));
}

namespace {

// The files of an archive.
std::map<std::string, std::string> unzipped(const std::string& bytes) {
  std::map<std::string, std::string> files;
  zip_error_t error;
  zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  const std::unique_ptr<zip_t, void (*)(zip_t*)> archive(
      zip_open_from_source(source, ZIP_RDONLY, &error), zip_discard);
  REQUIRE(archive);
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive.get(), 0); ++i) {
    zip_stat_t stat;
    REQUIRE(zip_stat_index(archive.get(), i, 0, &stat) == 0);
    std::string text(stat.size, ' ');
    zip_file_t* const file = zip_fopen_index(archive.get(), i, 0);
    zip_fread(file, text.data(), text.size());
    zip_fclose(file);
    files[stat.name] = text;
  }
  return files;
}

}  // namespace

TEST_CASE("e-book: chapters link to each other inside, to other pages outside") {
  const Book book = small_book_with_address();
  Entry first{}, second{};
  first.url = "a/";
  first.number = "1";
  second.url = "b/";
  const std::vector<EpubChapter> chapters = {
      {&first,
       "A < B",
       "sum",
       "<p><a href=\"../b/#x\">b</a> <a href=\"../machine/\">m</a> "
       "<img src=\"../images/x.png\" alt=\"\" loading=\"lazy\"/></p>",
       {{"images/x.png", "bytes"}}},
      {&second, "B", "sum", "<p id=\"x\">B</p>", {}}};
  const auto epub = make_epub(book, Messages(), chapters, "2026-01-02T00:00:00Z");
  REQUIRE(epub);
  CHECK(epub.value() == make_epub(book, Messages(), chapters, "2026-01-02T00:00:00Z").value());
  CHECK(epub.value().substr(30, 28) == "mimetypeapplication/epub+zip");
  auto files = unzipped(epub.value());
  CHECK(files.at("book/images/x.png") == "bytes");
  const std::string& text = files.at("book/a.xhtml");
  CHECK(text.find("<h1>1 A &lt; B</h1>") != text.npos);
  CHECK(text.find("<a href=\"b.xhtml#x\">b</a> <a href=\"https://h.io/repo/machine/\">m</a> "
                  "<img src=\"images/x.png\" alt=\"\"/>") != text.npos);
  CHECK(files.at("book/package.opf")
            .find("<meta property=\"schema:accessModeSufficient\">textual<") != std::string::npos);
  pugi::xml_document package;
  REQUIRE(package.load_string(files.at("book/package.opf").c_str()));
  CHECK(package.child("package").child("manifest").select_nodes("item").size() == 5);

  CHECK(files.at("book/package.opf").find("<spine>") != std::string::npos);
  CHECK(text.find(" dir=") == text.npos);
  CHECK(files.at("book/style.css").find("border-left") != std::string::npos);

  const std::vector<EpubChapter> broken = {{&first, "A", "", "<p>", {}}};
  CHECK(!make_epub(book, Messages(), broken, "2026-01-02T00:00:00Z"));
}

TEST_CASE("e-book: from right to left") {
  Book book = small_book_with_address();
  book.language = "he";
  Entry entry{};
  entry.url = "a/";
  const std::vector<EpubChapter> chapters = {
      {&entry, "A", "sum", "<p>b <code>c</code></p><svg lang=\"he\"><text>d</text></svg>", {}}};
  const auto epub = make_epub(book, Messages(), chapters, "2026-01-02T00:00:00Z");
  REQUIRE(epub);
  auto files = unzipped(epub.value());
  const auto holds = [&](const char* file, const char* text) {
    return files.at(file).find(text) != std::string::npos;
  };
  CHECK(holds("book/package.opf", "<spine page-progression-direction=\"rtl\">"));
  CHECK(holds("book/a.xhtml", " lang=\"he\" dir=\"rtl\" xml:lang=\"he\">"));
  CHECK(holds("book/a.xhtml", "<p>b <code dir=\"ltr\">c</code></p>"));
  CHECK(holds("book/a.xhtml", "<svg xml:lang=\"he\" direction=\"ltr\">"));
  CHECK(holds("book/contents.xhtml", " dir=\"rtl\""));
  CHECK(holds("book/style.css", "border-right: 3px"));
  CHECK(!holds("book/style.css", "left"));
}
