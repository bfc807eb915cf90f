// Former addresses redirect to the chapter's current one. An address that is in use is an error at
// its place.
#include "catch.hpp"
#include "generator/core/base/text.hpp"
#include "small_book.hpp"

namespace {

small_book::Files with_aliases(const std::string& aliases) {
  auto files = small_book::with("");
  files["chapters/en/01-first.md"] = "---\ntitle: A & B\naliases: " + aliases + "\n---\nText.\n";
  return files;
}

std::string errors_of(const std::string& aliases) {
  return small_book::build(with_aliases(aliases)).errors;
}

}  // namespace

TEST_CASE("redirect: a page at each alias that names where to go, and how search engines call it") {
  const auto built = small_book::build(with_aliases("[the-first, old/place]"));
  CHECK(built.errors == "");
  const std::string& shallow = built.site.at("the-first/index.html");
  const std::string& deep = built.site.at("old/place/index.html");
  CHECK(shallow.find("<meta http-equiv=\"refresh\" content=\"0; url=../first/\"/>") !=
        shallow.npos);
  CHECK(shallow.find("<link rel=\"canonical\" href=\"../first/\"/>") != shallow.npos);
  CHECK(shallow.find("<p>This page has moved to <a href=\"../first/\">A &amp; B</a>.</p>") !=
        shallow.npos);
  CHECK(deep.find("url=../../first/\"") != deep.npos);
  const auto published = small_book::publish(with_aliases("[the-first]"), {});
  const std::string& whole = published.site.at("the-first/index.html");
  CHECK(whole.find("<link rel=\"canonical\" href=\"https://h.io/repo/first/\"/>") != whole.npos);
  CHECK(published.site.at("sitemap.xml").find("the-first") == std::string::npos);
}

TEST_CASE("redirect: an alias may be the file of another tool's page") {
  const auto built = small_book::build(with_aliases("[types/the_array.html, old.html, types]"));
  CHECK(built.errors == "");
  const std::string& page = built.site.at("types/the_array.html");
  CHECK(page.find("url=../first/\"") != page.npos);
  CHECK(page.find("href=\"../first/\">A &amp; B</a>") != page.npos);
  CHECK(built.site.at("old.html").find("content=\"0; url=first/\"") != std::string::npos);
  CHECK(built.site.at("types/index.html").find("url=../first/\"") != std::string::npos);
  CHECK_FALSE(built.site.contains("old.html/index.html"));

  // A link to the old address resolves to the page itself.
  auto files = with_aliases("[types/array.html]");
  files["chapters/en/second.md"] = "---\ntitle: Second\n---\n[x](/types/array.html)\n";
  const auto linked = small_book::build(files);
  CHECK(linked.errors == "");
  CHECK(linked.site.at("second/index.html").find("href=\"../first/\"") != std::string::npos);
}

TEST_CASE("redirect: a file that is in use cannot be an alias") {
  for (const auto& [alias, owner] : std::initializer_list<std::pair<const char*, const char*>>{
           {"first/index.html", "this chapter's own address"},
           {"second/index.html", "the address of chapters/en/second.md"},
           {"rules/index.html", "an address of the page of rules"},
           {"index.html", "an address of the home page"},
           {"404.html", "an address of every book's 404.html"},
           {"first.html/x", ""}}) {
    INFO(alias);
    const std::string errors = errors_of('[' + std::string(alias) + ']');
    CHECK(errors.find(*owner ? in_quotes(alias) + " is " + owner : "[bad-value]") != errors.npos);
  }
  CHECK(errors_of("[a.html, a.html]").find("is already an alias of this chapter") !=
        std::string::npos);
  CHECK(errors_of("[a, a/index.html]").find("is already an alias of this chapter") !=
        std::string::npos);
  for (const char* bad :
       {"[.html]", "[a.htm]", "[a.html.html]", "[a.b]", "[_a.html]", "[a/.html]"}) {
    INFO(bad);
    CHECK(errors_of(bad).find("[bad-value]") != std::string::npos);
  }
}

TEST_CASE("redirect: every language leads on from where the chapter was in it") {
  auto files = with_aliases("[the-first]");
  files["chapters/book.yaml"] += "languages: [en, es]\nlocales:\n  es:\n    subtitle: En pequeño\n";
  files["site/locales/es.json"] =
      R"({"said by pages alone": {"This page has moved to": "Esta página está ahora en"}})";
  files["chapters/es/01-first.md"] = "---\ntitle: A y B\n---\nTexto.\n";
  const auto built = small_book::build(files);
  const std::string& page = built.site.at("es/the-first/index.html");
  CHECK(page.find("<html lang=\"es\">") != page.npos);
  CHECK(page.find("<p>Esta página está ahora en <a href=\"../first/\">A y B</a>.</p>") !=
        page.npos);
  CHECK(built.site.at("the-first/index.html").find("This page has moved to") != std::string::npos);
}

TEST_CASE("redirect: neither an address in use nor an invalid one can be an alias") {
  CHECK(
      errors_of("[a-second, second]") ==
      "chapters/en/01-first.md:3:21: error: the alias \"second\" is the address of chapters/en/second.md "
      "[alias-taken]\n  aliases: [a-second, second]\n                      ^^^^^^\n1 error\n");
  CHECK(errors_of("[first]").find("\"first\" is this chapter's own address") != std::string::npos);
  CHECK(errors_of("[a, a]").find("\"a\" is already an alias of this chapter") != std::string::npos);
  CHECK(errors_of("[rules]").find("\"rules\" is an address of the page of rules") !=
        std::string::npos);
  for (const char* bad : {"[../x]", "[/x]", "[X]", "[\"a b\"]", "[x/]", "[\"\"]", "[_]"}) {
    INFO(bad);
    CHECK(errors_of(bad).find("[bad-value]") != std::string::npos);
  }
  auto files = with_aliases("[gone]");
  files["chapters/en/second.md"] = "---\ntitle: Second\naliases: [gone]\n---\nText.\n";
  CHECK(small_book::build(files).errors.find(
            "second.md:3:11: error: the alias \"gone\" is already an alias of "
            "chapters/en/01-first.md") != std::string::npos);
}
