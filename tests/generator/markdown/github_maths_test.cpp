// Formulas that GitHub would not render like the site, and how to write them instead.
#include "generator/core/markdown/formula.hpp"

#include "catch.hpp"

namespace {

using primer::MathsForm;

// "offset+length: message → suggestion", or "".
std::string told(const std::optional<figures::Error>& error) {
  if (!error) return "";
  return std::to_string(error->offset) + "+" + std::to_string(error->length) + ": " +
         error->message + (error->suggestion.empty() ? "" : " → " + error->suggestion);
}
std::string between_dollars(std::string_view tex) {
  return told(primer::unlike_github(tex, MathsForm::dollars, false));
}
std::string in_cell(std::string_view tex) {
  return told(primer::unlike_github(tex, MathsForm::backticks, true));
}
std::string plain(std::string_view text) { return told(primer::unread_formula(text)); }

const std::string emphasis = "on GitHub \"_\" begins and ends emphasis here → ";
const std::string star = "on GitHub \"*\" may begin or end emphasis → ";

}  // namespace

TEST_CASE("github maths: a bar in a table has a name instead", "[maths]") {
  const std::string bar = "a bar ends the cell of a table on GitHub → ";
  CHECK(in_cell("|x|") == "0+1: " + bar + "\\lvert x\\rvert");
  CHECK(in_cell("a|b") == "1+1: " + bar + "a\\mid b");
  CHECK(in_cell("a|2") == "1+1: " + bar + "a\\mid2");
  CHECK(in_cell("a\\|b") == "2+1: " + bar + "a\\parallel b");
  CHECK(in_cell("\\|x\\|+1") == "1+1: " + bar + "\\lVert x\\rVert+1");
  CHECK(in_cell("|a|b|c|") == "0+1: " + bar + "\\lvert a\\rvert b\\lvert c\\rvert");
  CHECK(in_cell("a\\b|") == "3+1: " + bar + "a\\b\\mid");
  CHECK(in_cell("x") == "");
  CHECK(in_cell("a\\|") == "2+1: " + bar + "a\\parallel");
  CHECK(in_cell(std::string_view("a|b").substr(0, 2)) == "1+1: " + bar + "a\\mid");
  CHECK(told(primer::unlike_github("|x|", MathsForm::block, false)) == "");
  CHECK(told(primer::unlike_github("|x|", MathsForm::dollars, true)) ==
        "0+1: " + bar + "\\lvert x\\rvert");
}

TEST_CASE("github maths: escapes, tags and emphasis are read only between dollars", "[maths]") {
  const std::string backslash = "GitHub drops the backslash of \"\\,\" between dollars → ";
  CHECK(between_dollars("a\\,b") == "1+2: " + backslash + "$`a\\,b`$");
  CHECK(told(primer::unlike_github("a\\,b", MathsForm::double_dollars, false)) ==
        "1+2: " + backslash + "a ```math block");
  CHECK(told(primer::unlike_github("a\\,b", MathsForm::backticks, false)) == "");
  CHECK(told(primer::unlike_github("a\\,b", MathsForm::block, false)) == "");
  CHECK(between_dollars("\\alpha") == "");
  CHECK(between_dollars("a\\") == "");
  CHECK(between_dollars("\\ a") == "");
  CHECK(between_dollars("a\\,").substr(0, 3) == "1+2");
  CHECK(between_dollars(std::string_view("a\\,b").substr(0, 2)) == "");
}

TEST_CASE("github maths: less than a letter, with a greater behind, may be a tag", "[maths]") {
  const std::string tag = "GitHub may read \"<\" as the beginning of a tag → ";
  CHECK(between_dollars("a<b>c") == "1+1: " + tag + "$`a<b>c`$");
  for (const char* tex : {"a</b>", "a<!b>", "a<?b>"})
    CHECK(between_dollars(tex).find(tag) != std::string::npos);
  CHECK(between_dollars("a<b") == "");
  CHECK(between_dollars("a< b>c") == "");
  CHECK(between_dollars("a<2>c") == "");
  CHECK(between_dollars("a<") == "");
  CHECK(between_dollars("a>b") == "");
}

TEST_CASE("github maths: underscores that open and close emphasis", "[maths]") {
  CHECK(between_dollars("a_b") == "");
  CHECK(between_dollars("a_{b}+c_{d}") == "");
  CHECK(between_dollars("_a_") == "0+3: " + emphasis + "$`_a_`$");
  CHECK(between_dollars("a_b_c") == "");
  CHECK(between_dollars("x _a b_ y") == "2+5: " + emphasis + "$`x _a b_ y`$");
  CHECK(between_dollars("x _ a _ y") == "");
  CHECK(between_dollars("(_a_)b") == "1+3: " + emphasis + "$`(_a_)b`$");
  CHECK(between_dollars("a_ _b") == "");
  CHECK(between_dollars("_a") == "");
  CHECK(between_dollars("a_") == "");
  CHECK(between_dollars("__a__") == "0+5: " + emphasis + "$`__a__`$");
  CHECK(between_dollars("x\n_a_") == "2+3: " + emphasis + "$`x\n_a_`$");
  CHECK(between_dollars("x\t_a_") == "2+3: " + emphasis + "$`x\t_a_`$");
}

TEST_CASE("github maths: a star that can open or close is written by name", "[maths]") {
  CHECK(between_dollars("a*b") == "1+1: " + star + "a\\ast b");
  CHECK(between_dollars("a * b") == "");
  CHECK(between_dollars("a *b") == "2+1: " + star + "a \\ast b");
  CHECK(between_dollars("a* b") == "1+1: " + star + "a\\ast  b");
  CHECK(between_dollars("a ** b") == "");
  CHECK(between_dollars("x^*") == "2+1: " + star + "x^\\ast ");
  CHECK(between_dollars(" * ") == "");
}

TEST_CASE("github maths: a dollar that nothing closes", "[maths]") {
  const std::string open = "unclosed formula: the closing $ is missing or has a space before it";
  CHECK(plain("costs $x") == "6+1: " + open);
  CHECK(plain("$\\alpha") == "0+1: " + open);
  CHECK(plain("costs $5") == "");
  CHECK(plain("US$x") == "");
  CHECK(plain("a $") == "");
  CHECK(plain("a $ b") == "");
  CHECK(plain("a $$x") == "3+1: " + open);
  CHECK(plain(std::string_view("a $x").substr(0, 3)) == "");
  CHECK(plain("nothing") == "");
}

TEST_CASE("github maths: a formula next to a letter or a digit is not one", "[maths]") {
  const std::string beside = "a formula must not touch a letter or digit → ";
  CHECK(plain("2$n$") == "1+3: " + beside + "$`n`$");
  CHECK(plain("$n$th") == "0+3: " + beside + "$`n`$");
  CHECK(plain("$n$2") == "0+3: " + beside + "$`n`$");
  CHECK(plain("a $n$ b") == "");
  CHECK(plain("$n$-th") == "");
  CHECK(plain("$n $x") ==
        "3+1: unclosed formula: the closing $ is missing or has a space before it");
  CHECK(plain("US$5 and US$10") == "");
  CHECK(plain("x$a b=c$") == "1+7: " + beside + "$`a b=c`$");
  CHECK(plain("x$a b$") == "");
  CHECK(plain("2$a= $") == "");
  CHECK(plain(std::string_view("$n$2").substr(0, 3)) == "");
}
