// Where `check --prose` finds a word that translations avoid, and where it does not look.
#include "generator/core/check/prose.hpp"

#include "catch.hpp"

using namespace primer;

namespace {

const std::vector<AvoidedWord> avoided_by_test{
    {"conjunto de trabajo", "working set", "datos en uso", ""},
    {"ritmo", "rate", "velocidad", "es de la música"},
    {"FLOPS", "FLOP/s", "FLOP/s", ""},
    {"vatio hora", "Wh", "Wh", ""},
};

Diagnostics warnings_of(const std::string& text) {
  Diagnostics diagnostics;
  check_wording(Source("a.md", text), avoided_by_test, diagnostics);
  return diagnostics;
}

// Place and length of every match.
std::string avoided_in(const std::string& text) {
  std::string out;
  for (const auto& d : warnings_of(text).sorted()) {
    CHECK(info(d.rule).id == "avoided-word");
    CHECK(d.severity == Severity::warning);
    out += std::to_string(d.line) + ':' + std::to_string(d.column) + '+' +
           std::to_string(d.length) + '\n';
  }
  return out;
}

}  // namespace

TEST_CASE("wording: an avoided word is found whole, also with a capital and across lines") {
  CHECK(avoided_in("Un ritmo.\n") == "1:4+5\n");
  CHECK(avoided_in("«Ritmo», —ritmo— y *ritmo*.\n") == "1:2+5\n1:11+5\n1:21+5\n");
  CHECK(avoided_in("El conjunto de\n  trabajo y el conjunto de trabajo.\n") == "1:4+11\n2:16+19\n");
  CHECK(avoided_in(
            "Algoritmo, ritmos, arritmo, ritmoó, éritmo, RITMO, un conjunto de trabajos.\n") == "");
  CHECK(avoided_in("TFLOPS, flops y FLOPS.\n") == "1:17+5\n");
  CHECK(avoided_in("El conjunto, de trabajo.\n") == "");
  CHECK(avoided_in("ritmo") == "1:1+5\n");
  CHECK(avoided_in("") == "");
}

TEST_CASE("wording: code, formulas, addresses and marks are no text, blocks and front matter are") {
  CHECK(avoided_in("---\ntitle: El ritmo\n---\nNada.\n") == "2:11+5\n");
  CHECK(avoided_in("```figure\nid: fig-a\ncaption: El ritmo.\n```\n") == "3:13+5\n");
  CHECK(avoided_in("```python\nritmo = 1\n```\n\nEl ritmo.\n") == "5:4+5\n");
  CHECK(avoided_in("```\nritmo\n```\n") == "");
  CHECK(
      avoided_in(
          "`ritmo`, $\\text{ritmo}$, [así](b.md#ritmo), [2](<calc: f(ritmo)>), <!-- ritmo -->\n") ==
      "");
  CHECK(avoided_in("[El ritmo](<calc: (a) * b>) y ritmo.\n") == "1:5+5\n1:31+5\n");
  // A construct that does not end on its line does not start.
  CHECK(avoided_in("Cuesta 3 $, ritmo.\n") == "1:13+5\n");
  CHECK(avoided_in("El vatio `x` hora.\n") == "");
}

TEST_CASE("wording: the message has the word and the reason") {
  const auto text = to_text(warnings_of("Un ritmo.\n"), Format::text);
  CHECK(text.find("a.md:1:4: warning: avoided word for \"rate\" [avoided-word]") == 0);
  CHECK(text.find("did you mean \"velocidad\"?") != std::string::npos);
  CHECK(text.find("es de la música") != std::string::npos);
}
