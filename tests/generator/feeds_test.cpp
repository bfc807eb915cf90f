// What a site with a public address tells others: dates from git, plain content, feeds, the map.
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "catch.hpp"
#include "generator/feeds.hpp"
#include "generator/plain_content.hpp"

using namespace primer;

TEST_CASE("history: the first and the last change of each file") {
  const auto history = parse_history(
      "\x01"
      "2026-11-21T09:30:00+00:00\n\nchapters/en/a.md\nchapters/en/b.md\n"
      "\x01"
      "2026-10-01T08:00:00+00:00\n\nchapters/en/a.md\n");
  REQUIRE(history.size() == 2);
  CHECK(history.at("chapters/en/a.md").created == "2026-10-01T08:00:00Z");
  CHECK(history.at("chapters/en/a.md").changed == "2026-11-21T09:30:00Z");
  CHECK(history.at("chapters/en/b.md").created == "2026-11-21T09:30:00Z");
  CHECK(parse_history("").empty());
  CHECK(parse_history("chapters/en/a.md\n").empty());
  CHECK(read_history("/nowhere/at/all").empty());
}

TEST_CASE("addresses: as a page means them") {
  const std::string page = "https://h.io/repo/roofline/";
  CHECK(absolute_url(page, "#eq") == page + "#eq");
  CHECK(absolute_url(page, "../matmul/#ladder") == "https://h.io/repo/matmul/#ladder");
  CHECK(absolute_url(page, "./a.svg") == page + "a.svg");
  CHECK(absolute_url(page, "a.svg") == page + "a.svg");
  CHECK(absolute_url(page, "/x") == "https://h.io/x");
  CHECK(absolute_url(page, "https://other.org/?a=../b") == "https://other.org/?a=../b");
  CHECK(absolute_url(page, "mailto:a@b.c") == "mailto:a@b.c");
  // No further up than the host.
  CHECK(absolute_url(page, "../../../../x") == "https://h.io/x");
}

TEST_CASE("plain content: what needs the book's scripts and style is gone") {
  const std::string body =
      "<p>One <span class=\"tipped\" tabindex=\"0\" aria-describedby=\"t\"><span class=\"fact\">2 "
      "B</span><span class=\"tip wide\" id=\"t\">source</span></span><br/>two</p>"
      "<primer-bench id=\"b\" state=\"idle\"><button>Run</button><p>kept</p></primer-bench>"
      "<details class=\"answer\"><summary>Answer</summary><p>42</p></details>"
      "<select hidden=\"hidden\"><option>x</option></select>"
      "<svg><line stroke=\"var(--ink)\"></line></svg><a href=\"../x/\">x</a><td></td>";
  const std::string html =
      plain_content(body, "https://h.io/a/", figures::Theme::light, Markup::html);
  CHECK(html ==
        "<div><p>One <span class=\"tipped\"><span class=\"fact\">2 B</span></span><br/>two</p>"
        "<section id=\"b\"><p>kept</p></section>"
        "<details class=\"answer\" open=\"open\"><summary>Answer</summary><p>42</p></details>"
        "<svg><line stroke=\"#1e1c19\"></line></svg><a href=\"https://h.io/x/\">x</a><td></td></div>");
  CHECK(plain_content("<p>", "https://h.io/", figures::Theme::light, Markup::html).empty());
  CHECK(plain_content("<td></td>", "", figures::Theme::light, Markup::xhtml) == "<div><td/></div>");
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
  return {{"old/", "Old", "first", "<p>1</p>", {"2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"}},
          {"new/", "New < old", "second", "<p>a &amp; b</p>",
           {"2026-01-01T00:00:00Z", "2026-03-02T00:00:00Z"}}};
}

}  // namespace

TEST_CASE("feeds: newest first, whole addresses, content that survives escaping") {
  const Book book = small_book_with_address();
  auto items = two_items();
  sort_items(items);
  CHECK(items.front().title == "New < old");

  pugi::xml_document atom;
  REQUIRE(atom.load_string(atom_feed(book, items).c_str()));
  const auto feed = atom.child("feed");
  CHECK(feed.child_value("title") == std::string("A & B"));
  CHECK(feed.child_value("updated") == std::string("2026-03-02T00:00:00Z"));
  CHECK(feed.find_child_by_attribute("link", "rel", "self").attribute("href").value() ==
        std::string("https://h.io/repo/feed.xml"));
  const auto entry = feed.child("entry");
  CHECK(entry.child_value("id") == std::string("https://h.io/repo/new/"));
  CHECK(entry.child_value("content") == std::string("<div><p>a &amp; b</p></div>"));
  CHECK(std::string(entry.next_sibling("entry").child_value("published")) == "2026-01-01T00:00:00Z");

  const auto json = nlohmann::json::parse(json_feed(book, items));
  CHECK(json["items"].size() == 2);
  CHECK(json["items"][0]["content_html"] == "<div><p>a &amp; b</p></div>");
  CHECK(json["feed_url"] == "https://h.io/repo/feed.json");
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
