// No two figures, tables or equations of a book have the same number, whichever chapters are
// numbered.
#include <set>

#include "catch.hpp"
#include "small_book.hpp"

namespace {

constexpr const char* numbered_body =
    "```math eq-x\na = b\n```\n\nTable tbl-a: T.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    "[Equation](#eq-x) [Table](#tbl-a)\n";

// The chapters and pages of this list, each with an equation and a table.
small_book::Files book_with_list(const std::string& yaml, const std::vector<std::string>& slugs) {
  auto files = small_book::with("");
  std::erase_if(files, [](const auto& file) { return file.first.starts_with("chapters/en/"); });
  files["site/templates/page.mustache"] = "{{#label}}<b>{{label}}</b>{{/label}}{{{body}}}";
  files["chapters/book.yaml"] = "title: N\n" + yaml;
  for (const auto& slug : slugs)
    files["chapters/en/" + slug + ".md"] = "---\ntitle: " + slug + "\n---\n" + numbered_body;
  return files;
}

struct Numbers {
  std::string errors, labels;
  std::map<std::string, std::string> equations, tables;  // by slug
};

std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const auto at = text.find(before);
  if (at == text.npos) return {};
  const auto from = at + before.size();
  return text.substr(from, text.find(after, from) - from);
}

Numbers numbers_in(const small_book::Files& files) {
  const auto built = small_book::build(files);
  Numbers found{built.errors, {}, {}, {}};
  for (const auto& [path, page] : built.site) {
    const std::string equation = between(page, ">Equation ", "<");
    if (equation.empty()) continue;
    const std::string slug = path.substr(0, path.rfind('/'));
    found.equations[slug] = equation;
    found.tables[slug] = between(page, ">Table ", "<");
    found.labels += between(page, "<b>", "</b>");
  }
  return found;
}

using BySlug = std::map<std::string, std::string>;

}  // namespace

TEST_CASE("numbers: without numbered chapters, numbers run through the whole book") {
  for (const std::string numbering : {"", "numbering: none\n"}) {
    INFO(numbering);
    const auto found = numbers_in(book_with_list(
        numbering + "chapters: [alpha, {slug: apex, chapters: [sub]}]\npages: [about]\n",
        {"alpha", "apex", "sub", "pages/about"}));
    CHECK(found.errors == "");
    CHECK(found.equations == BySlug{{"alpha", "1"}, {"apex", "2"}, {"sub", "3"}, {"about", "4"}});
    CHECK(found.tables == found.equations);
    CHECK(found.labels == "");
  }
}

TEST_CASE("numbers: appendices keep their letters where no chapter has a number") {
  const auto found = numbers_in(book_with_list(
      "chapters: [alpha, apex, {part: P, appendices: true}, beta, {slug: b, chapters: [c]}]\n",
      {"alpha", "apex", "beta", "b", "c"}));
  CHECK(found.errors == "");
  CHECK(found.equations ==
        BySlug{{"alpha", "1"}, {"apex", "2"}, {"beta", "A.1"}, {"b", "B.1"}, {"c", "B.1.1"}});
  CHECK_THAT(found.labels, !Catch::Contains("Between"));
}

TEST_CASE("numbers: an unnumbered chapter among others has the shortest label that is free") {
  const auto found = numbers_in(book_with_list(
      "chapters: [{slug: one, number: 1}, interlude, intermezzo, in, {part: P, appendices: true}, tables, a]\n"
      "pages: [about, aa, one-more]\n",
      {"one", "interlude", "intermezzo", "in", "tables", "a", "pages/about", "pages/aa",
       "pages/one-more"}));
  CHECK(found.errors == "");
  CHECK(found.equations == BySlug{{"one", "1.1"},
                                  {"interlude", "I.1"},
                                  {"intermezzo", "In.1"},
                                  {"in", "In2.1"},
                                  {"tables", "A.1"},
                                  {"a", "B.1"},
                                  {"about", "Ab.1"},
                                  {"aa", "Aa.1"},
                                  {"one-more", "O.1"}});
  CHECK(found.tables == found.equations);
  CHECK_THAT(found.labels, Catch::Contains("Between the chapters"));
}

TEST_CASE("numbers: two chapters with one number are an error") {
  const auto errors = [](const std::string& list) {
    return numbers_in(book_with_list("chapters:\n" + list, {"one", "two", "three"})).errors;
  };
  CHECK(errors("  - {slug: one, number: 1}\n  - {slug: two, number: 1}\n  - three\n") ==
        "chapters/book.yaml:4:25: error: duplicate chapter number 1 [duplicate-id]\n"
        "    - {slug: two, number: 1}\n                          ^\n"
        "  note: first used at chapters/book.yaml:3\n1 error\n");
  CHECK(
      errors("  - {slug: one, number: 1, draft: true}\n  - {slug: two, number: 1}\n  - three\n") ==
      "");
}

TEST_CASE("numbers: a translation has those of its original") {
  auto files = book_with_list("language: en\nlanguages: [en, es]\nchapters: [alpha, apex]\n",
                              {"alpha", "apex"});
  files["site/locales/es.json"] = R"({"English": "Español"})";
  files["chapters/es/apex.md"] = std::string("---\ntitle: Es\n---\n") + numbered_body;
  const auto built = small_book::build(files);
  CHECK_THAT(built.errors, !Catch::Contains("error"));
  const auto& site = built.site;
  REQUIRE(site.contains("es/apex/index.html"));
  CHECK_THAT(site.at("es/apex/index.html"),
             Catch::Contains(">(2)</span>") && Catch::Contains(">Table 2</a>"));
  CHECK_THAT(site.at("es/alpha/index.html"), Catch::Contains(">(1)</span>"));
}
