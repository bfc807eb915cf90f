// The form fields of a block, and the lines that are written when one of them changes.
#include "generator/tools/forms/block_form.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "catch.hpp"

#include "generator/core/base/text.hpp"

using namespace primer;

namespace {

using Kind = SchemaField::Kind;
using Values = std::vector<std::string>;

const std::string bench =
    "---\ntitle: T\n---\n\nText.\n\n```bench\nid: bench-x\n# which ones\nkernels:\n  - a.b{n=1}\n"
    "  - \"c: d\"\nquick: true\ntry: >-\n  One line\n  and another.\n```\n\nMore.\n";

std::optional<BlockForm> form_of(const std::string& text, int line) {
  Diagnostics diagnostics;
  return block_form(Source("", text), line, diagnostics);
}

const FormField& field_of(const BlockForm& form, const std::string& name) {
  return *std::ranges::find(form.fields, name, [](const auto& one) { return one.schema.name; });
}

// The text after a change of a field, or "refused" if a form cannot make it.
std::string changed(const std::string& text, int line, const std::string& name,
                    const Values& value) {
  const auto edit = with_field(Source("", text), line, name, value);
  if (!edit) return "refused";
  const auto old = split_lines(text);
  std::string made;
  for (int i = 1; i <= static_cast<int>(old.size()); ++i) {
    if (i == edit->replaced.first)
      for (const auto& one : edit->lines) made += one + '\n';
    if (i < edit->replaced.first || i >= edit->replaced.end)
      made += std::string(old[static_cast<std::size_t>(i - 1)]) + '\n';
  }
  return made;
}

}  // namespace

TEST_CASE("block form: fields, their help, their values and their lines") {
  for (const int line : {7, 12, 17}) {
    const auto form = form_of(bench, line);
    REQUIRE(form);
    CHECK(form->kind == "bench");
    CHECK(form->lines.first == 7);
    CHECK(form->lines.end == 18);
    CHECK(form->fields[0].schema.name == "id");
    CHECK(form->fields[1].schema.name == "try");
    const auto& kernels = field_of(*form, "kernels");
    CHECK(kernels.schema.kind == Kind::texts);
    CHECK(kernels.schema.help == "kernels to measure: matmul.packed{n=512}");
    CHECK(kernels.value == Values{"a.b{n=1}", "c: d"});
    CHECK(kernels.lines.first == 10);
    CHECK(kernels.lines.end == 13);
    CHECK(field_of(*form, "id").lines.end == 9);
    CHECK(field_of(*form, "try").value == Values{"One line and another."});
    CHECK(field_of(*form, "try").schema.required);
    CHECK(field_of(*form, "quick").schema.kind == Kind::flag);
    CHECK(field_of(*form, "roofs").value.empty());
    CHECK(field_of(*form, "published").schema.kind == Kind::elsewhere);
  }
  CHECK_FALSE(form_of(bench, 6));
  CHECK_FALSE(form_of(bench, 18));
  CHECK_FALSE(form_of("---\ntitle: T\n---\n\n```python\nid: x\n```\n", 6));
  CHECK_FALSE(form_of("---\ntitle: T\n---\n\n```figure\nid: x\n", 6));
}

TEST_CASE(
    "block form: what cannot be read says why, what cannot be written back is left to the text") {
  Diagnostics diagnostics;
  CHECK_FALSE(
      block_form(Source("x.md", "---\ntitle: T\n---\n\n```figure\nid: [\n```\n"), 6, diagnostics));
  CHECK(diagnostics.has_errors());
  const auto form = form_of(
      "---\ntitle: T\n---\n\n```figure\nid: fig-a # mine\nspec: \"a#b\"\ncaption: {a: b}\nother: 1\n```\n",
      6);
  REQUIRE(form);
  CHECK(field_of(*form, "id").schema.kind == Kind::elsewhere);
  CHECK(field_of(*form, "spec").value == Values{"a#b"});
  CHECK(field_of(*form, "caption").schema.kind == Kind::elsewhere);
  CHECK(field_of(*form, "other").schema.kind == Kind::elsewhere);
  const std::string flow = "---\ntitle: T\n---\n\n```figure\n{id: fig-a, spec: a}\n```\n";
  CHECK(changed(flow, 6, "id", {"fig-b"}) == "refused");
  CHECK(changed(flow, 6, "nothing", {"x"}) == "refused");
}

TEST_CASE("block form: only the lines of a field are written") {
  CHECK(changed(bench, 8, "id", {"bench-y"}) == replace_all(bench, "id: bench-x", "id: bench-y"));
  CHECK(changed(bench, 8, "quick", {}) == replace_all(bench, "quick: true\n", ""));
  CHECK(changed(bench, 8, "roofs", {"true"}) ==
        replace_all(bench, "another.\n", "another.\nroofs: true\n"));
  CHECK(changed(bench, 8, "kernels", {"e.f"}) ==
        replace_all(bench, "  - a.b{n=1}\n  - \"c: d\"\n", "  - e.f\n"));
  const std::string folded = "try: >-\n  One line\n  and another.\n";
  CHECK(changed(bench, 8, "try", {"Short."}) == replace_all(bench, folded, "try: Short.\n"));
  CHECK(changed(bench, 8, "try", {"a: b"}) == replace_all(bench, folded, "try: \"a: b\"\n"));
  CHECK(changed(bench, 8, "try", {"null"}) == replace_all(bench, folded, "try: \"null\"\n"));
}

TEST_CASE("block form: every text that is written is read again") {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "word" + std::to_string(i) + (i % 7 ? " " : ": ");
  for (const std::string& text :
       {words + "end", words + "\n\n" + words + "x", std::string("one\ntwo"), std::string(" #x"),
        std::string("- a"), std::string("\"q\" 'r' \\"), std::string("a  b ") + words + "  c",
        std::string(300, 'x'), std::string("漢字 é"), std::string("```"), std::string("~")}) {
    INFO(text);
    for (const std::string& page :
         {bench, replace_all(replace_all("> " + bench.substr(22), "\n", "\n> "), "> \n", ">\n")}) {
      const std::string whole = page == bench ? page : "---\ntitle: T\n---\n" + page;
      const int line =
          1 + static_cast<int>(std::ranges::count(whole.substr(0, whole.find("bench-x")), '\n'));
      const auto form = form_of(changed(whole, line, "try", {text}), line);
      REQUIRE(form);
      CHECK(field_of(*form, "try").value == Values{text});
      CHECK(field_of(*form, "kernels").value.size() == 2);
      const auto listed = form_of(changed(whole, line, "kernels", {text, "b"}), line);
      REQUIRE(listed);
      CHECK(field_of(*listed, "kernels").value == Values{text, "b"});
    }
  }
}

TEST_CASE(
    "schema fields: one of several values is a choice, one of several forms is not for a form") {
  const auto fields = schema_fields(nlohmann::json::parse(
      R"({"required": ["b"], "properties": {
        "a": {"enum": ["x", "y"]}, "b": {"type": "integer"}, "c": {"anyOf": [{"type": "string"}]},
        "d": {"type": "array", "items": {"type": "object"}}, "e": {"type": "string", "description": "words"}}})"));
  REQUIRE(fields.size() == 5);
  CHECK(fields[0].name == "b");
  CHECK(fields[0].required);
  CHECK(fields[0].kind == Kind::number);
  CHECK(fields[1].options == Values{"x", "y"});
  CHECK(fields[1].kind == Kind::choice);
  CHECK(fields[2].kind == Kind::elsewhere);
  CHECK(fields[3].kind == Kind::elsewhere);
  CHECK(fields[4].help == "words");
}
