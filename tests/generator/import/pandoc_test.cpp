// Chapters that Pandoc reads, from stored JSON of Pandoc 2.17 and, for figures, 3.1.
#include "generator/tools/import/pandoc.hpp"

#include "catch.hpp"
#include "generator/tools/import/import.hpp"
#include "small_book.hpp"

namespace {

using Files = std::map<std::string, std::string>;

constexpr const char* quarto =
    R"json([{"t":"Header","c":[1,["sec-one",[],[]],[{"t":"Str","c":"One"}]]},
{"t":"Para","c":[{"t":"Str","c":"See"},{"t":"Space"},
{"t":"Cite","c":[[{"citationId":"sec-one","citationPrefix":[],"citationSuffix":[],
"citationMode":{"t":"AuthorInText"},"citationNoteNum":1,"citationHash":0}],
[{"t":"Str","c":"@sec-one"}]]},{"t":"Str","c":","},{"t":"Space"},
{"t":"Cite","c":[[{"citationId":"fig-p","citationPrefix":[],"citationSuffix":[],
"citationMode":{"t":"AuthorInText"},"citationNoteNum":2,"citationHash":0}],
[{"t":"Str","c":"@fig-p"}]]},{"t":"Str","c":","},{"t":"Space"},
{"t":"Cite","c":[[{"citationId":"eq-a","citationPrefix":[],"citationSuffix":[],
"citationMode":{"t":"AuthorInText"},"citationNoteNum":3,"citationHash":0}],
[{"t":"Str","c":"@eq-a"}]]},{"t":"Str","c":","},{"t":"Space"},
{"t":"Cite","c":[[{"citationId":"key84","citationPrefix":[],
"citationSuffix":[{"t":"Str","c":","},{"t":"Space"},{"t":"Str","c":"p. 3"}],
"citationMode":{"t":"NormalCitation"},"citationNoteNum":4,"citationHash":0}],
[{"t":"Str","c":"[@key84,"},{"t":"Space"},{"t":"Str","c":"p."},{"t":"Space"},
{"t":"Str","c":"3]"}]]},{"t":"Space"},{"t":"Str","c":"and"},{"t":"Space"},
{"t":"Str","c":"@ref(tab:y)."}]},{"t":"Para","c":[{"t":"Image","c":[["fig-p",[],
[["width","50%"]]],[{"t":"Str","c":"A"},{"t":"Space"},
{"t":"Emph","c":[{"t":"Str","c":"box"}]}],["box.svg","fig:"]]}]},
{"t":"Div","c":[["",["callout-tip"],[["title","Own"]]],
[{"t":"Para","c":[{"t":"Str","c":"Body"},
{"t":"Note","c":[{"t":"Para","c":[{"t":"Str","c":"A"},{"t":"Space"},
{"t":"Str","c":"note."}]}]},{"t":"Str","c":"."}]}]]},
{"t":"Div","c":[["",["content-visible"],[["when-format","pdf"]]],
[{"t":"Para","c":[{"t":"Str","c":"PDF"}]}]]},{"t":"CodeBlock","c":[["",[],
[["cell","{r plot, fig.cap='A plot', echo=FALSE}"]]],"plot(1)"]},
{"t":"Para","c":[{"t":"Math","c":[{"t":"DisplayMath"},"x = 1"]},{"t":"Space"},
{"t":"Str","c":"{#eq-a}"}]},{"t":"Table","c":[["",[],[]],
[null,[{"t":"Plain","c":[{"t":"Str","c":"Sizes"},{"t":"Space"},
{"t":"Str","c":"{#tbl-y}"}]}]],[[{"t":"AlignRight"},{"t":"ColWidthDefault"}],
[{"t":"AlignDefault"},{"t":"ColWidthDefault"}]],[["",[],[]],[[["",[],[]],[[["",[],[]],
{"t":"AlignDefault"},1,1,[{"t":"Plain","c":[{"t":"Str","c":"a"}]}]],[["",[],[]],
{"t":"AlignDefault"},1,1,[{"t":"Plain","c":[{"t":"Str","c":"b"}]}]]]]]],[[["",[],[]],0,[],
[[["",[],[]],[[["",[],[]],{"t":"AlignDefault"},
1,1,[{"t":"Plain","c":[{"t":"Str","c":"1"}]}]],[["",[],[]],{"t":"AlignDefault"},
1,1,[{"t":"Plain","c":[{"t":"Emph","c":[{"t":"Str","c":"2"}]}]}]]]]]]],[["",[],[]],[]]]},
{"t":"BulletList","c":[[{"t":"Plain","c":[{"t":"Str","c":"☒"},{"t":"Space"},
{"t":"Str","c":"done"}]}]]}])json";

// The requests to Pandoc, and its answers.
struct FakePandoc {
  std::string blocks, error = {}, log = {};
  std::map<std::string, std::string> media = {};
  std::vector<std::string> formats = {}, texts = {};

  primer::Pandoc run() {
    return [this](const std::string& from, const std::string& to, const std::string& text) {
      formats.push_back(from + " " + to);
      texts.push_back(text);
      return primer::PandocOutput{"{\"blocks\":" + blocks + "}", log, media, error};
    };
  }
};

primer::ImportedBook import(const Files& old, FakePandoc& pandoc) {
  primer::Diagnostics diagnostics;
  auto book = primer::import_book(*primer::in_memory(old), "old", small_book::diagnose,
                                  pandoc.run(), diagnostics);
  REQUIRE(book);
  return *book;
}

constexpr const char* box = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";

std::string chapter_of(const primer::ImportedBook& book, const std::string& name = "one") {
  const std::string& text = book.files.at("chapters/en/" + name + ".md");
  return text.substr(text.find("\n---\n\n") + 6);
}

std::string paragraph(const std::string& inlines) {
  return R"({"t":"Para","c":[)" + inlines + "]}";
}
std::string str(const std::string& text) { return R"({"t":"Str","c":")" + text + "\"}"; }

// The chapter of a Quarto book if Pandoc returns these blocks.
std::string from_blocks(const std::string& blocks) {
  FakePandoc pandoc{"[" + blocks + "]"};
  return chapter_of(import(
      {{"_quarto.yml", "book:\n  chapters: [one.qmd]\n"}, {"one.qmd", "# One\n"}, {"box.svg", box}},
      pandoc));
}

bool has_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("import: Pandoc's tree as the book's Markdown") {
  FakePandoc pandoc{quarto};
  const auto book = import({{"_quarto.yml", "book:\n  chapters: [one.qmd]\n"},
                            {"one.qmd", "# One {#sec-one}\n\n```{r a \"b\"}\nx\n```\n"},
                            {"box.svg", box}},
                           pandoc);
  CHECK(chapter_of(book) ==
        "See [One](one.md), [Figure](#fig-p), [Equation](#eq-a), [@key84], p.\u00A03 and "
        "[Table](#tbl-y).\n\n"
        "Figure fig-p width=50%: A *box*\n\n![A box](../images/box.svg)\n\n"
        "> [!TIP] Own\n> Body[^note-1].\n\n"
        "*A plot*\n\n"
        "```math eq-a\nx = 1\n```\n\n"
        "Table tbl-y: Sizes\n\n| a | b |\n|--:|---|\n| 1 | *2* |\n\n"
        "- [x] done\n\n[^note-1]: A note.\n");
  CHECK(pandoc.formats == std::vector<std::string>{"markdown json"});
  // Pandoc does not read a cell as a fence, so its header becomes an attribute.
  CHECK(has_text(pandoc.texts[0], "``` {cell=\"{r a \\\"b\\\"}\"}\nx\n```\n"));
  CHECK(has_text(book.files.at("IMPORTED.md"), "text for another format:  PDF"));
}

TEST_CASE("import: a figure of Pandoc 3, and other blocks and inlines") {
  CHECK(from_blocks(R"({"t":"Figure","c":[["fig-x",[],[]],[null,[{"t":"Plain","c":[)" + str("Cap") +
                    R"(]}]],[{"t":"Plain","c":[{"t":"Image","c":[["",[],[]],[)" + str("alt") +
                    R"(],["box.svg",""]]}]}]]})") ==
        "Figure fig-x: Cap\n\n![alt](../images/box.svg)\n");
  CHECK(from_blocks(paragraph(R"({"t":"Strong","c":[{"t":"Str","c":"s"}]},)" + str("tructured"))) ==
        "**s**tructured\n");
  CHECK(from_blocks(paragraph(R"({"t":"Quoted","c":[{"t":"DoubleQuote"},[)" + str("a * b") +
                              R"(]]},{"t":"Subscript","c":[{"t":"Str","c":"2"}]})")) ==
        "\"a \\* b\"<sub>2</sub>\n");
  CHECK(from_blocks(R"({"t":"RawBlock","c":["tex","\\begin{align*}\na &= b\n\\end{align*}"]})") ==
        "```math\n\\begin{aligned}\na &= b\n\\end{aligned}\n```\n");
  CHECK(
      from_blocks(paragraph(str("Figure\u00A0") +
                            R"(,{"t":"Link","c":[["",[],[["reference-type","ref"],)"
                            R"(["reference","fig:x"]]],[{"t":"Str","c":"1"}],["#fig:x",""]]})")) ==
      "[#fig:x](#fig:x)\n");
  CHECK(from_blocks(R"({"t":"Div","c":[["",["note"],[]],[{"t":"Div","c":[["",["title"],[]],[)" +
                    paragraph(str("Note")) + "]]}," + paragraph(str("Text")) + "]]}") ==
        "> [!NOTE]\n> Text\n");
  const auto heading = [](const std::string& words) {
    return R"({"t":"Header","c":[2,["",[],[]],[)" + str(words) + "]]}";
  };
  CHECK(from_blocks(R"({"t":"Div","c":[["",["panel-tabset"],[]],[)" + heading("R") + ',' +
                    paragraph(str("One")) + ',' + heading("Python") + ',' + paragraph(str("Two")) +
                    "]]}") == "> [!TABS]\n>\n> - R\n>\n>   One\n>\n> - Python\n>\n>   Two\n");
}

TEST_CASE("import: cells of notebooks, with the best form of each output") {
  FakePandoc pandoc{
      R"json([{"t":"Div","c":[["",["cell","markdown"],[]],[{"t":"RawBlock","c":["markdown",
"# Counting\n\n{ref}`a <b>` ![x](attachment:a.png)"]}]]},
{"t":"Div","c":[["",["cell","code"],[]],[{"t":"CodeBlock","c":[["",["python"],[]],"f()"]},
{"t":"Div","c":[["",["output","display_data"],[]],[{"t":"CodeBlock","c":[["",[],[]],"<fig>"]},
{"t":"Para","c":[{"t":"Image","c":[["",[],[]],[],["/m/b.png",""]]}]}]]}]]},
{"t":"Div","c":[["",["cell","code"],[["tags","[\"remove-cell\"]"]]],
[{"t":"CodeBlock","c":[["",["python"],[]],"hidden()"]}]]}])json"};
  pandoc.media = {{"/m/a.png", "A"}, {"/m/b.png", "B"}};
  const auto book = import(
      {{"myst.yml", "project:\n  toc:\n    - file: one.ipynb\n"}, {"one.ipynb", "{}"}}, pandoc);
  CHECK(pandoc.formats[0] == "ipynb+raw_markdown json");
  const std::string text = chapter_of(book);
  CHECK(has_text(text, "![x](../images/one-a.png)"));
  CHECK(has_text(text, "```python\nf()\n```\n\n![Output of the code](../images/one-b.png)\n"));
  CHECK(!has_text(text, "hidden"));
}

TEST_CASE("import: LaTeX's files in the order of the main file, with its macros") {
  FakePandoc pandoc{"[" + paragraph(str("Words")) + "]"};
  const auto book = import(
      {{"main.tex",
        "\\documentclass{book}\n\\title{Caches \\& lines}\n\\newcommand{\\v}{x}\n"
        "\\input{macros}\n\\begin{document}\n\\part{Basics}\n\\include{ch/one}\n% \\include{ch/no}\n"
        "\\appendix\n\\include{ch/app}\n\\end{document}\n"},
       {"ch/one.tex", "\\chapter{One}\nWords \\emph{lost} \\label{x}\n\\input{part}\n"},
       {"ch/app.tex", "\\chapter{App}\n"},
       {"macros.tex", "\\newcommand{\\w}{y}\n"},
       {"part.tex", "Pasted.\n"}},
      pandoc);
  const std::string& yaml = book.files.at("chapters/book.yaml");
  CHECK(has_text(yaml, "title: \"Caches & lines\"\n"));
  CHECK(has_text(yaml,
                 "  - part: \"Basics\"\n  - slug: one\n"
                 "  - part: \"Appendices\"\n    appendices: true\n  - slug: app\n"));
  CHECK(pandoc.formats[0] == "latex json");
  CHECK(has_text(pandoc.texts[0], "\\newcommand{\\v}{x}\n"));
  CHECK(has_text(pandoc.texts[0], "\\newcommand{\\w}{y}\n"));
  CHECK(has_text(pandoc.texts[0], "\\begin{document}\n\\chapter{One}\n"));
  CHECK(has_text(pandoc.texts[0], "Pasted.\n"));
  // The loss check compares words, not commands.
  CHECK(has_text(book.files.at("IMPORTED.md"), "| ch/one.tex:2 | `` lost ``"));
  CHECK(!has_text(book.files.at("IMPORTED.md"), "label"));
}

TEST_CASE("import: Sphinx's toctrees, and R Markdown's parts") {
  FakePandoc pandoc{"[]"};
  const auto sphinx =
      import({{"docs/conf.py", "project = 'P'\nauthor = \"A\"\n"},
              {"docs/index.rst", "T\n=\n\n.. toctree::\n   :caption: Start\n\n   one\n   in/*\n"},
              {"docs/one.rst", "One\n===\n\n.. toctree::\n\n   two\n\n.. py:data:: KEY\n"},
              {"docs/two.rst", "Two\n===\n\n.. literalinclude:: x.py\n   :lines: 1\n"},
              {"docs/x.py", "a\nb\n"},
              {"docs/in/three.rst", "Three\n=====\n"}},
             pandoc);
  CHECK(has_text(pandoc.texts[1], ".. py-data:: KEY\n"));
  CHECK(has_text(sphinx.files.at("IMPORTED.md"), "| docs/one.rst:8 | `` KEY ``"));
  CHECK(!has_text(sphinx.files.at("IMPORTED.md"), "toctree"));
  CHECK(has_text(sphinx.files.at("IMPORTED.md"), "`docs/two.rst`: 5"));
  CHECK(!has_text(pandoc.texts[2], ":lines:"));
  const std::string& yaml = sphinx.files.at("chapters/book.yaml");
  CHECK(yaml.starts_with("title: \"P\"\nlanguage: en\nauthors: [\"A\"]\n"));
  CHECK(has_text(yaml,
                 "  - slug: index\n  - part: \"Start\"\n  - slug: one\n    chapters:\n"
                 "      - two\n  - slug: three\n"));
  const auto bookdown = import({{"index.Rmd", "---\ntitle: B\n---\n# Preface\n"},
                                {"_no.Rmd", "# No\n"},
                                {"01-a.Rmd", "# (PART) Deep {-}\n\n# A\n"}},
                               pandoc);
  CHECK(has_text(bookdown.files.at("chapters/book.yaml"),
                 "  - slug: index\n  - part: \"Deep\"\n  - slug: a\n"));
}

TEST_CASE("import: what Quarto writes for other formats is left out") {
  const auto text_of = [](const std::string& kind, const std::string& key) {
    return from_blocks(R"({"t":"Div","c":[["",[")" + kind + R"("],[[")" + key + R"(","html"]]],[)" +
                       paragraph(str("Words")) + "]]}");
  };
  CHECK(has_text(text_of("content-visible", "when-format"), "Words"));
  CHECK(!has_text(text_of("content-hidden", "when-format"), "Words"));
  CHECK(!has_text(text_of("content-visible", "unless-format"), "Words"));
  CHECK(has_text(text_of("content-hidden", "unless-format"), "Words"));
}

TEST_CASE("import: the name of an image that has no ending") {
  CHECK(primer::media_name("one.docx", ".pandoc.1/media/rId20") == "one-rid20");
  CHECK(primer::media_name("one.docx", ".pandoc.1/media/a.png") == "one-a.png");
}

TEST_CASE("import: Pandoc is missing, fails or answers something else") {
  const Files old = {{"_quarto.yml", "book:\n  chapters: [one.qmd]\n"}, {"one.qmd", "# One\n"}};
  primer::Diagnostics diagnostics;
  CHECK(!primer::import_book(*primer::in_memory(old), "old", {}, {}, diagnostics));
  CHECK(diagnostics.has_errors());
  FakePandoc fails{"[]", "Pandoc took more than 60 s"};
  const auto book = import(old, fails);
  CHECK(book.not_taken == 1);
  CHECK(has_text(book.files.at("IMPORTED.md"), "one.qmd: Pandoc took more than 60 s"));
  for (const char* blocks :
       {"7", R"([{"t":"Para"}])", R"([{"t":"Header","c":[1]}])", "[[", "[7]"}) {
    INFO(blocks);
    FakePandoc odd{blocks};
    CHECK(import(old, odd).not_taken == 1);
  }
  std::string deep = paragraph(str("core"));
  for (int i = 0; i < 2000; ++i) deep = R"({"t":"BlockQuote","c":[)" + deep + "]}";
  CHECK(has_text(from_blocks(deep), "core"));
}

TEST_CASE("import: Quarto's list of contents, and code that is never a callout") {
  FakePandoc pandoc{R"([{"t":"CodeBlock","c":[["",[],[["cell","{r multiple-plots}"]]],"x # *x*"]},
{"t":"CodeBlock","c":[["",["python"],[["filename","notes.py"]]],"pass"]}])"};
  const auto book = import({{"_quarto.yml",
                             "book:\n  title: 'It''s' # not this\n  chapters:\n"
                             "    - \"index.qmd\"\n    - a.qmd # the first\n"
                             "    - part: \"Deep\"\n      chapters: [b.qmd]\n"
                             "  appendices: [app.qmd]\n"},
                            {"index.qmd", "# Q\n"},
                            {"a.qmd", "# A\n"},
                            {"b.qmd", "# B\n"},
                            {"app.qmd", "# C\n"}},
                           pandoc);
  CHECK(has_text(book.files.at("chapters/book.yaml"),
                 "  - slug: index\n  - slug: a\n  - part: \"Deep\"\n  - slug: b\n"
                 "  - part: \"Appendices\"\n    appendices: true\n  - slug: app\n"));
  CHECK(chapter_of(book, "a") == "```r\nx # *x*\n```\n\n`notes.py`\n\n```python\npass\n```\n");
}
