// A book of another tool becomes one that builds whole, and loses no word.
#include "generator/tools/import/import.hpp"

#include "catch.hpp"
#include "small_book.hpp"

namespace {

using Files = std::map<std::string, std::string>;

Files imported(const Files& old) {
  primer::Diagnostics diagnostics;
  const auto book = primer::import_book(*primer::in_memory(old), "old", diagnostics);
  REQUIRE(book);
  return book->files;
}

Files mdbook(const std::string& chapter) {
  return {{"book.toml", "[book]\ntitle = \"Old book\"\n"},
          {"src/SUMMARY.md", "# Summary\n\n- [One](one.md)\n  - [Two](part/two.md)\n- [Draft]()\n"},
          {"src/one.md", chapter},
          {"src/part/two.md", "## Two\n\n### Deep {#deep-end}\n\nText.\n"},
          {"src/x.rs", "// ANCHOR: a\nlet a = 1;\n// ANCHOR_END: a\nlet b = 2;\n"},
          {"src/img/Dot.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"}};
}

// The text of mdBook's first chapter, without front matter.
std::string one(const std::string& text) {
  const std::string all = imported(mdbook("# One\n\n" + text + '\n')).at("chapters/en/one.md");
  const auto end = all.find("---\n\n") + 5;
  return all.substr(all.find_first_not_of('\n', end));
}

}  // namespace

TEST_CASE("import: mdBook's chapters, includes, links, headings") {
  CHECK(one("```rust,ignore\n# hidden\n{{#include x.rs:a}}\n```") == "```rust\nlet a = 1;\n```\n");
  CHECK(one("{{#include x.rs:4}}") == "let b = 2;\n");
  CHECK(one("[a](part/two.html#deep-end) [b](/two)") == "[a](two.md#deep) [b](two)\n");
  CHECK(one("[a]: part/two.md") == "[a]: two.md\n");
  CHECK(one("![a](img/Dot.svg)") == "![a](../images/src/img/dot.svg)\n");
  CHECK(one("#### a\n\n## b\n\n#### [c](x.md)") == "## a\n\n## b\n\n### c\n");
}

TEST_CASE("import: HTML, formulas and attributes as Markdown") {
  CHECK(
      one("<b>a</b> <a href=\"part/two.md\">t</a> <kbd class=\"k\">K</kbd> <code>x&lt;y</code>") ==
      "**a** [t](two.md) <kbd>K</kbd> `x<y`\n");
  CHECK(one("<img alt=\"a > b\"\n src=\"img/Dot.svg\" style=\"x\"/>") ==
        "![a > b](../images/src/img/dot.svg)\n");
  CHECK(one("`<b>` and Vec<T>") == "`<b>` and Vec\\<T>\n");
  CHECK(one("$$a \\\\ b$$") == "```math\na \\\\ b\n```\n");
  CHECK(one("\\\\(x\\\\) and $5 or $10") == "$`x`$ and $5 or $10\n");
  CHECK(one("::: {.callout-note}\nText.\n:::") == "> [!NOTE]\n> Text.\n\n");
  CHECK(one("<code>Pin<&mut <em>T</em>></code>") == "`Pin<&mut T>`\n");
  CHECK(one("Table B-1: Words") == "**Table B-1:** Words\n");
}

TEST_CASE("import: Hugo's order, addresses and shortcodes, and the others' lists") {
  const Files hugo = {
      {"config.yaml", "title: Old\n"},
      {"content/_index.md", "---\ntitle: Home\n---\n"},
      {"content/b/_index.md", "---\ntitle: B\nweight: 2\naliases: [/bee/]\n---\n"},
      {"content/b/x.md", "---\ntitle: X\ndraft: true\n---\n[a](../y) [b](/a)\n"},
      {"content/b/y.md", "+++\ntitle = \"Y\"\n+++\n{{< note >}}Text{{< /note >}}\n"},
      {"content/a.md", "---\ntitle: A\nweight: 1\n---\n"}};
  const Files made = imported(hugo);
  const std::string& book = made.at("chapters/book.yaml");
  CHECK(
      book.substr(book.find("chapters:")) ==
      "chapters:\n  - slug: index\n  - slug: a\n  - slug: b\n  - {slug: x, draft: true}\n  - slug: y\n");
  CHECK(made.at("chapters/en/b.md").starts_with("---\ntitle: \"B\"\naliases: [bee]\n---\n"));
  CHECK(made.at("chapters/en/x.md").find("[a](y.md) [b](a.md)") != std::string::npos);
  CHECK(made.at("chapters/en/y.md").find("\nText\n") != std::string::npos);
  CHECK(made.at("IMPORTED.md").find("| shortcode note | 1 |") != std::string::npos);
  CHECK(imported({{"_quarto.yml", "book:\n  chapters:\n    - index.qmd\n"},
                  {"index.qmd", "# Q\n\nText.\n"}})
            .contains("chapters/en/index.md"));
  CHECK(imported({{"_config.yml", "title: J\n"}, {"post.md", "---\ntitle: P\n---\nText.\n"}})
            .contains("chapters/en/post.md"));
  CHECK(imported({{"myst.yml", "project:\n  toc:\n    - file: a.md\n"}, {"a.md", "# A\n"}})
            .contains("chapters/en/a.md"));
}

TEST_CASE("import: parts, sub-pages, appendices and numbers of lists of contents") {
  Files old = mdbook("# One\n");
  for (const char* name : {"pre", "three", "end"})
    old["src/" + std::string(name) + ".md"] = "# " + std::string(name) + '\n';
  old["src/SUMMARY.md"] =
      "# Summary\n\n[Before](pre.md)\n\n# Basics\n\n- [One](one.md)\n    - [Two](part/two.md)\n"
      "- [Three](three.md)\n\n-----\n\n[End](end.md)\n";
  const auto list = [](const Files& files) {
    const std::string& book = files.at("chapters/book.yaml");
    return book.substr(book.find("chapters:\n") + 10);
  };
  const Files made = imported(old);
  CHECK(list(made) ==
        "  - slug: pre\n  - part: \"Basics\"\n  - slug: one\n    number: 1\n    chapters:\n"
        "      - two\n  - slug: three\n    number: 2\n  - slug: end\n");
  const auto built = small_book::build(made);
  INFO(built.errors);
  CHECK(built.site.contains("two/index.html"));
  const Files quarto = imported({{"_quarto.yml",
                                  "book:\n  chapters:\n    - index.qmd\n    - part: \"Deep\"\n"
                                  "      chapters:\n        - a.qmd\n  appendices:\n    - b.qmd\n"},
                                 {"index.qmd", "# Q\n"},
                                 {"a.qmd", "# A\n"},
                                 {"b.qmd", "# B\n"}});
  CHECK(list(quarto) ==
        "  - slug: index\n  - part: \"Deep\"\n  - slug: a\n"
        "  - part: \"Appendices\"\n    appendices: true\n  - slug: b\n");
}

TEST_CASE("import: images of other sites are links, and front matter is read whatever its form") {
  CHECK(one("![a](https://x.org/a.png) <img alt=\"b\" src=\"//x.org/b.png\">") ==
        "[a](<https://x.org/a.png>) [b](<https://x.org/b.png>)\n");
  CHECK(one("[![a](https://x.org/a.png)](part/two.md)") == "[a](two.md)\n");
  const auto titled = [](const std::string& front) {
    const Files made =
        imported({{"config.yaml", "title: Old\n"}, {"content/a.md", front + "Text.\n"}});
    const std::string& text = made.at("chapters/en/a.md");
    return text.substr(4, text.find("\n---") - 4);
  };
  CHECK(titled("---\ntitle: >-\n  A long\n  title\nmenu:\n  main:\n    title: no\n---\n") ==
        "title: \"A long title\"");
  CHECK(titled("+++\ntitle = \"T\"\naliases = [\n  \"/x\",\n  \"/y/\"\n]\n[params]\ntitle = "
               "\"no\"\n+++\n") == "title: \"T\"\naliases: [x, y]");
}

TEST_CASE("import: what is imported builds, whatever is wrong with it") {
  Files files = imported(mdbook(
      "# One\n\n<table><tr><td>cell</td></tr></table>\n\n[gone](../../../x.html) ![](no.png)\n\n"
      "[^none] {ref}`x`\n\n```haskell\nx\n```\n\n> [!ODD]\n> quote\n"));
  const auto built = small_book::build(files);
  INFO(built.errors);
  REQUIRE(built.site.contains("one/index.html"));
  for (const char* word : {"cell", "gone", "[^none]", "{ref}", "haskell", "quote"}) {
    INFO(word);
    const bool shown = std::string(word) == "haskell" ||
                       built.site.at("one/index.html").find(word) != std::string::npos;
    CHECK(shown);
  }
}

TEST_CASE("import: a directory without a book says what one holds") {
  primer::Diagnostics diagnostics;
  CHECK(!primer::import_book(*primer::in_memory({{"a.md", "a"}}), "old", diagnostics));
  CHECK(diagnostics.has_errors());
}
