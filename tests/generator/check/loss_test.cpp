// Everything that an author writes is published, reported, or both.
#include "generator/core/check/loss.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "catch.hpp"
#include "generator/core/check/fix.hpp"
#include "generator/host/disk.hpp"
#include "rounds.hpp"
#include "small_book.hpp"

namespace {

using namespace primer;

bool reports(const std::string& body, const std::string& rule) {
  return small_book::errors(body + '\n').find('[' + rule + ']') != std::string::npos;
}

constexpr const char* fact = "(fact:h100-sxm.bandwidth)";

// The small book's chapter after `check --fix`.
std::string fixed(const std::string& body) {
  const auto files = small_book::with(body);
  const auto diagnostics = small_book::diagnose(files);
  const auto made = fixed_files(*in_memory(files), diagnostics.sorted());
  const auto chapter = made.find("chapters/en/01-first.md");
  const std::string text =
      chapter == made.end() ? files.at("chapters/en/01-first.md") : chapter->second;
  return text.substr(text.find("---\n", 4) + 4);
}

}  // namespace

TEST_CASE("loss: definitions that nothing uses") {
  for (const char* body : {
           "[Warning]: do-not-touch \"hot surface\"",
           "See [the page][x].\n\n[x]: https://first.example.com\n[x]: https://second.example.com",
           "> [q]: /url \"title\"",
           "- [l]: /url",
           "Text.\n\n[a]: <x y> 'a title\nover two lines'",
           "See [a].\n\n[a]: https://a.example.com \"one\"\n[A]: https://a.example.com \"two\"",
       }) {
    INFO(body);
    CHECK(reports(body, "unused-definition"));
  }
  for (
      const char* body :
      {"See [the page][x].\n\n[x]: https://first.example.com \"a title\"",
       "[a], [b][] and ![c][d]\n\n[a]: https://a.example.com\n[b]: https://b.example.com\n[d]: dot.svg",
       "\\[Warning]: do-not-touch \"hot surface\"", "[x]\n\n> [x]: https://x.example.com",
       "[\nfoo\n]: https://x.example.com\nbar [foo]"}) {
    INFO(body);
    CHECK(small_book::errors(std::string(body) + '\n') == "");
  }
}

TEST_CASE("loss: side notes that nothing shows") {
  for (const char* body :
       {"A word[^1].\n\n[^1]: First.\n\n[^1]: LOST second.", "> Quote.\n> [^q]: LOST in a quote.",
        "```text\n[^c]: example\n```\n\n[^c]: LOST, its label also is in code.",
        "Text.\n\n[^a]: LOST\n\n    with a second paragraph.", "- x\n\n  [^l]: LOST in a list.",
        "A[^a].\n\n[^a]: Used.\n\n[^A]: LOST, labels know no case."}) {
    INFO(body);
    CHECK(reports(body, "unused-note"));
  }
  CHECK(small_book::errors("A[^a] b[^a].\n\n[^a]: Used\n    on.\n") == "");
}

TEST_CASE("loss: a note or a task marker that is alone on its line") {
  CHECK(small_book::html("A[^a].\n\n[^a]:\n    The text.\n").find("The text.") !=
        std::string::npos);
  CHECK(small_book::errors("A[^a].\n\n[^a]: \n    The text.\n\n    More.\n") == "");
  CHECK(reports("A[^a].\n\n[^a]:\n    One.\n\n[^a]:\n    Two.", "unused-note"));
  CHECK(reports("A.\n\n[^a]:\n    One.", "unused-note"));
  CHECK(small_book::html("- [ ] \n- [x]\t\n- [ ] a\n") ==
        "<ul>\n<li>☐ </li>\n<li>☑ </li>\n<li>☐ a</li>\n</ul>\n");
}

TEST_CASE("loss: titles are attributes") {
  CHECK(small_book::html("[a](https://a.example.com \"so *it* & that\")\n") ==
        "<p><a href=\"https://a.example.com\" title=\"so *it* &amp; that\">a</a></p>\n");
  CHECK(small_book::html("![a](dot.svg 'the dot')\n").find("title=\"the dot\"") !=
        std::string::npos);
  CHECK(reports("The [3.35 TB/s](fact:h100-sxm.bandwidth 'at most').", "lost-text"));
  CHECK(reports("The [memory](term:hbm \"stacked\").", "lost-text"));
}

TEST_CASE("loss: marks that mark nothing") {
  for (const char* body : {
           "It takes ~5 ms alone and 7~8 ms under load.",
           "The product 2*3*4 is here.",
           "x**2 + y**2",
           "5*n + 3*m",
           "A **bold word.",
           "Gone ~~word.",
           "f(**kwargs)",
           "缓存**很小，但很快。**内存很大。速さは**「帯域」**で決まる。",
           "코어는 **캐시(cache)**를 읽는다.",
           "One&nbps;two",
       }) {
    INFO(body);
    CHECK(reports(body, "stray-mark"));
  }
  CHECK(reports("See [text][nope].", "dead-link"));
  CHECK(reports("See [**text**][nope] and more.", "dead-link"));
  CHECK(reports("See [text](a b.md).", "stray-mark"));
  CHECK(reports("[12 B](calc: 3 * 4 B)", "dead-link"));
  CHECK(reports("See ![text][nope].", "bad-image"));
  CHECK(reports("| a | b |\n|---|\n| 1 | 2 |", "bad-table"));
  CHECK(reports("| left | `|` |\n|:--|--:|\n| a | 1 |", "bad-table"));
  CHECK(reports("Text^[a *note*].", "foreign-syntax"));
  CHECK(reports("Tabel tbl-x: A caption.\n\n| a |\n|---|\n| 1 |", "bad-caption"));
  CHECK(reports("As in -@fig-x.", "foreign-syntax"));
}

TEST_CASE("loss: a number that continues next to its link") {
  const std::string link = "[12](<calc: 3 * 4>)", size = "[350 GB](<calc: 350 GB>)";
  for (const std::string& body :
       {link + " 000", link + "\u202F000 more", link + " thousand", link + " million chips",
        link + " %.", "1 " + size, "1'" + size, "1’" + size, "(1\u00A0" + size + ")"}) {
    INFO(body);
    CHECK(reports(body, "wrong-literal"));
  }
  for (const std::string& body :
       {link + " 8-bit numbers", link + " 2000s", link + " TFLOP/s", link + " × 8",
        "In 2022 " + size, "H100 " + size, "level 3, " + size, link + " chips",
        std::string("1 [12 GB](<calc: 12 GB>)")}) {
    INFO(body);
    CHECK(small_book::errors(body + '\n') == "");
  }
}

TEST_CASE("loss: numbers and words that a renderer drops without a word") {
  for (const char* body : {"$p = 50% of q$", "$`p = 50% + q`$", "$45%$", "$$\np = 50% + q\n$$",
                           "```math\np = 50% + q\nr = 3\n```", "$`1 350`$", "$x = 12 34$"}) {
    INFO(body);
    CHECK(reports(body, "bad-maths"));
  }
  for (const char* body : {"1. one\n2. two\n4. four", "2019. It began.\n2021. It ended.",
                           "5. five\n4. four", "> 1. a\n> 3. b"}) {
    INFO(body);
    CHECK(reports(body, "lost-text"));
  }
  CHECK(reports("```math eq-x these words\nx\n```", "unknown-block"));
  CHECK(reports("```problems\nwords here\n```", "unknown-key"));
  for (const char* body :
       {"$`50\\%`$ and $`1{,}350`$", "$\\frac 1 2$ and $x^2 3$", "$`\\text{12 34}`$",
        "1. one\n2. two\n3. three", "1. one\n1. two\n1. three", "3. three\n4. four",
        "2019\\. It began.", "1. a\n   1. b\n   2. c\n2. d"}) {
    INFO(body);
    CHECK(small_book::errors(std::string(body) + '\n') == "");
  }
}

TEST_CASE("loss: the text of a link may hold an image and marks") {
  CHECK(small_book::errors("[**two** ![a dot](dot.svg) `x`](second.md) [@nv]\n") == "");
  CHECK(small_book::errors("[memory [@nv]](term:hbm)\n") == "");
}

TEST_CASE("loss: text that only looks like a mark") {
  for (const char* body :
       {"2 * 3 * 4, a ** b and 5 ~ 6", "2\\*3\\*4 and \\*\\*x\\*\\*", "**GPU**s and *re*build",
        "缓存**很小**内存", "`**kwargs` and `a~b~c`", "[sic] and A[i]", "AT&T; R&D",
        "~~gone~~ here", "\\~5 ms", "a_b_c and __init", "$a^{\\ast}b$", "\\[text\\]\\[nope\\]",
        "(*a*)", "see *this*.", "\\[text](https://example.org/)", "a](b"}) {
    INFO(body);
    CHECK(small_book::errors(std::string(body) + '\n') == "");
  }
}

TEST_CASE("loss: the finished page has each word of the tree") {
  const Source source("a.md", "A lost word.\n\nAnother **kept** one, `code`.\n");
  Diagnostics parsed;
  const auto document = parse_markdown(extract_lines(source, 1, source.line_count()), parsed);
  REQUIRE(document);
  Diagnostics none;
  check_loss(*document, "<p>A lost word.</p><p>Another <b>kept</b> one, <code>code</code>.</p>",
             source, none);
  CHECK(none.empty());
  Diagnostics lost;
  check_loss(*document, "<p>A word.</p><p>Another <b>kept</b> one, <code>code</code>.</p>", source,
             lost);
  CHECK(to_text(lost, Format::text)
            .find("a.md:1:1: error: part of this text is on no page "
                  "[lost-text]") == 0);
}

TEST_CASE("loss: a number is separate in the visible text") {
  const std::string link = std::string("[3.35 TB/s]") + fact;
  for (const std::string& body : {"1<wbr>" + link,
                                  "1<!-- x -->" + link,
                                  "−<wbr>" + link,
                                  "9.<wbr>" + link,
                                  "½<wbr>" + link,
                                  "1<sub></sub>" + link,
                                  "1<sup>" + link + "</sup>",
                                  link + "<sup>2</sup>",
                                  "AT&amp;T [sic] pays 1" + link,
                                  "A \\* star [note] then 1" + link,
                                  "(a [b] c) −" + link,
                                  "x\r\r\r\n\n1" + link,
                                  "1**" + link + "**",
                                  "**1**" + link,
                                  "*1*" + link,
                                  "1&#8288;" + link,
                                  "&#49;" + link,
                                  "\\-" + link,
                                  "$1$" + link,
                                  "`1`" + link,
                                  "[1](second.md)" + link,
                                  link + "0",
                                  link + "&#48;",
                                  link + "**0**",
                                  link + "<wbr>0",
                                  link + "²",
                                  "1&nbsp;" + link,
                                  "1 &#50;" + link,
                                  "[^1]" + link + "\n\n[^1]: N.",
                                  "三" + link,
                                  "| a |\n|---|\n| 1" + link + " |",
                                  std::string("[3<sup>35</sup> TB/s]") + fact,
                                  std::string("[3<br>.35 TB/s]") + fact,
                                  std::string("[3.35 [^n]TB/s]") + fact + "\n\n[^n]: N.",
                                  std::string("[3.<!-- -->35 TB/s]") + fact,
                                  std::string("[~~3.35 TB/s~~]") + fact,
                                  std::string("[3.35<sub></sub> TB/s]") + fact,
                                  std::string("[$3$.35 TB/s]") + fact}) {
    INFO(body);
    CHECK(small_book::errors(body + '\n') != "");
  }
  for (const std::string& body :
       {"The " + link + ".", "(" + link + ")", "“" + link + "”", "**" + link + "**, and",
        "AT&amp;T pays " + link, link + "[^1]\n\n[^1]: N.", "*x* " + link + "!",
        "速度は" + link + "です。", "a<br>" + link, "| a |\n|---|\n| " + link + " |",
        link + "-class", std::string("[**3.35** TB/s]") + fact,
        std::string("[3.35\nTB/s]") + fact}) {
    INFO(body);
    CHECK(small_book::errors(body + '\n') == "");
  }
}

TEST_CASE("fix: only where the place is exact and the text then says what it should") {
  const std::string right = "AT&amp;T [sic] moves [3.35 TB/s](fact:h100-sxm.bandwidth).\n";
  CHECK(fixed("AT&amp;T [sic] moves [9.99 TB/s](fact:h100-sxm.bandwidth).\n") == right);
  CHECK(fixed(right) == right);
  CHECK(
      fixed(
          "x\r\r\r\n\nIt moves [9.99 TB/s](fact:h100-sxm.bandwidth) here.\n\nOther paragraph.\n") ==
      "x\r\r\r\n\nIt moves [3.35 TB/s](fact:h100-sxm.bandwidth) here.\n\nOther paragraph.\n");
  CHECK(fixed("| a\\|b | c |\n|--|--|\n| \\| | [9.99 TB/s](fact:h100-sxm.bandwidth) |\n") ==
        "| a\\|b | c |\n|--|--|\n| \\| | [3.35 TB/s](fact:h100-sxm.bandwidth) |\n");
  CHECK(fixed("> - [9.99 TB/s](fact:h100-sxm.bandwidth)\n") ==
        "> - [3.35 TB/s](fact:h100-sxm.bandwidth)\n");
  // Never a number that is not one, or one without the thing that it counts.
  CHECK(fixed("[10 000 EB/s](fact:h100-sxm.bandwidth)\n") ==
        "[0.0000034 EB/s](fact:h100-sxm.bandwidth)\n");
  CHECK(fixed("[1e3](<calc: 3 * 4>)\n") == "[12](<calc: 3 * 4>)\n");
  CHECK(fixed("[5 s](<calc: 3 * 4>)\n") == "[5 s](<calc: 3 * 4>)\n");
  for (const char* body :
       {"[9.99&nbsp;TB/s](fact:h100-sxm.bandwidth)\n", "[**9.99** TB/s](fact:h100-sxm.bandwidth)\n",
        "[9<sup>2</sup> TB/s](fact:h100-sxm.bandwidth)\n",
        "[9.99 TB/s or [more words]](fact:h100-sxm.bandwidth)\n",
        "[9.99\nTB/s](fact:h100-sxm.bandwidth)\n", "[9\\.99 TB/s](fact:h100-sxm.bandwidth)\n",
        "[about 9.99 TB/s](fact:h100-sxm.bandwidth)\n",
        "[9.99 TB/s, at most](fact:h100-sxm.bandwidth)\n"}) {
    INFO(body);
    CHECK(fixed(body) == body);
    CHECK(small_book::errors(body) != "");
  }
}

namespace {

constexpr const char* marker = "Qzxwv";

std::vector<std::string> pages() {
  std::vector<std::string> texts;
  for (const auto& entry :
       std::filesystem::directory_iterator(PRIMER_SOURCE "/tests/fixtures/pages")) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream in(entry.path());
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

// A few edits like typing mistakes: a mark is added, or a passage is deleted, doubled or moved.
std::string mutated(std::string text, std::mt19937& random) {
  constexpr const char* marks[] = {"*",    "**",   "`",    "[",    "]",  "(",  ")",     "|",
                                   "\n",   "\n\n", "> ",   "~~",   "~",  "$",  "\\",    "&amp;",
                                   "<b>",  "#",    "[^1]", "]: ",  "\t", "\r", "```\n", "<!--",
                                   "{#x}", "^[",   "- ",   "    ", "_",  "é"};
  const auto place = [&] { return random() % (text.size() + 1); };
  for (int edits = 1 + static_cast<int>(random() % 4); edits > 0; --edits) {
    const std::size_t at = place(), length = random() % 40;
    const std::string piece = text.substr(at, length);
    switch (random() % 4) {
      case 0: text.insert(at, marks[random() % std::size(marks)]); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(place(), piece); break;
      default: text.erase(at, length), text.insert(place(), piece);
    }
  }
  return text;
}

// Whether `at` is in a comment, which is never published.
bool is_in_comment(std::string_view text, std::size_t at) {
  const auto open = text.rfind("<!--", at);
  return open != text.npos && text.find("-->", open) >= at;
}

}  // namespace

TEST_CASE("loss: a word anywhere in a page that was changed at random", "[slow]") {
  const auto texts = pages();
  REQUIRE(!texts.empty());
  std::mt19937 random(20261129);
  int published = 0;
  for (int round = rounds("MUTANTS", 300, 3000); round > 0; --round) {
    std::string body = mutated(texts[random() % texts.size()], random);
    const std::size_t at = random() % (body.size() + 1);
    body.insert(at, marker);
    if (is_in_comment(body, at)) continue;
    const auto built = small_book::build(small_book::with(body));
    INFO(body);
    INFO(built.errors);
    // Each message has a file and a line.
    CHECK(built.errors.find("unforeseen") == std::string::npos);
    const bool reported = !built.errors.empty();
    bool shown = false;
    for (const auto& [path, bytes] : built.site) shown = shown || bytes.find(marker) != bytes.npos;
    CHECK((reported || shown));
    published += shown;
  }
  CHECK(published > 0);
}
