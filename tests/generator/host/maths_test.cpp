#include "generator/host/maths.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "generator/core/markdown/formula.hpp"
#include "generator/core/typeset/mathml.hpp"
#include "generator/host/disk_cache.hpp"

using namespace primer;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

const fs::path root = PRIMER_SOURCE;

// A directory that is empty at first and removed at the end.
class Scratch {
 public:
  Scratch() : path(fs::temp_directory_path() / ("primer-maths-" + std::to_string(getpid()))) {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Scratch() { fs::remove_all(path); }
  const fs::path path;
};

std::string shown(const figures::Result<std::string>& result) {
  if (result) return *result;
  const figures::Error& error = result.error();
  return error.message + " [" + std::to_string(error.offset) + "+" + std::to_string(error.length) +
         "]" + (error.suggestion.empty() ? "" : " -> " + error.suggestion);
}

std::string rendered(Maths& maths, const std::string& tex, bool display = false) {
  return shown(maths.render({{tex, display}}).front());
}

// A helper written in shell that greets and then does what `script` says.
Maths::Options shell(const std::string& script) {
  return {{"sh", "-c", "echo '{\"ready\":true}'; " + script}, 60'000ms};
}

const MathsRepertoire& ascii() {
  static const auto repertoire = MathsRepertoire::parse("U+0020-007E\nU+1D465 italic x\n");
  return repertoire;
}

std::string cleaned(std::string_view mathml) { return shown(clean_mathml(mathml, ascii())); }

std::string problem(std::string_view tex, MathsForm form = MathsForm::dollars,
                    bool in_table = false) {
  const auto error = unlike_github(tex, form, in_table);
  return error ? shown(*error) : "";
}

std::string unread(std::string_view text) {
  const auto error = unread_formula(text);
  return error ? std::string(text.substr(error->offset, error->length)) : "";
}

}  // namespace

TEST_CASE("formulas become MathML without styles", "[maths]") {
  const Scratch scratch;
  DiskCache cache(scratch.path / "cache", {});
  Maths maths(root, cache);
  CHECK(rendered(maths, "I = \\frac{F}{Q}") ==
        "<math><mrow><mi>I</mi><mo>=</mo><mfrac><mi>F</mi><mi>Q</mi></mfrac></mrow></math>");
  CHECK(rendered(maths, "a < b", true) ==
        "<math class=\"tml-display\" display=\"block\"><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi>"
        "</mrow></math>");
  CHECK(rendered(maths, "\\begin{aligned}a &= b \\\\ c\\end{aligned}") ==
        "<math><mtable class=\"tml-jot\" displaystyle=\"true\"><mtr>"
        "<mtd class=\"tml-right m-l0 m-r0\"><mi>a</mi></mtd>"
        "<mtd class=\"tml-left m-l0 m-r0\"><mrow><mo>=</mo><mi>b</mi></mrow></mtd></mtr>"
        "<mtr><mtd class=\"tml-right m-l0 m-r0\"><mi>c</mi></mtd>"
        "<mtd class=\"tml-left m-l0 m-r0\"></mtd></mtr></mtable></math>");
}

TEST_CASE("fractions stand in exponents and in fractions", "[maths]") {
  const Scratch scratch;
  DiskCache cache(scratch.path / "cache", {});
  Maths maths(root, cache);
  for (const char* formula :
       {"e^{-\\frac{x^2}{2}}", "\\frac{1}{\\frac{1}{a}+\\frac{1}{b}}", "x^{\\frac{a}{b}}"}) {
    CHECK_THAT(rendered(maths, formula), Catch::Contains("class=\"m-d2\""));
  }
}

TEST_CASE("mistakes point into the formula", "[maths]") {
  const Scratch scratch;
  DiskCache cache(scratch.path / "cache", {});
  Maths maths(root, cache);
  CHECK(rendered(maths, "α + \\frak{x} \\unknown{y}") ==
        "unsupported function name: \\unknown [14+8]");
  CHECK(rendered(maths, "\\frac{a}") ==
        "unexpected end of input in a macro argument, expected '}' [8+0]");
  CHECK(rendered(maths, "a_b_c") == "double subscript [3+1]");
  CHECK(rendered(maths, "\\href{javascript:x}{y}") == "unsupported function name: \\href [0+5]");
  CHECK(rendered(maths, std::string(longest_formula + 1, 'x')) ==
        "a formula has at most 4096 bytes [0+4097]");
  CHECK(rendered(maths, "\xff") == "the formula is not UTF-8 text [0+1]");
  CHECK(rendered(maths, "\\char\"1F4A9") ==
        "the maths font has no glyph for U+1F4A9 [0+11] -> \\text{…}");
  CHECK(rendered(maths, "\\color{red}x") ==
        "colors are not allowed in formulas, because pages have a light and a dark theme [0+12]");
  CHECK(rendered(maths, "\\longdiv{x}") ==
        "the pages cannot draw such lines around or through a formula [0+11] -> "
        "\\boxed, \\overline, \\underline, \\cancel or \\sout");
  CHECK(rendered(maths, "\\tag{1} x", true) ==
        "\\tag, \\label, align and gather cannot number equations [0+9] -> "
        "aligned or gathered, and an id after ```math");
}

TEST_CASE("words in formulas have the letters of every language", "[maths]") {
  const Scratch scratch;
  DiskCache cache(scratch.path / "cache", {});
  Maths maths(root, cache);
  // Within <math>, which needs the style sheet for the classes it contains.
  const auto text = [&](const std::string& tex) {
    const std::string html = rendered(maths, tex);
    const auto end = html.find('>') + 1;
    const std::string inside = html.substr(end, html.rfind("</math>") - end);
    CHECK(html.substr(0, end) ==
          (inside.find("\"m-t") == inside.npos ? "<math>" : "<math class=\"m-more\">"));
    return inside;
  };
  CHECK(text("\\text{bytes}") == "<mtext>bytes</mtext>");
  CHECK(text("\\text{débit}") == "<mtext class=\"m-t\">débit</mtext>");
  CHECK(text("\\text{Łódź \\& 内存}") == "<mtext class=\"m-t\">Łódź\u00a0&amp;\u00a0内存</mtext>");
  CHECK(text("\\mbox{é}") == "<mtext class=\"m-t\">é</mtext>");
  CHECK(text("\\textbf{debit}") == "<mtext>𝐝𝐞𝐛𝐢𝐭</mtext>");
  CHECK(text("\\textbf{débit 1}") == "<mtext class=\"m-t m-tb\">débit\u00a01</mtext>");
  CHECK(text("\\textit{thé}") == "<mtext class=\"m-t m-ti\">thé</mtext>");
  CHECK(text("\\texttt{a<é}") == "<mtext class=\"m-t m-tt\">a&lt;é</mtext>");
  CHECK(text("\\textsf{ab}") == "<mtext class=\"m-t m-ts\">ab</mtext>");
  CHECK(text("\\textsc{Año}") == "<mtext class=\"m-t m-sc\">Año</mtext>");
  CHECK(text("\\verb|ab|") == "<mtext class=\"m-t m-tt\">ab</mtext>");
  CHECK(text("\\text{a \\textbf{b} é}") == "<mtext class=\"m-t\">a\u00a0𝐛\u00a0é</mtext>");
  CHECK(text("\\mathrm{año}") == "<mtext class=\"m-t\">año</mtext>");
  CHECK(text("\\mathbf{été}") == "<mtext class=\"m-t m-tb\">été</mtext>");
  CHECK(text("\\operatorname{Größe} x")
            .starts_with("<mrow><mi class=\"m-t\">Größe</mi><mo>\xE2\x81\xA1</mo>"));
  // An error next to such a word has its position.
  CHECK(rendered(maths, "\\operatorname{año} \\foo") == "unsupported function name: \\foo [20+4]");
}

TEST_CASE("a formula that the small font cannot show has the complete one", "[maths]") {
  const Scratch scratch;
  DiskCache cache(scratch.path / "cache", {});
  Maths maths(root, cache);
  CHECK(rendered(maths, "\\boldsymbol{w}") == "<math class=\"m-more m-all\"><mi>𝒘</mi></math>");
  CHECK(rendered(maths, "\\aleph", true) ==
        "<math class=\"m-more m-all tml-display\" display=\"block\"><mi>ℵ</mi></math>");
  for (const char* tex : {"\\boldsymbol{\\theta}",
                          "\\bm{\\Sigma}",
                          "\\mathsf{T}",
                          "\\mathfrak{g}",
                          "\\mathscr{F}",
                          "\\mathtt{abc}",
                          "\\llbracket x \\rrbracket",
                          "\\mathring{A}",
                          "\\checkmark",
                          "\\therefore",
                          "a \\not\\subset b",
                          "\\hbar",
                          "\\varrho",
                          "\\mathbb{1}",
                          "\\iint",
                          "\\bigcup",
                          "\\preceq",
                          "\\square",
                          "\\mathds{1}",
                          "\\mathbfit{x}",
                          "ø",
                          "\\mathring{u}"}) {
    INFO(tex);
    CHECK(rendered(maths, tex).starts_with("<math class=\"m-more m-all\">"));
  }
  for (const char* tex :
       {"\\pmb{x}", "\\cancel{x}", "\\bcancel{x}", "\\xcancel{x}", "\\sout{x}", "\\fbox{x}",
        "\\mathclap{x}", "\\mathllap{x}", "\\rule{1em}{1em}", "\\boldsymbol{1}"}) {
    INFO(tex);
    CHECK(rendered(maths, tex).starts_with("<math class=\"m-more\">"));
  }
  for (const char* tex :
       {"a \\oplus b", "a ⊕ b", "a \\not\\in B", "\\argmax_x", "\\argmin_x", "é + ñ", "\\boxed{x}",
        "\\overline{x}", "\\raisebox{2pt}{x}", "\\sideset{_a^b}{_c^d}\\sum"}) {
    INFO(tex);
    CHECK(rendered(maths, tex).starts_with("<math>"));
  }
  CHECK(rendered(maths, "\\cancel{x}") ==
        "<math class=\"m-more\"><menclose notation=\"updiagonalstrike\"><mi>x</mi>"
        "<mrow class=\"tml-cancel upstrike\"></mrow></menclose></math>");
  CHECK(rendered(maths, "\\pmb{x}") ==
        "<math class=\"m-more\"><mstyle class=\"m-b\"><mi>x</mi></mstyle></math>");
}

TEST_CASE("a formula defines nothing, for itself or for another", "[maths]") {
  const Scratch scratch;
  DiskCache cache(scratch.path / "cache", {});
  Maths maths(root, cache);
  for (const std::string name : {"def", "gdef", "edef", "xdef", "let", "futurelet", "newcommand",
                                 "renewcommand", "providecommand", "global", "long"}) {
    CHECK(rendered(maths, "α\\" + name + "\\a{x}\\a\\a") ==
          "a formula defines no commands: write out what \\" + name + " would stand for [2+" +
              std::to_string(name.size() + 1) + "]");
  }
  CHECK(rendered(maths, "\\definecolor").find("defines no commands") == std::string::npos);
  CHECK(rendered(maths, "\\x") == "unsupported function name: \\x [0+2]");
}

TEST_CASE("a formula's rows are bounded with their columns", "[maths]") {
  const Scratch scratch;
  DiskCache cache(scratch.path / "cache", {});
  Maths maths(root, cache);
  const auto matrix = [](std::size_t columns, const std::string& end, std::size_t rows) {
    std::string tex = "\\begin{matrix}" + std::string(columns, '&');
    for (std::size_t i = 0; i < rows; ++i) tex += end;
    return tex + "\\end{matrix}";
  };
  for (const std::string end : {"\\\\", "\\cr ", "\\newline "}) {
    INFO(end);
    CHECK(
        rendered(maths, matrix(200, end, 50))
            .starts_with(
                "a formula has too many rows and columns: 51 rows and 200 \"&\" come to 10251 cells"));
  }
  CHECK(rendered(maths, matrix(20, "\\\\", 20)).starts_with("<math>"));
  CHECK(rendered(maths, std::string(4000, '{') + "x") ==
        "the formula is nested too deeply [0+4001]");
}

TEST_CASE("all formulas of a book have one bound, whatever the cache knows", "[maths]") {
  const Scratch scratch;
  DiskCache cache(scratch.path / "cache", {});
  const std::string script = R"(while read -r line; do id=${line#*\"id\":}
    echo "{\"id\":${id%%,*},\"mathml\":\"<math><mi>x</mi></math>\"}"; done)";
  const std::vector<Formula> formulas{
      {"aa", false}, {"aa", false}, {"bb", false}, {"cc", false}, {"d", false}};
  const auto all = [&](std::size_t tex, std::size_t mathml) {
    Maths::Options options = shell(script);
    options.most_tex = tex;
    options.most_mathml = mathml;
    std::string letters;
    for (const auto& one : Maths(root, cache, options).render(formulas)) {
      const std::string said = shown(one);
      letters += said.starts_with("<math>")                                      ? 'x'
                 : said.find("bytes of TeX, which is the limit") != said.npos    ? 't'
                 : said.find("bytes of MathML, which is the limit") != said.npos ? 'm'
                                                                                 : '?';
    }
    return letters;
  };
  const std::size_t one = std::string_view("<math><mi>x</mi></math>").size();
  for (const int pass : {1, 2}) {  // without and with a warm cache
    INFO(pass);
    CHECK(all(6, 2 * one) == "xxxmt");
    CHECK(all(4, 100 * one) == "xxxtt");
    CHECK(all(7, 4 * one) == "xxxxx");
  }
}

TEST_CASE("the helper has one time for all formulas", "[maths]") {
  const Scratch scratch;
  DiskCache cache(scratch.path / "cache", {});
  Maths::Options options = shell("exec sleep 60");
  options.patience = 50'000ms;
  options.patience_for_all = 200ms;
  Maths maths(root, cache, options);
  for (const auto& one : maths.render({{"a", false}, {"b", false}, {"c", false}})) {
    CHECK(
        shown(one) ==
        "the book's formulas take longer than 0 s to convert, all together: no time is left for this one [0+1]");
  }
}

TEST_CASE("with every formula cached, Node is not started", "[maths]") {
  const Scratch scratch;
  DiskCache cache(scratch.path / "cache", {});
  const std::vector<Formula> formulas{{"x", false}, {"x", true}, {"y", false}};
  const std::string first = [&] {
    Maths maths(root, cache);
    const auto results = maths.render(formulas);
    CHECK(maths.helper_started());
    return shown(results[0]) + shown(results[1]) + shown(results[2]);
  }();
  Maths maths(root, cache);
  const auto results = maths.render(formulas);
  CHECK(shown(results[0]) + shown(results[1]) + shown(results[2]) == first);
  CHECK_FALSE(maths.helper_started());
}

TEST_CASE("a damaged cache is not believed", "[maths]") {
  const Scratch scratch;
  {
    DiskCache cache(scratch.path, {});
    rendered(*std::make_unique<Maths>(root, cache), "x");
  }
  for (const auto& entry : fs::directory_iterator(scratch.path)) {
    std::ofstream(entry.path()) << "5\nother";
  }
  DiskCache cache(scratch.path, {});
  Maths maths(root, cache);
  CHECK(rendered(maths, "x") == "<math><mi>x</mi></math>");
}

TEST_CASE("a helper that hangs is killed, and only its formula fails", "[maths]") {
  const Scratch scratch;
  DiskCache cache(scratch.path / "cache", {});
  // Answers every request, but sleeps when it sees "hang".
  const std::string script = R"(while read -r line; do case "$line" in
    *hang*) sleep 60 ;;
    *) id=${line#*\"id\":}; echo "{\"id\":${id%%,*},\"mathml\":\"<math><mi>x</mi></math>\"}" ;;
  esac; done)";
  Maths::Options options = shell(script);
  options.patience = 5'000ms;  // enough for a busy machine to start the shell
  Maths maths(root, cache, options);
  const auto results = maths.render({{"a", false}, {"hang", false}, {"b", false}});
  CHECK(shown(results[0]) == "<math><mi>x</mi></math>");
  CHECK(shown(results[1]) == "the formula takes too long to convert [0+4]");
  CHECK(shown(results[2]) == "<math><mi>x</mi></math>");
}

TEST_CASE("a helper that dies, raves or is not there fails in words", "[maths]") {
  const Scratch scratch;
  DiskCache cache(scratch.path / "cache", {});
  Maths dies(root, cache, shell("exit 1"));
  CHECK(rendered(dies, "x") == "the formula converter fails on this formula [0+1]");
  Maths raves(root, cache, shell("yes"));
  CHECK(rendered(raves, "x") == "the formula converter fails on this formula [0+1]");
  Maths silent(root, cache, {{"true"}, 60'000ms});
  CHECK(rendered(silent, "xy") == "true, which converts formulas, does not start [0+2]");
  Maths missing(root, cache, {{"no-such-program"}, 60'000ms});
  CHECK(rendered(missing, "xy") ==
        "no-such-program, which converts formulas, does not start [0+2]");
}

TEST_CASE("MathML that the pages cannot show is refused", "[maths]") {
  CHECK(cleaned("<math xmlns=\"x\" id=\"a\"><mi href=\"b\">x</mi></math>") ==
        "<math><mi>x</mi></math>");
  CHECK(cleaned("<math><mi style=\"color:red;\">x</mi></math>") ==
        "unsupported MathML style \"color:red\" [0+0]");
  CHECK(cleaned("<math><mstyle mathcolor=\"red\">x</mstyle></math>") ==
        "colors are not allowed in formulas, because pages have a light and a dark theme [0+0]");
  CHECK(cleaned("<math><script>x</script></math>") == "the pages cannot show <script> [0+0]");
  CHECK(cleaned("<math><mi onclick=\"x\">x</mi></math>") ==
        "unsupported MathML attribute onclick [0+0]");
  CHECK(cleaned("<math><mi class=\"new\">x</mi></math>") == "unsupported Temml class new [0+0]");
  CHECK(cleaned("<math><menclose>x</menclose></math>") ==
        "the pages cannot draw such lines around or through a formula [0+0] -> "
        "\\boxed, \\overline, \\underline, \\cancel or \\sout");
  CHECK(cleaned("<math><mtext>\xE2\x80\xAE</mtext></math>") ==
        "the formula contains U+202E (right-to-left override) [0+0]");
  for (const char* broken : {"<math><mi>x</math>", "<math>", "x", "<math", "</math>",
                             "<math a></math>", "<math>&bad;</math>", "<math>\xff</math>"}) {
    INFO(broken);
    CHECK(cleaned(broken) == "the converter's MathML is not well-formed [0+0]");
  }
}

TEST_CASE("every glyph must be in the font, as browsers draw it", "[maths]") {
  CHECK(cleaned("<math><mi>y</mi></math>") ==
        "the maths font has no glyph for U+1D466 [0+0] -> \\text{…}");
  CHECK(cleaned("<math><mi mathvariant=\"normal\">y</mi></math>") ==
        "<math><mi mathvariant=\"normal\">y</mi></math>");
  CHECK(cleaned("<math><mi>max</mi><mo>\xE2\x81\xA1</mo></math>") ==
        "<math><mi>max</mi><mo>\xE2\x81\xA1</mo></math>");
  const auto unsorted = MathsRepertoire::parse("# U+0041\nU+0062-0063 b, c\nU+\nU+0061\n");
  for (const char32_t letter : U"abc") CHECK(unsorted.has(letter) == (letter != U'\0'));
  CHECK_FALSE(unsorted.has(U'A'));
  const auto both = MathsRepertoire::parse("U+0061\n+U+0062-0063\n+ U+0064\n");
  CHECK((both.has(U'a') && both.has(U'c') && !both.has(U'd')));
  CHECK((both.in_subset(U'a') && !both.in_subset(U'b')));
  CHECK(maths_italic(U'h') == 0x210e);
  CHECK(maths_italic(U'z') == 0x1d467);
  CHECK(maths_italic(0x3b2) == 0x1d6fd);
  CHECK(maths_italic(U'7') == U'7');
}

TEST_CASE("what GitHub would not render alike is an error with a cure", "[maths]") {
  CHECK(problem("2n^2d + T_{mem}") == "");
  CHECK(problem("10\\,000") ==
        "GitHub drops the backslash of \"\\,\" between dollars [2+2] -> $`10\\,000`$");
  CHECK(problem("a<b>c") == "GitHub may read \"<\" as the beginning of a tag [1+1] -> $`a<b>c`$");
  CHECK(problem("a < b > c") == "");
  CHECK(problem("I^* = P") == "on GitHub \"*\" may begin or end emphasis [2+1] -> I^\\ast  = P");
  CHECK(problem("a * b") == "");
  CHECK(problem("\\text{a}_{b} + \\text{c}_{d}") ==
        "on GitHub \"_\" begins and ends emphasis here [8+16] -> $`\\text{a}_{b} + "
        "\\text{c}_{d}`$");
  CHECK(problem("10\\,000", MathsForm::backticks) == "");
  CHECK(problem("10\\,000", MathsForm::double_dollars) ==
        "GitHub drops the backslash of \"\\,\" between dollars [2+2] -> a ```math block");
  CHECK(problem("\\|x\\| * y", MathsForm::block) == "");
}

TEST_CASE("bars do not survive in tables", "[maths]") {
  CHECK(problem("|x|y", MathsForm::backticks, true) ==
        "a bar ends the cell of a table on GitHub [0+1] -> \\lvert x\\rvert y");
  CHECK(problem("\\|x\\|", MathsForm::dollars, true) ==
        "a bar ends the cell of a table on GitHub [1+1] -> \\lVert x\\rVert");
  CHECK(problem("a|b", MathsForm::dollars, true) ==
        "a bar ends the cell of a table on GitHub [1+1] -> a\\mid b");
}

TEST_CASE("dollars next to a letter or digit are not a formula", "[maths]") {
  CHECK(unread("about 3$x$ and") == "$x$");
  CHECK(unread("the $x$s of") == "$x$");
  CHECK(unread("costs $5 and $10") == "");
  CHECK(unread("US$5 and US$10 more") == "");
  CHECK(unread("no dollars") == "");
}
