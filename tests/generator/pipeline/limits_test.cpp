// Inputs that could cost too much: each is built small and 32 times as large. Work that grows with
// the square of the input would take a thousand times as long.
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "small_book.hpp"

namespace {

using small_book::errors;

std::string times(std::string_view piece, std::size_t bytes) {
  std::string all;
  all.reserve(bytes);
  while (all.size() + piece.size() <= bytes) all += piece;
  return all;
}

// "a" becomes "a 1", "a 2" … in a template with %.
std::string numbered(const std::string& piece, std::size_t bytes) {
  std::string all;
  for (int i = 0; all.size() < bytes; ++i)
    all += primer::replace_all(piece, "%", std::to_string(i));
  return all;
}

struct Hostile {
  const char* name;
  std::function<std::string(std::size_t)> text;  // of about this many bytes
};

Hostile repeated(const char* piece) {
  return {piece, [=](std::size_t bytes) { return times(piece, bytes); }};
}

Hostile after(const char* start, const char* piece) {
  return {piece, [=](std::size_t bytes) { return start + times(piece, bytes); }};
}

std::vector<Hostile> of_marks() {
  std::vector<Hostile> all;
  for (const char* piece : {"a**b",   "a** ",  "_a ",
                            "a_ ",    "*a_ ",  "a_*",
                            "*_",     "a***",  "**x [a*b**c*](d) ",
                            "~~a ",   "~a*b_", "a~~b~ ",
                            "[",      "]",     "[a",
                            "![[",    "![",    "[](",
                            "[a](<b", "[a](b", "[a](b \"",
                            "[a_",    "`a``b", "*a\\_b* ",
                            "$",      "$a ",   "$`a ",
                            "$$a ",   "$\\$",  "\\",
                            "\\*",    "&a",    "&#0;",
                            "&amp;",  "a  \n", "a\\\n"}) {
    all.push_back(repeated(piece));
  }
  for (const char* piece : {"<?", "<!A ", "<![CDATA[", "<!--", "<!-- a -", "<a ", "<a b=\"", "<",
                            "<a:", "<a@", "</b"}) {
    all.push_back(after("a ", piece));
  }
  return all;
}

std::vector<Hostile> of_links() {
  std::vector<Hostile> all;
  for (const char* piece : {"[x](y.md) ",
                            "[x](https://e.org) ",
                            "[x](#a) ",
                            "[1](fact:a.b) ",
                            "[x](term:hbmm) ",
                            "[x](q:a) ",
                            "![a](b.png) ",
                            "[@a] ",
                            "[@nv] ",
                            "[@a ",
                            "[^a] ",
                            "[^a]\n\n",
                            "[^",
                            "www.",
                            "www.a.bc ",
                            "http://",
                            "http://a.bc ",
                            "a@b",
                            "a@b.cd ",
                            "a@b_",
                            "xmpp:a@b.c/",
                            "mailto:a@",
                            "http://a<"}) {
    all.push_back(repeated(piece));
  }
  all.push_back({"one long reference", [](std::size_t bytes) {
                   return "[a]: https://a.example/" + std::string(bytes / 2, 'x') + "\n\n" +
                          times("[a] ", bytes / 2);
                 }});
  all.push_back({"many references", [](std::size_t bytes) {
                   return numbered("[a%]: u%\n", bytes / 2) + '\n' + numbered("[a%] ", bytes / 2);
                 }});
  all.push_back({"many notes", [](std::size_t bytes) {
                   return numbered("[^%] ", bytes / 3) + "\n\n" +
                          numbered("[^%]: x\n\n", bytes / 2);
                 }});
  all.push_back({"notes in notes", [](std::size_t bytes) {
                   return "a[^0]\n\n" + numbered("[^%]: a[^1%]\n\n", bytes);
                 }});
  all.push_back(after("http://a.b/", "&a;"));
  all.push_back(after("www.a.b/", ")"));
  return all;
}

std::vector<Hostile> of_blocks() {
  std::vector<Hostile> all;
  for (const char* piece : {">",
                            "- a\n",
                            "-\n",
                            "- a\n\n",
                            "* a\n+ a\n",
                            "1. a\n",
                            "- [ ] a\n",
                            "## a\n",
                            "a\n=\n",
                            "## Report\n\n",
                            "```\n",
                            "~~~ a\n\n",
                            "    a\n\nb\n\n",
                            "a\n",
                            "a\r",
                            "|a|\n|-|\n|b|\n\n",
                            "a|b\n-|-|-\n",
                            "> [!NOTE]\n> a\n\n",
                            "```figure\nid: x\n```\n\n",
                            "<b>\n\n",
                            "A <b> "}) {
    all.push_back(repeated(piece));
  }
  all.push_back(after("|a|\n|-|\n", "|\\|"));
  all.push_back(after("a|b\n-|-\n", "b\n"));
  all.push_back(after("```quiz\n", "- a\n"));
  all.push_back(after("```cpp\n", "R\"("));
  all.push_back(after("```js\n", "`${"));
  all.push_back({"ninety quotes",
                 [](std::size_t bytes) { return times(std::string(90, '>') + "a\n", bytes); }});
  all.push_back({"a wide table", [](std::size_t bytes) {
                   const std::size_t part = bytes / 3;
                   return '|' + times("a|", part) + "\n|" + times("-|", part) + "\n|" +
                          times("b|", part) + '\n';
                 }});
  return all;
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double cost(const std::string& text) {
  const double before = processor_seconds();
  errors(text);
  return processor_seconds() - before;
}

// Eight times the text may cost 24 times as much, because new memory costs more than reused memory.
// Work that grows with the square costs 64 times. A chapter without text takes some milliseconds,
// which vary by as much as a small text takes. They are not subtracted, and only make the ratio
// smaller.
void check_growth(const std::vector<Hostile>& inputs) {
  constexpr std::size_t small = 8'000, large = 8 * small;
  constexpr double most = 24;
  cost("Text.\n");  // the first run of a process reads and compiles shared data
  for (const auto& input : inputs) {
    INFO(input.name);
    const std::string few = input.text(small), many = input.text(large);
    // The best of several runs, because other programs use the machine too.
    double ratio = 1'000;
    for (int attempt = 0; attempt < 5 && ratio > most; ++attempt)
      ratio = std::min(ratio, cost(many) / cost(few));
    CHECK(ratio < most);
  }
}

}  // namespace

TEST_CASE("limits: the time for marks grows with the text", "[slow]") { check_growth(of_marks()); }
TEST_CASE("limits: the time for links grows with the text", "[slow]") { check_growth(of_links()); }
TEST_CASE("limits: the time for blocks grows with the text", "[slow]") {
  check_growth(of_blocks());
}

TEST_CASE("limits: the time for facts without their keys grows with their number") {
  const auto facts = [](int count) {
    std::string all = "{";
    for (int i = 0; i < count; ++i)
      all += (i == 0 ? "\"c" : ", \"c") + std::to_string(i) + "\": {\"value\": \"1 B\"}";
    return all + '}';
  };
  const auto cost_of = [&](int count) {
    auto files = small_book::with("");
    files["chapters/facts/many.json"] = facts(count);
    const double before = processor_seconds();
    small_book::diagnose(files);
    return processor_seconds() - before;
  };
  double ratio = 1'000;
  for (int attempt = 0; attempt < 3 && ratio > 40; ++attempt)
    ratio = std::min(ratio, cost_of(6400) / cost_of(400));
  CHECK(ratio < 40);
}

TEST_CASE("limits: a chapter has at most so many links, headings and nodes") {
  CHECK(errors(times("[x](https://e.org) ", 5'001 * 19)).find("more than 5000 links") !=
        std::string::npos);
  CHECK(errors(times("[x](https://e.org) ", 5'000 * 19)) == "");
  CHECK(errors(times("## a\n\n", 2'001 * 6))
            .find(":4004:1: error: the chapter has more than 2000 headings") != std::string::npos);
  std::string notes = "a[^0]\n\n";
  for (int i = 0; i < 20'000; ++i) {
    notes += "[^" + std::to_string(i) + "]: a[^" + std::to_string(i + 1) + "]\n\n";
  }
  CHECK(errors(notes).find("more than 10 side notes that refer to side notes [nesting-too-deep]") !=
        std::string::npos);
  CHECK(errors(times("\\*\n", 300'003)).find("more than 200000 blocks") != std::string::npos);
}

TEST_CASE("limits: a chapter's page has at most so many bytes") {
  const std::string said =
      errors(numbered("```figure\nid: fig-%\nspec: round\ncaption: C.\nalt: A.\n```\n\n", 100'000));
  CHECK(said.find("the chapter's page has more than 8388608 bytes [page-too-large]") !=
        std::string::npos);
  CHECK(said.ends_with("\n1 error\n"));
}

TEST_CASE("limits: of a long line an excerpt is kept, of many mistakes the first") {
  const auto diagnostics = small_book::diagnose(small_book::with(times("[x](y.md) ", 40'000)));
  const auto list = diagnostics.sorted();
  REQUIRE(list.size() == primer::Diagnostics::most_of_file + 1);
  for (const auto& d : list) CHECK(d.excerpt.size() <= 300);
  CHECK(list[0].excerpt.starts_with("[x](y.md) "));
  CHECK(list[99].excerpt.starts_with("…"));
  CHECK(list[99].column == 995);
  CHECK(list.back().message == "and 3900 more errors in this file");
  CHECK(diagnostics.count(primer::Severity::error) == 4'000);
  CHECK(to_text(diagnostics, primer::Format::text).ends_with("[more-errors]\n4000 errors\n"));
  const auto json = nlohmann::json::parse(to_text(diagnostics, primer::Format::json));
  CHECK(json.size() == 101);
  CHECK(json.back().at("rule") == "more-errors");
  const std::string annotations = to_text(diagnostics, primer::Format::github);
  CHECK(std::count(annotations.begin(), annotations.end(), '\n') == 101);
  CHECK(annotations.find("::and 3900 more errors in this file") != std::string::npos);
}

TEST_CASE("limits: what an input is called is cut in messages") {
  const std::string name(50'000, 'n');
  for (const std::string& body :
       {"[x](" + name + ".md)\n", "[1](fact:" + name + ")\n", "[@" + name + "]\n",
        "```" + name + "\na\n```\n", "```figure\n" + name + ": 1\n```\n",
        "```figure\nid: " + name + "\n```\n", "[x](" + name + ":a)\n",
        "[1](<calc: " + name + " + 1>)\n"}) {
    INFO(body.substr(0, 20));
    const std::string said = errors(body);
    CHECK(said.size() > 20);
    CHECK(said.size() < 8'000);
  }
}

TEST_CASE("limits: warnings do not push errors out") {
  primer::Diagnostics diagnostics, all;
  const primer::Source source("a.md", "text\n");
  for (int i = 0; i < 150; ++i) {
    diagnostics.warning(primer::Rule::stale_translation, source, 0, 1,
                        "warning " + std::to_string(i));
  }
  diagnostics.error(primer::Rule::bad_value, source, 0, 1, "wrong");
  const std::string text = to_text(diagnostics, primer::Format::text);
  CHECK(text.find("error: wrong") != std::string::npos);
  CHECK(text.find("warning: and 50 more warnings in this file") != std::string::npos);
  CHECK(text.ends_with("1 error, 150 warnings\n"));
  CHECK(diagnostics.has_errors());
}

TEST_CASE("limits: of a book a thousand errors are kept, and those of every file counted") {
  primer::Diagnostics all;
  for (int file = 0; file < 12; ++file) {
    primer::Diagnostics some;
    const primer::Source source("chapter " + std::to_string(100 + file), "text\n");
    for (int i = 0; i < 120; ++i)
      some.error(primer::Rule::bad_value, source, 0, 1, std::to_string(i));
    some.hint("a note to one that is not kept");
    all.append(std::move(some));
  }
  const auto list = all.sorted();
  CHECK(list.size() == 1'000 + 12);
  CHECK(all.count(primer::Severity::error) == 12 * 120);
  CHECK(list.back().file == "chapter 111");
  CHECK(list.back().message == "and 120 more errors in this file");
  CHECK(all.has_errors());
}

TEST_CASE("limits: text is cut between characters") {
  const std::string line = times("é", 1'000);
  for (std::size_t at = 0; at < line.size(); at += 2) {
    const auto cut = primer::cut_around(line, at);
    CHECK(cut.text.size() <= 300);
    CHECK(primer::is_utf8(cut.text));
    CHECK(cut.column <= primer::character_count(cut.text));
  }
  CHECK(primer::cut_around("abc", 1).column == 2);
  CHECK(primer::cut_around("abc", 9).column == 4);
  const auto no_utf8 = primer::cut_around(std::string(5'000, '\x80'), 4'000);
  CHECK(no_utf8.text.size() <= 300);
  const std::string cut = primer::shortened("a" + line);
  CHECK(cut.size() <= 600);
  CHECK(primer::is_utf8(cut));
  CHECK(cut.find("…") != std::string::npos);
  CHECK(primer::shortened(std::string(600, 'a')) == std::string(600, 'a'));
}
