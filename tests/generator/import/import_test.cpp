// A book of another tool becomes one that builds, and every loss is in the report.
#include "generator/tools/import/import.hpp"

#include "catch.hpp"
#include "generator/tools/import/loss.hpp"
#include "small_book.hpp"

namespace {

using Files = std::map<std::string, std::string>;

primer::ImportedBook import(const Files& old) {
  primer::Diagnostics diagnostics;
  auto book =
      primer::import_book(*primer::in_memory(old), "old", small_book::diagnose, {}, diagnostics);
  REQUIRE(book);
  INFO(book->files.at("IMPORTED.md"));
  CHECK(book->builds);
  return *book;
}

Files imported(const Files& old) { return import(old).files; }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string& report_of(const Files& files) { return files.at("IMPORTED.md"); }

Files mdbook(const std::string& chapter) {
  return {{"book.toml", "[book]\ntitle = \"Old book\"\n"},
          {"src/SUMMARY.md", "# Summary\n\n- [One](one.md)\n  - [Two](part/two.md)\n- [Draft]()\n"},
          {"src/one.md", chapter},
          {"src/part/two.md", "## Two\n\n### Deep {#deep-end}\n\nText.\n"},
          {"src/x.rs", "// ANCHOR: a\nlet a = 1;\n// ANCHOR_END: a\nlet b = 2;\n"},
          {"src/img/Dot.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"}};
}

std::string without_front_matter(const std::string& text) {
  return text.substr(text.find("\n---\n\n") + 6);
}

// The text of mdBook's first chapter, without front matter.
std::string one(const std::string& text) {
  return without_front_matter(imported(mdbook("# One\n\n" + text + '\n')).at("chapters/en/one.md"));
}

// Chapters of book.yaml.
std::string list_of(const Files& files) {
  const std::string& book = files.at("chapters/book.yaml");
  return book.substr(book.find("chapters:\n") + 10);
}

// The only chapter of a book that has one page of this tool.
std::string page(const Files& old) {
  const Files files = imported(old);
  for (const auto& [path, text] : files)
    if (path.starts_with("chapters/en/")) return without_front_matter(text);
  return {};
}

std::string hugo(const std::string& text) {
  return page({{"hugo.toml", "title = \"H\"\n"},
               {"content/one.md", "---\ntitle: One\n---\n" + text + '\n'},
               {"static/box.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"}});
}

std::string jekyll(const std::string& text) {
  return page({{"_config.yml", "title: J\n"},
               {"one.md", "---\ntitle: One\n---\n" + text + '\n'},
               {"box.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"}});
}

std::string myst(const std::string& text) {
  return page({{"myst.yml", "project:\n  toc:\n    - file: one.md\n"},
               {"one.md", "# One\n\n" + text + '\n'},
               {"box.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"}});
}

}  // namespace

TEST_CASE("import: mdBook's chapters, includes, links, headings") {
  CHECK(one("```rust,ignore\n# hidden\n{{#include x.rs:a}}\n```") == "```rust\nlet a = 1;\n```\n");
  CHECK(one("{{#include x.rs:4}}") == "let b = 2;\n");
  CHECK(one("[a](part/two.html#deep-end) [b](/two)") == "[a](two.md#deep) [b](two)\n");
  CHECK(one("[a][x]\n\n[x]: part/two.md") == "[a](two.md)\n");
  CHECK(one("![a](img/Dot.svg)") == "![a](../images/src/img/dot.svg)\n");
  CHECK(one("#### a\n\n## b\n\n#### [c](part/two.md)") == "## a\n\n## b\n\n### c\n");
}

TEST_CASE("import: HTML, formulas and attributes as Markdown") {
  CHECK(
      one("<b>a</b> <a href=\"part/two.md\">t</a> <kbd class=\"k\">K</kbd> <code>x&lt;y</code>") ==
      "**a** [t](two.md) <kbd>K</kbd> `x<y`\n");
  CHECK(one("<img alt=\"a > b\"\n src=\"img/Dot.svg\" style=\"x\"/>") ==
        "![a > b](../images/src/img/dot.svg)\n");
  CHECK(one("`<b>` and Vec<T>") == "`<b>` and Vec\\<T>\n");
  CHECK(one("$$a \\\\ b$$") == "```math\na \\\\ b\n```\n");
  CHECK(one("<code>Pin<&mut <em>T</em>></code>") == "`Pin<&mut T>`\n");
  CHECK(one("a<b>.b</b>c") == "a<wbr>**.b**<wbr>c\n");
  CHECK(one("<ul><li>a<li>b<ol><li>c</ol></ul>") == "- a\n- b\n  1. c\n");
  CHECK(one("<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>x|y</table>") ==
        "| a | b |\n|---|---|\n| 1 | 2 |\n| | x\\|y |\n");
  Files brackets = mdbook("# One\n\n\\\\(x_1\\\\) and $5 or $10\n");
  brackets["book.toml"] += "[output.html]\nmathjax-support = true\n";
  CHECK(without_front_matter(imported(brackets).at("chapters/en/one.md")) ==
        "$x_1$ and \\$5 or \\$10\n");
}

TEST_CASE("import: details, callouts with titles and anchors") {
  CHECK(one("<details>\n<summary>More</summary>\n\nA *word*.\n\n- b\n\n</details>") ==
        "> [!DEEPER] More\n> A *word*.\n>\n> - b\n");
  CHECK(one("> [!WARNING] Mind\n> the gap") == "> [!WARNING] Mind\n> the gap\n");
  CHECK(one("> [!tip]- Mind *it*\n> x") == "> [!TIP] Mind *it*\n> x\n");
  CHECK(one("> [!note]+\n> x") == "> [!NOTE]\n> x\n");
  CHECK(one("> [!EXAMPLE]\n> x") == "> [!NOTE] Example\n> x\n");
  CHECK(one("> [!NOTE]\n> x") == "> [!NOTE]\n> x\n");
  CHECK(one("```admonish tip title=\"T\"\nA *b*.\n```") == "> [!TIP] T\n> A *b*.\n");
  Files old = mdbook("# One\n\n<a id=\"there\"></a>\n\n## Here\n\n[x](#there)\n");
  const std::string text = imported(old).at("chapters/en/one.md");
  CHECK(contains(text, "  \"here\": {former: [\"there\"]}\n"));
  CHECK(contains(text, "## Here\n\n[x](#here)\n"));
}

TEST_CASE("import: titles, whatever precedes them") {
  const auto title = [](const std::string& text) {
    const std::string all = imported(mdbook(text)).at("chapters/en/one.md");
    return all.substr(all.find("title: ") + 7, all.find('\n', 5) - all.find("title: ") - 7);
  };
  CHECK(title("<!-- Copyright -->\n\n# Slices\n\nx\n") == "\"Slices\"");
  CHECK(title("Words\n\n# Slices\n\nx\n") == "\"Slices\"");
  CHECK(title("Setext\n======\n\nx\n") == "\"Setext\"");
  CHECK(title("# Using `if`\n") == "\"Using `if`\"");
  CHECK(title("Text only.\n") == "\"One\"");
  CHECK(one("## Why C#\n\n### The set {a, b}\n\n## Closed ##\n\nx") ==
        "## Why C#\n\n### The set {a, b}\n\n## Closed\n\nx\n");
  CHECK(one("```js``` at the start\n\n## Next") == "`js` at the start\n\n## Next\n");
}

TEST_CASE("import: a list of contents is read as Markdown, TOML and YAML") {
  const Files zh =
      imported({{"book.toml",
                 "[preprocessor.toc]\ntitle = \"WRONG\"\n[book]\n"
                 "title = \"Book\" # a comment\nlanguage = \"zh-CN\"\n"
                 "authors = [\"A\", \"B\"]\n"},
                {"src/SUMMARY.md",
                 "# Summary\n\n- [内存](内存.md)\n  - [缓存](缓存.md)\n    - [行](行.md)\n"
                 "- [Two words](<two words.md>)\n- [Percent](pct%20name.md)\n"
                 "- [Titled](titled.md \"tip\")\n- [Not yet]()\n"},
                {"src/内存.md", "# 内存\n"},
                {"src/缓存.md", "# 缓存\n"},
                {"src/行.md", "# 行\n"},
                {"src/two words.md", "# Two\n"},
                {"src/pct name.md", "# Percent\n"},
                {"src/titled.md", "# Titled\n"}});
  const std::string& book = zh.at("chapters/book.yaml");
  CHECK(book.starts_with("title: \"Book\"\nlanguage: zh-cn\nauthors: [\"A\", \"B\"]\n"));
  CHECK(list_of(zh) ==
        "  - slug: u5185-u5b58\n    number: 1\n    chapters:\n      - u7f13-u5b58\n"
        "      - u884c\n  - slug: two-words\n    number: 2\n  - slug: pct-name\n    number: 3\n"
        "  - slug: titled\n    number: 4\n");
  CHECK(zh.contains("chapters/zh-cn/u884c.md"));
  CHECK(contains(report_of(zh), "chapter on level 3: 行"));
  CHECK(contains(report_of(zh), "draft without a file in SUMMARY.md: Not yet"));
}

TEST_CASE("import: a listed file that is not taken is named and counted") {
  Files old = mdbook("# One\n");
  old["src/SUMMARY.md"] += "- [Gone](gone.md)\n";
  const auto book = import(old);
  CHECK(book.not_taken == 1);
  CHECK(book.chapters == 2);
  CHECK(contains(report_of(book.files), "| src/SUMMARY.md:6 | `` gone.md: the file is missing"));
}

TEST_CASE("import: Hugo's order, addresses and shortcodes") {
  const Files hugo_files = {
      {"config.yaml", "title: Old\n"},
      {"content/_index.md", "---\ntitle: Home\n---\n"},
      {"content/b/_index.md", "---\ntitle: B\nweight: 2\naliases: [/bee/]\n---\n"},
      {"content/b/x.md", "---\ntitle: X\ndraft: true\n---\n[a](../y) [b](/a)\n"},
      {"content/b/y.md", "+++\ntitle = \"Y\"\n+++\n{{< note >}}Text{{< /note >}}\n"},
      {"content/a.md", "---\ntitle: A\nweight: 1\n---\n"}};
  const Files made = imported(hugo_files);
  CHECK(list_of(made) ==
        "  - slug: index\n  - slug: a\n  - slug: b\n  - slug: x\n    draft: true\n  - slug: y\n");
  CHECK(made.at("chapters/en/b.md").starts_with("---\ntitle: \"B\"\naliases: [bee]\n---\n"));
  CHECK(contains(made.at("chapters/en/x.md"), "[a](y.md) [b](a.md)"));
  CHECK(contains(made.at("chapters/en/y.md"), "> [!NOTE]\n> Text\n"));
  CHECK(hugo("{{< highlight go >}}\nx := *a* # b\n{{< /highlight >}}") ==
        "```go\nx := *a* # b\n```\n");
  CHECK(hugo("{{< figure src=\"/box.svg\" caption=\"A **b**.\" >}}") ==
        "Figure fig-box: A **b**.\n\n![A b.](../images/static/box.svg)\n");
  CHECK(hugo("Use {{</* note */>}} so.") == "Use {{< note >}} so.\n");
  const auto lost = import({{"hugo.toml", "title = \"H\"\n"},
                            {"content/one.md", "Text {{< gone key=\"A word\" >}}.\n"},
                            {"content/two.org", "* Two\n"}});
  CHECK(contains(report_of(lost.files), "| content/one.md:1 | `` {{< gone key=\"A word\" >}} ``"));
  CHECK(lost.not_taken == 1);
}

TEST_CASE("import: all pages of Hugo, also with mounts") {
  const Files made =
      imported({{"hugo.toml",
                 "title=\"H\"\n[[module.mounts]]\n"
                 "source = \"content/en\"\ntarget = \"content\"\n"},
                {"content/en/docs/one.md", "[two](/docs/two/) [s](/second/)\n"},
                {"content/en/docs/two.md", "+++\naliases = [\"/second/\"]\n+++\nx\n"},
                {"content/en/b.markdown", "---\ntitle: B\n---\nB\n"},
                {"content/en/c.html", "---\ntitle: C\n---\n<p>C</p>\n"},
                {"content/en/d/index.md", "---\ntitle: D\n---\n"},
                {"content/en/d/extra.md", "---\ntitle: E\n---\n"}});
  CHECK(list_of(made) ==
        "  - slug: b\n  - slug: c\n  - slug: d\n  - slug: extra\n"
        "  - slug: one\n  - slug: two\n");
  CHECK(contains(made.at("chapters/en/one.md"), "[two](two.md) [s](two.md)"));
  CHECK(contains(made.at("chapters/en/two.md"), "aliases: [docs/two, second]"));
}

TEST_CASE("import: Jekyll's pages and tags, and a folder of Markdown") {
  const Files made = imported({{"_config.yml", "title: J # the title\nexclude:\n- README.md\n"},
                               {"README.md", "---\ntitle: No\n---\n"},
                               {"index.md", "---\ntitle: Start\n---\nFirst.\n"},
                               {"cache.md", "---\ntitle: The cache\n---\nSecond.\n"}});
  CHECK(made.at("chapters/book.yaml").starts_with("title: \"J\"\n"));
  CHECK(list_of(made) == "  - slug: cache\n  - slug: index\n");
  CHECK(jekyll("{% highlight ruby %}\na * b\n{% endhighlight %}") == "```ruby\na * b\n```\n");
  CHECK(jekyll("{% include figure.liquid path=\"box.svg\" caption=\"C\" %}") ==
        "Figure fig-box: C\n\n![C](../images/box.svg)\n");
  CHECK(jekyll("{% details More %}\n\nx\n\n{% enddetails %}") == "> [!DEEPER] More\n> x\n");
  CHECK(jekyll("A<d-footnote>Note.</d-footnote> b.") ==
        "A[^footnote-1] b.\n\n[^footnote-1]: Note.\n");
  CHECK(list_of(imported({{"b.md", "# B\n"}, {"README.md", "# A\n"}})) ==
        "  - slug: readme\n  - slug: b\n");
}

TEST_CASE("import: tabs of five tools") {
  const std::string tabs =
      "> [!TABS]\n>\n> - C++\n>\n>   ```cpp\n>   int x;\n>   ```\n>\n> - Rust\n>\n>   A *word*.\n";
  const std::string code = "```cpp\nint x;\n```\n", text = "\n\nA *word*.\n\n";
  const auto folder = [](const std::string& chapter) {
    return without_front_matter(
        imported({{"one.md", "# One\n\n" + chapter}}).at("chapters/en/one.md"));
  };
  CHECK(
      folder("=== \"C++\"\n\n    ```cpp\n    int x;\n    ```\n\n=== \"Rust\"\n\n    A *word*.\n") ==
      tabs);
  CHECK(folder("!!! warning \"Mind\"\n\n    The gap.\n\nAfter.\n") ==
        "> [!WARNING] Mind\n> The gap.\n\nAfter.\n");
  CHECK(folder("```text\n=== \"C++\"\n\n    x\n```\n") == "```text\n=== \"C++\"\n\n    x\n```\n");
  CHECK(folder("=== \"A\"\n\n    x\n") == "**A**\n\nx\n");
  CHECK(one("{{#tabs}}\n{{#tab name=\"C++\"}}\n" + code + "{{#endtab}}\n{{#tab name=\"Rust\"}}" +
            text + "{{#endtab}}\n{{#endtabs}}\n") == tabs);
  CHECK(myst("::::{tab-set}\n:::{tab-item} C++\n" + code + ":::\n:::{tab-item} Rust" + text +
             ":::\n::::\n") == tabs);
  CHECK(hugo("{{< tabs items=\"C++,Rust\" >}}\n{{< tab >}}\n" + code +
             "{{< /tab >}}\n{{< tab \"Rust\" >}}" + text + "{{< /tab >}}\n{{< /tabs >}}\n") ==
        tabs);
}

TEST_CASE("import: directives and roles of MyST") {
  CHECK(myst("```{note} Own *title*\nText $x$.\n```") == "> [!NOTE] Own *title*\n> Text $x$.\n");
  CHECK(
      myst(
          "```{code-cell} ipython3\n---\nmystnb:\n  figure:\n    caption: A plot\n---\nplot()\n```") ==
      "```python\nplot()\n```\n\n*A plot*\n");
  CHECK(myst(":::{warning}\nText.\n:::") == "> [!WARNING]\n> Text.\n");
  std::string deep;
  for (int i = 0; i < 70; ++i) deep += ":::{note}\n";
  CHECK(contains(myst(deep + "Text.\n"), "Text."));
  CHECK(myst("```{code-cell} ipython3\n:tags: [hide]\nprint(1)\n```") ==
        "```python\nprint(1)\n```\n");
  CHECK(myst("```{figure} box.svg\n:name: fig-box\n\nA *box*.\n```") ==
        "Figure fig-box: A *box*.\n\n![Box](../images/box.svg)\n");
  CHECK(myst("```{math}\n:label: eq\nx = 1\n```") == "```math eq-eq\nx = 1\n```\n");
  CHECK(myst("$$\nx\n$$ (sum)\n\n{eq}`sum`") == "```math eq-sum\nx\n```\n\n[Equation](#eq-sum)\n");
  CHECK(myst("% gone\n\n+++\n\n:::{note}\n:::{tip}\nIn\n:::\n:::") == "> [!NOTE]\n> In\n");
  CHECK(myst("```{list-table} S\n:header-rows: 1\n* - a\n  - b\n* - 1\n  - 2\n```") ==
        "Table tbl-s: S\n\n| a | b |\n|---|---|\n| 1 | 2 |\n");
  CHECK(myst("```{exercise-start} *Own* title\n:label: x\n```\n\nText.") ==
        "**\\*Own\\* title**\n\nText.\n");
  CHECK_FALSE(contains(
      report_of(
          imported({{"myst.yml", "project:\n  toc:\n    - file: one.md\n"},
                    {"one.md", "# One\n\n```{tip}\nSee {doc}`two <one>` and {eq}`x`.\n```\n"}})),
      "Not in the new book"));
  CHECK(myst("(here)=\n## A\n\n{ref}`text <here>` {math}`x`") == "## A\n\n[text](#a) $x$\n");
}

TEST_CASE("import: addresses are no tags, and braces no attributes") {
  CHECK(one("<mark@example.com>, <a@example.com>") == "<mark@example.com>, <a@example.com>\n");
  CHECK(one("The set {#abc is open\n\nA PARAGRAPH.\n\nuntil } here, f(x){y = 2}.") ==
        "The set {#abc is open\n\nA PARAGRAPH.\n\nuntil } here, f(x){y = 2}.\n");
}

TEST_CASE("import: includes preserve the surrounding text, and terminate") {
  Files old = mdbook(
      "# One\n\nBEFORE {{#include x.rs:no}} AFTER.\n\nA {{#title X}} B.\n\n"
      "Write \\{{#include y}}.\n\nThis {{#include gone.rs}} is missing.\n\n"
      "{{#include x.rs:4}} {{#include x.rs:4}}\n");
  const auto book = import(old);
  CHECK(without_front_matter(book.files.at("chapters/en/one.md")) ==
        "BEFORE  AFTER.\n\nA  B.\n\nWrite \\{{#include y}}.\n\n"
        "This {{#include gone.rs}} is missing.\n\nlet b = 2; let b = 2;\n");
  CHECK(contains(report_of(book.files), "| src/one.md:3 | `` {{#include x.rs:no}}"));
  CHECK(contains(report_of(book.files), "| src/one.md:9 | `` {{#include gone.rs}}"));
  const std::string again(4, ' ');
  Files bomb = mdbook("# One\n{{#include one.md}}\n{{#include one.md}}\n");
  CHECK(contains(report_of(imported(bomb)), "src/one.md:3 | `` {{#include one.md}}"));
  Files deep = mdbook("# One\n\n{{#include a.md}}\n");
  for (char c = 'a'; c < 'z'; ++c) {
    const std::string next = "{{#include " + std::string(1, static_cast<char>(c + 1)) + ".md}}\n";
    deep["src/" + std::string(1, c) + ".md"] = next + next;
  }
  CHECK(contains(report_of(imported(deep)), "too many files include each other"));
}

TEST_CASE("import: HTML that is nested too deeply") {
  std::string deep;
  for (int i = 0; i < 20'000; ++i) deep += "<blockquote>";
  const std::string text = one(deep + "word");
  CHECK(contains(text, "word\n"));
  CHECK(text.size() < 200);
}

TEST_CASE("import: old addresses") {
  Files old = mdbook("# One\n");
  old["book.toml"] += "[output.html.redirect]\n\"/a/old.html\" = \"../part/two.html\"\n";
  const Files made = imported(old);
  CHECK(contains(made.at("chapters/en/two.md"), "aliases: [part/two.html, a/old.html]\n"));
  CHECK(contains(made.at("chapters/en/one.md"), "aliases: [one.html]\n"));
}

TEST_CASE("import: parts, sub-pages and numbers of mdBook") {
  Files old = mdbook("# One\n");
  for (const char* name : {"pre", "three", "end"})
    old["src/" + std::string(name) + ".md"] = "# " + std::string(name) + '\n';
  old["src/SUMMARY.md"] =
      "# Summary\n\n[Before](pre.md)\n\n# Basics\n\n- [One](one.md)\n    - [Two](part/two.md)\n"
      "- [Three](three.md)\n\n-----\n\n[End](end.md)\n";
  CHECK(list_of(imported(old)) ==
        "  - slug: pre\n  - part: \"Basics\"\n  - slug: one\n    number: 1\n    chapters:\n"
        "      - two\n  - slug: three\n    number: 2\n  - slug: end\n");
}

TEST_CASE("import: images of other sites are links, and front matter is read whatever its form") {
  CHECK(one("![a](https://x.org/a.png) <img alt=\"b\" src=\"//x.org/b.png\">") ==
        "[a](https://x.org/a.png) [b](https://x.org/b.png)\n");
  const auto titled = [](const std::string& front) {
    const Files made =
        imported({{"config.yaml", "title: Old\n"}, {"content/a.md", front + "Text.\n"}});
    const std::string& text = made.at("chapters/en/a.md");
    return text.substr(4, text.find("\n---") - 4);
  };
  CHECK(titled("---\ntitle: >-\n  A long\n  title\nmenu:\n  main:\n    title: no\n---\n") ==
        "title: \"A long title\"");
  CHECK(titled("---\ntitle: \"Say \\\"hi\\\" now\"\n---\n") == "title: \"Say \\\"hi\\\" now\"");
  CHECK(titled("+++\ntitle = \"T\"\naliases = [\n  \"/x\",\n  \"/y/\"\n]\n[params]\ntitle = "
               "\"no\"\n+++\n") == "title: \"T\"\naliases: [x, y]");
  CHECK(titled("{\n\"title\": \"J\"\n}\n") == "title: \"J\"");
}

TEST_CASE("import: what the book refuses is repaired, and the rest is a warning") {
  const auto book = import(mdbook(
      "# One\n\n[`crates.io`](https://github.com/rust-lang/crates.io) `x = 1; // \u26A0\uFE0F`\n\n"
      "[gone](../../../x.html) ![](no.png)\n\n[^none] {ref}`x` [@Who_1]\n\n```haskell\nx\n```\n\n"
      "```figure\nx\n```\n"));
  const std::string text = without_front_matter(book.files.at("chapters/en/one.md"));
  CHECK(
      contains(text, "`crates.io` (`https://github.com/rust-lang/crates.io`) `x = 1; // \u26A0`"));
  CHECK(contains(text, "```text\nx\n```"));
  CHECK(contains(book.files.at("chapters/book.yaml"), "severity:\n"));
  const auto built = small_book::build(book.files);
  INFO(built.errors);
  REQUIRE(built.site.contains("one/index.html"));
  for (const char* word : {"gone", "[^none]", "{ref}", "haskell", "[@who-1]"}) {
    INFO(word);
    const bool shown =
        std::string(word) == "haskell" || contains(built.site.at("one/index.html"), word);
    CHECK(shown);
  }
  CHECK(!contains(imported(mdbook("# One\n\nPlain.\n")).at("chapters/book.yaml"), "severity"));
}

TEST_CASE("import: the loss check names words, code, formulas, images and links with their lines") {
  const auto losses = [](const std::string& old, const std::string& now) {
    primer::ImportReport report;
    primer::report_losses("a.md", primer::old_lines(old, 1), "", primer::Tool::folder, now, report);
    const std::string text = report.markdown();
    std::string places;
    for (auto at = text.find("| a.md"); at != text.npos; at = text.find("| a.md", at + 1))
      places += text.substr(at + 2, text.find(" |\n", at) - at - 2) + '\n';
    return places;
  };
  CHECK(losses("One two.\n\nThree **four**five.\n", "One two.\n\nThree fourfive.\n").empty());
  CHECK(losses("a b\n\nc lost words d\n", "a b c d\n") == "a.md:3 | `` lost words ``\n");
  // For a word that occurs twice and then once, the place whose neighbors are also missing.
  CHECK(losses("the cat\n\nthe dog\n", "the dog\n") == "a.md:1 | `` the cat ``\n");
  CHECK(losses("```c\nint a;\nint b;\n```\n", "```c\nint a;\n```\n") == "a.md:3 | `` int b; ``\n");
  CHECK(losses("| a | b |\n|---|---|\n| 1 | 2 |\n", "| a | b |\n|---|---|\n| 1 | |\n") ==
        "a.md:3 | `` 2 ``\n");
  CHECK(losses("x $a^2$ y\n", "x y\n") == "a.md:1 | `` a^2 ``\n");
  CHECK(losses("![x](d/a.png)\n", "x\n") == "a.md:1 | `` d/a.png ``\n");
  CHECK(losses("[x](https://a.org)\n", "x\n") == "a.md:1 | `` https://a.org ``\n");
  CHECK(losses("<p title=\"t\">words</p>\n", "words\n") == "a.md:1 | `` t ``\n");
}

TEST_CASE("import: a directory without a book says what one holds") {
  primer::Diagnostics diagnostics;
  CHECK(!primer::import_book(*primer::in_memory({{"a.txt", "a"}}), "old", {}, {}, diagnostics));
  CHECK(diagnostics.has_errors());
}

TEST_CASE("import: lost works and years are reported with the lines of their works") {
  const auto files =
      imported({{"myst.yml", "project:\n  bibliography: [refs.bib]\n  toc:\n    - file: one.md\n"},
                {"one.md", "# One\n\nText.\n"},
                {"refs.bib",
                 "@book{a, title={A}}\n"
                 "@book{b, title={B}, year={in press}, url={https://b.example.com}}\n"}});
  CHECK(contains(report_of(files), "| refs.bib:1 | `` work a: it has no address"));
  CHECK(contains(report_of(files), "| refs.bib:2 | `` work b: its year is left out"));
}
