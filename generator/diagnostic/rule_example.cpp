#include "generator/diagnostic/rule_example.hpp"

namespace primer {
namespace {

constexpr const char* chapter = "";
constexpr const char* whole_chapter = "chapters/en/01-first.md";
constexpr const char* book = "chapters/book.yaml";
constexpr const char* facts = "chapters/facts/chips.json";
constexpr const char* translation = "chapters/es/second.md";
constexpr const char* command = "primer";
constexpr const char* one_chapter = "title: Small\nchapters:\n  - slug: first\n    number: 1\n";

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string words(int count) {
  std::string all = "A";
  for (int i = 1; i < count; ++i) all += i % 10 == 0 ? ". A" : " word";
  return all + ".\n";
}

std::string figure(const std::string& spec) {
  return "```figure\nid: fig-round\nspec: " + spec +
         "\ncaption: Round numbers.\nalt: A roof.\n```\n";
}

std::string verdict(const std::string& last) {
  return "```verdict\nid: v-memory\non: B.out\ncases:\n"
         "  - when: empty\n    say: Not measured yet.\n"
         "  - when: untrusted\n    say: The clock was not steady.\n"
         "  - when: unavailable\n    say: This browser cannot measure it.\n"
         "  - when: value > 10 GB/s\n    say: Fast.\n  - when: " +
         last + "\n    say: Slow.\n```\n";
}

std::string bench(const std::string& kernel) {
  return "```bench\nid: b-read\nkernels: [\"" + kernel + "\"]\ntry: Measure it.\n```\n";
}

// What a file, its front matter and its blocks are made of.
std::vector<RuleExample> form() {
  const std::string front = "---\ntitle: First\n---\n";
  const std::string one = one_chapter;
  const std::string named = one + "  - slug: second\n";
  return {
      {Rule::file_unreadable, book, named + "  - slug: frist\n", named},
      {Rule::file_too_large, whole_chapter,
       front + repeated(repeated("A long line of text. ", 50) + '\n', 600),
       front + "A line of text.\n"},
      {Rule::file_not_utf8, whole_chapter, front + "A word" + '\0' + " here.\n",
       front + "A word here.\n"},
      {Rule::hidden_character, chapter, "A word\xE2\x80\x8B here.\n", "A word here.\n"},
      {Rule::mixed_scripts, chapter, "Call `c\xD0\xBEpy`.\n", "Call `copy`.\n"},
      {Rule::unlisted_chapter, book, one, named},
      {Rule::alias_taken, whole_chapter, "---\ntitle: First\naliases: [second]\n---\n",
       "---\ntitle: First\naliases: [the-first]\n---\n"},
      {Rule::address_taken, book, named + "pages: [rules]\n", named + "pages: [our-rules]\n"},
      {Rule::path_outside_book, chapter, "![A dot](../../../dot.svg)\n", "![A dot](dot.svg)\n"},
      {Rule::nesting_too_deep, chapter, repeated("> ", 101) + "deep\n", "> deep\n"},
      {Rule::table_too_large, chapter,
       repeated("| a ", 200) + "|\n" + repeated("|---", 200) + "|\n" +
           repeated(repeated("| 1 ", 200) + "|\n", 100),
       "| a | b |\n|---|---|\n| 1 | 2 |\n"},
      {Rule::bad_yaml, whole_chapter, "---\ntitle: First: a beginning\n---\n",
       "---\ntitle: \"First: a beginning\"\n---\n"},
      {Rule::unknown_key, whole_chapter, "---\ntitle: First\nsumary: A text.\n---\n",
       "---\ntitle: First\nsummary: A text.\n---\n"},
      {Rule::missing_key, whole_chapter, "---\nsummary: A text.\n---\n", front},
      {Rule::wrong_type, whole_chapter, "---\ntitle: [First]\n---\n", front},
      {Rule::bad_value, facts,
       "{\n  \"a.power\": {\"value\": \"7 W\", \"sources\": [\"nv\"], \"read\": \"primry\"}\n}\n",
       "{\n  \"a.power\": {\"value\": \"7 W\", \"sources\": [\"nv\"], \"read\": \"primary\"}\n}\n"},
      {Rule::bad_json, facts, "{\n  \"a.power\": {\"value\": \"7 W\", \"sources\": [\"nv\"]},\n}\n",
       "{\n  \"a.power\": {\"value\": \"7 W\", \"sources\": [\"nv\"]}\n}\n"},
      {Rule::duplicate_id, book, named + "  - slug: second\n", named},
      {Rule::bad_id, chapter, "Table tbl_Energy: A caption.\n\n| a |\n|---|\n| 1 |\n",
       "Table tbl-energy: A caption.\n\n| a |\n|---|\n| 1 |\n"},
  };
}

// Links, headings, tables, code.
std::vector<RuleExample> text() {
  return {
      {Rule::raw_html, chapter, "A <b>bold</b> word.\n", "A **bold** word.\n"},
      {Rule::foreign_syntax, chapter, "::: {.callout-note}\nA word.\n:::\n",
       "> [!NOTE]\n> A word.\n"},
      {Rule::stray_mark, chapter, "The product 2*3*4.\n", "The product 2\\*3\\*4.\n"},
      {Rule::lost_text, chapter, "The [3.35 TB/s](fact:h100-sxm.bandwidth \"at most\").\n",
       "At most [3.35 TB/s](fact:h100-sxm.bandwidth).\n"},
      {Rule::unused_definition, chapter, "[Warning]: hot \"surface\"\n",
       "\\[Warning]: hot \"surface\"\n"},
      {Rule::unsafe_link, chapter, "[Here](javascript:alert(1))\n",
       "[Here](https://example.org/)\n"},
      {Rule::misleading_link, chapter, "[https://github.com](https://github.com@example.org/)\n",
       "[https://github.com](https://github.com/)\n"},
      {Rule::bad_image, chapter, "![](dot.svg)\n", "![A dot](dot.svg)\n"},
      {Rule::dead_link, chapter, "See [the section](second.md#only-sections).\n",
       "See [the section](second.md#only-section).\n"},
      {Rule::empty_reference, chapter, "See [](second.md).\n", "See [the second](second.md).\n"},
      {Rule::bad_heading, chapter, "## One\n\n#### Two\n", "## One\n\n### Two\n"},
      {Rule::bad_callout, chapter, "> [!NOET]\n> A text.\n", "> [!NOTE]\n> A text.\n"},
      {Rule::bad_caption, chapter, "Table tbl-energy: A caption.\n\nNo table.\n",
       "Table tbl-energy: A caption.\n\n| a |\n|---|\n| 1 |\n"},
      {Rule::bad_table, chapter, "| a | b |\n|---|---|\n| 1 |\n",
       "| a | b |\n|---|---|\n| 1 | |\n"},
      {Rule::bad_code_block, chapter, "```pyhton\nprint(1)\n```\n", "```python\nprint(1)\n```\n"},
      {Rule::unknown_block, chapter, "```listing big\nsource: wasm_kernels/add.cpp#body\n```\n",
       "```listing\nsource: wasm_kernels/add.cpp#body\n```\n"},
      {Rule::unknown_note, chapter, "A word.[^why]\n", "A word.[^why]\n\n[^why]: Because.\n"},
      {Rule::unused_note, chapter, "A word.\n\n[^why]: Because.\n",
       "A word.[^why]\n\n[^why]: Because.\n"},
  };
}

// Numbers, sources, figures, measurements.
std::vector<RuleExample> content() {
  return {
      {Rule::unknown_fact, chapter, "It reads [3.35 TB/s](fact:h100-sxm.bandwith).\n",
       "It reads [3.35 TB/s](fact:h100-sxm.bandwidth).\n"},
      {Rule::unknown_term, chapter, "The [memory](term:hmb).\n", "The [memory](term:hbm).\n"},
      {Rule::unknown_claim, chapter, "It is [announced](claim:rubin-bandwith).\n",
       "It is [announced](claim:rubin-bandwidth).\n"},
      {Rule::unknown_citation, chapter, "As measured [@nvv].\n", "As measured [@nv].\n"},
      {Rule::bad_expression, chapter, "[12 B](<calc: 3 * 4 Byes>)\n", "[12 B](<calc: 3 * 4 B>)\n"},
      {Rule::wrong_literal, chapter, "It reads [3.5 TB/s](fact:h100-sxm.bandwidth).\n",
       "It reads [3.35 TB/s](fact:h100-sxm.bandwidth).\n"},
      {Rule::unknown_figure, chapter, figure("ruond"), figure("round")},
      {Rule::bad_figure, "figures/specs/round.json",
       "{\n  \"kind\": \"rooflin\",\n  \"title\": \"Round numbers\",\n  \"machines\": "
       "[{\"label\": \"M\", \"peak\": \"100 TFLOP/s\", \"bandwidth\": \"1 TB/s\"}]\n}\n",
       "{\n  \"kind\": \"roofline\",\n  \"title\": \"Round numbers\",\n  \"machines\": "
       "[{\"label\": \"M\", \"peak\": \"100 TFLOP/s\", \"bandwidth\": \"1 TB/s\"}]\n}\n"},
      {Rule::bad_verdict, chapter, verdict("otherwize"), verdict("otherwise")},
      {Rule::unknown_kernel, chapter, bench("stream.reed"), bench("stream.read")},
      {Rule::bad_listing, chapter, "```listing\nsource: wasm_kernels/add.cpp#bdy\n```\n",
       "```listing\nsource: wasm_kernels/add.cpp#body\n```\n"},
      {Rule::private_source, chapter, "```listing\nsource: .git/config\n```\n",
       "```listing\nsource: wasm_kernels/add.cpp#body\n```\n"},
      {Rule::bad_maths, chapter, "A pair $(a\\,b)$.\n", "A pair $`(a\\,b)`$.\n"},
      {Rule::bare_number, chapter, "It reads 3.35 TB/s.\n",
       "It reads [3.35 TB/s](fact:h100-sxm.bandwidth).\n"},
      {Rule::long_sentences, chapter,
       "This sentence goes on and on, because whoever wrote it did not stop where the first thought "
       "had ended but added another.\n",
       "This sentence stops where its thought ends. The next one begins.\n"},
      {Rule::long_paragraph, chapter, words(130), words(60) + '\n' + words(60)},
      {Rule::long_section, chapter, "## One\n\n" + repeated(words(100) + '\n', 8),
       "## One\n\n" + repeated(words(100) + '\n', 4) + "## Two\n\n" +
           repeated(words(100) + '\n', 4)},
  };
}

// Other languages. The front matter of the chapter that they translate is that of every example.
std::vector<RuleExample> translations() {
  const std::string chapters = "chapters:\n  - slug: first\n    number: 1\n  - slug: second\n";
  const std::string front = "---\ntitle: Segundo\nfrom: \"bc11ab0f\"\n---\n";
  const std::string heading = "<!-- from d541195e -->\n## La única sección\n\n";
  const std::string text = "<!-- from 2b6c69ae -->\nTexto.\n";
  return {
      {Rule::avoided_word, translation,
       front + heading + "<!-- from 2b6c69ae -->\nEl conjunto de trabajo.\n",
       front + heading + "<!-- from 2b6c69ae -->\nLos datos en uso.\n"},
      {Rule::unknown_language, book, "title: Small\nlanguages: [en, se]\n" + chapters,
       "title: Small\nlanguages: [en, es]\n" + chapters},
      {Rule::orphaned_translation, "chapters/es/secnod.md", front, ""},
      {Rule::bad_source_mark, translation, front + heading + "Texto.\n", front + heading + text},
      {Rule::stale_translation, translation, front + heading + "<!-- from 0a1b2c3d -->\nTexto.\n",
       front + heading + text},
      {Rule::missing_translation, translation, front + heading, front + heading + text},
      {Rule::unlike_original, translation,
       front + heading + "<!-- from 2b6c69ae -->\nTexto, con [más](https://example.org/).\n",
       front + heading + text},
  };
}

// What surrounds the book.
std::vector<RuleExample> surroundings() {
  const std::string named = std::string(one_chapter) + "  - slug: second\n";
  return {
      {Rule::unknown_profile, book, "reference: tset\n" + named, "reference: test\n" + named},
      {Rule::template_error, "site/templates/page.mustache", "<title>{{titel}}</title>\n",
       "<title>{{title}}</title>\n"},
      {Rule::missing_module, command, "primer build --modules /tmp", "primer build --modules none"},
      {Rule::output_error, command, "primer build --out README.md/site",
       "primer build --out build/site"},
      {Rule::page_too_large, chapter, repeated("[A link](https://example.org/)\n", 5001),
       "[A link](https://example.org/)\n"},
      {Rule::more_errors, chapter, repeated("A <b>.\n", 102), "A word.\n"},
  };
}

}  // namespace

std::vector<RuleExample> rule_examples() {
  std::vector<RuleExample> all = form();
  for (const auto& part : {text(), content(), translations(), surroundings()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace primer
