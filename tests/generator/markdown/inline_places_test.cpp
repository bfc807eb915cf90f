// Every inline has its exact position in the file, or reports that it has none.
#include "generator/core/markdown/inline_places.hpp"

#include <functional>
#include <random>

#include "catch.hpp"

namespace {

using namespace primer;

struct Parsed {
  Source source;
  Diagnostics diagnostics;
  std::optional<Node> document;

  explicit Parsed(const std::string& text) : source("a.md", text) {
    document = parse_markdown(extract_lines(source, 1, source.line_count()), diagnostics);
  }

  void each(const std::function<void(const Node&)>& visit) const {
    const std::function<void(const Node&)> walk = [&](const Node& node) {
      if (node.kind >= NodeKind::text) visit(node);
      for (const auto& child : node.children) walk(child);
    };
    if (document) walk(*document);
  }

  std::string written(const Node& node) const {
    return std::string(source.text().substr(node.offset, node.length));
  }

  // The pieces of text as written, with a bar between them.
  std::string pieces() const {
    std::string all;
    each([&](const Node& node) {
      if (node.kind == NodeKind::text) all += (all.empty() ? "" : "|") + written(node);
    });
    return all;
  }

  int unknown() const {
    int count = 0;
    each([&](const Node& node) { count += node.in_source == InSource::unknown; });
    return count;
  }

  bool is_verbatim() const {
    bool good = true;
    each([&](const Node& node) {
      if (node.in_source == InSource::verbatim && node.kind == NodeKind::text)
        good = good && written(node) == node.text;
    });
    return good;
  }
};

}  // namespace

TEST_CASE("places: text is verbatim or an escape", "[places]") {
  const std::pair<const char*, const char*> cases[] = {
      {"AT&amp;T [sic] moves [9 GB/s](fact:x).", "AT|&amp;|T [sic] moves |9 GB/s|."},
      {"A \\* star [note] then 1[350 GB/s](fact:x)", "A |\\*| star [note] then 1|350 GB/s"},
      {"**[a]** \\[a\\] `a` a", "[a]| |\\[|a|\\]| | a"},
      {"a  \nb\\\nc\nd", "a|b|c|d"},
      {"> a\n> b\nlazy", "a|b|lazy"},
      {"1. a\n\n   b\n   c", "a|b|c"},
      {"- [x] done\n- [ ] open", "done|open"},
      {"# A #\n\nB\n===\n\n## C \\#", "A|B|C |\\#"},
      {"| a\\|b | `c\\|d` |\n|--|--|\n| x &amp; | y |", "a|\\||b|x |&amp;|y"},
      {"above\n| a |\n|---|\n| b |", "above|a|b"},
      {"- | a |\n  |---|\n  | b |", "a|b"},
      {"> | a | b |\n> |---|---|\n> | c | d |", "a|b|c|d"},
      {"[x]: /u\n[y]: /v 'z'\n[x] and [y]", "x| and |y"},
      {"https://a.example/b_c and <https://b.example/&amp;> c@d.example",
       "https://a.example/b_c| and |https://b.example/&amp;| |c@d.example"},
      {"[a][b c] [b c][] [b c]\n\n[b c]: /u", "a| |b c| |b c"},
      {"[a](</u v> \"t\") ![b](c.svg 'd')x", "a| |b|x"},
      {"~~a~~ ~b~ ~~~c", "a| |b| ~~~c"},
      {"$a*b$ *c* $`d`$ e", " |c| | e"},
      {"a[^n] b[^n]\n\n[^n]: c *d*", "a| b|c |d"},
      {"\ta\n\n-\tb\n\tc", "b|c"},
      {"x\r\r\ry 1[350 GB/s](fact:x)\r\nz", "x|y 1|350 GB/s|z"},
      {"***a** b* __c__ _d_", "a| b| |c| |d"},
      {"&nbsp;&#65;&copy;x", "&nbsp;&#65;&copy;|x"},
      {"a<sub>2</sub><!-- c -->b", "a|2|b"},
  };
  for (const auto& [text, wanted] : cases) {
    INFO(text);
    const Parsed parsed(text);
    CHECK(parsed.unknown() == 0);
    CHECK(parsed.is_verbatim());
    CHECK(parsed.pieces() == wanted);
  }
}

TEST_CASE("places: links and code", "[places]") {
  const Parsed parsed("A \\[ [b `` c ` `` d](<e f> (g)) ![h](i.svg) <j@k.example>.");
  std::vector<std::string> found;
  parsed.each([&](const Node& node) {
    if (node.kind == NodeKind::text) return;
    found.push_back(parsed.written(node) + " … " +
                    std::string(parsed.source.text().substr(node.offset, node.end - node.offset)));
    if (node.kind == NodeKind::link || node.kind == NodeKind::image)
      found.back() += " " + std::string(parsed.source.text().substr(node.url_offset, 3));
  });
  CHECK(found == std::vector<std::string>{"[ … [b `` c ` `` d](<e f> (g)) e f", "c ` … c ` ``",
                                          "![ … ![h](i.svg) i.s", "< … <j@k.example> j@k"});
}

TEST_CASE("places: any text of marks has exact places", "[places]") {
  constexpr const char* parts[] = {"a",           "b ",
                                   "*",           "**",
                                   "_",           "~~",
                                   "`",           "[",
                                   "]",           "(",
                                   ")",           "](c)",
                                   "\\",          "&amp;",
                                   "&",           "\n",
                                   "> ",          "- ",
                                   "# ",          "|",
                                   "\n|--|--|\n", "![",
                                   "[^n]",        "$",
                                   "<b>",         "https://e.fr ",
                                   "  ",          "\t",
                                   "\\|",         "é",
                                   "1. ",         "\n\n",
                                   "[x]",         "\n[x]: /u\n"};
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (int i = 0; i < 24; ++i) text += parts[random() % std::size(parts)];
    text += "\n\n[^n]: a note\n\n[x]: /u\n";
    INFO(text);
    const Parsed parsed(text);
    CHECK(parsed.is_verbatim());
    CHECK(parsed.unknown() == 0);
  }
}
