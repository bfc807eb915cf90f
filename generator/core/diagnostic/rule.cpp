#include "generator/core/diagnostic/rule.hpp"

#include <algorithm>
#include <array>

namespace primer {
namespace {
// In the order of the enumeration, because info() uses a rule as index.
constexpr std::array rules = {
    RuleInfo{Rule::file_unreadable, "file-unreadable", "A file is missing or cannot be read.",
             "Create it, or correct the path."},
    RuleInfo{Rule::file_too_large, "file-too-large", "A file exceeds the size limit.",
             "Split the chapter; 512 KiB is the limit."},
    RuleInfo{Rule::file_not_utf8, "file-not-utf8", "A file is not valid UTF-8 text.",
             "Save it as UTF-8 without control characters."},
    RuleInfo{Rule::hidden_character, "hidden-character",
             "An invisible character, or one that changes the direction of text.",
             "Remove it; joiners are allowed between emoji or joining letters, isolates in "
             "right-to-left languages."},
    RuleInfo{Rule::mixed_scripts, "mixed-scripts",
             "One word of code or one host mixes scripts whose letters look alike (a warning).",
             "Check that each letter is the one you meant."},
    RuleInfo{Rule::unlisted_chapter, "unlisted-chapter",
             "A file that looks like part of the book but is not published.",
             "List it in book.yaml, rename it, or move it out of chapters/."},
    RuleInfo{Rule::alias_taken, "alias-taken", "A former address (alias) that is still in use.",
             "Remove it, or choose an alias that no page has or had."},
    RuleInfo{Rule::address_taken, "address-taken", "Two files of the site have the same address.",
             "Rename one of them; a different case is not enough, because some servers ignore it."},
    RuleInfo{Rule::path_outside_book, "path-outside-book", "A path leaves the book's directory.",
             "Use a path inside the book, without a leading '..' or symbolic links."},
    RuleInfo{Rule::nesting_too_deep, "nesting-too-deep", "Blocks or marks are nested too deeply.",
             "Flatten it; 100 levels are the limit."},
    RuleInfo{Rule::table_too_large, "table-too-large", "A table has too many cells.",
             "Split the table; 20,000 cells are the limit."},
    RuleInfo{Rule::bad_yaml, "bad-yaml", "YAML that does not parse or uses a forbidden feature.",
             "Correct the syntax; anchors, aliases, tags and second documents are not allowed."},
    RuleInfo{Rule::unknown_key, "unknown-key", "A key that is not allowed here.",
             "Correct its spelling or remove it."},
    RuleInfo{Rule::missing_key, "missing-key", "A required key is missing.", "Add it."},
    RuleInfo{Rule::wrong_type, "wrong-type", "A value has the wrong type.",
             "Write the type that the message names."},
    RuleInfo{Rule::bad_value, "bad-value", "A value is not one of those allowed.",
             "Write one of the values that the message names."},
    RuleInfo{Rule::bad_json, "bad-json", "A JSON file does not parse or has the wrong shape.",
             "Correct the file at the place shown."},
    RuleInfo{Rule::duplicate_id, "duplicate-id", "Two things have the same id.",
             "Rename one; ids are unique within a chapter."},
    RuleInfo{Rule::bad_id, "bad-id", "An id has characters that ids cannot have.",
             "Use lower-case letters, digits and hyphens, beginning with a letter."},
    RuleInfo{Rule::raw_html, "raw-html", "Raw HTML in a chapter.",
             "Use Markdown; HTML never reaches the page."},
    RuleInfo{Rule::foreign_syntax, "foreign-syntax",
             "Another tool's syntax, which would be printed unchanged.",
             "Write it as the note says; put literal text in backticks."},
    RuleInfo{Rule::stray_mark, "stray-mark",
             "A Markdown mark that would be printed or has an unintended effect.",
             "Close it, move it next to a space, or write a backslash before it."},
    RuleInfo{Rule::lost_text, "lost-text", "Text of a chapter that is not on the page.",
             "Rewrite it so that Markdown shows it, or remove it."},
    RuleInfo{Rule::unused_definition, "unused-definition", "A link definition that no text uses.",
             "Write [text][name] where the link belongs, or remove the definition."},
    RuleInfo{Rule::unsafe_link, "unsafe-link", "A link with a URL scheme that is not allowed.",
             "Use https, http, mailto, a path inside the book, or one of the book's own schemes."},
    RuleInfo{Rule::misleading_link, "misleading-link",
             "A link whose text names another host, or whose address hides the host.",
             "Name the real host in the text, and write it plainly in the address."},
    RuleInfo{Rule::bad_image, "bad-image", "An image that cannot be published.",
             "Put an SVG, PNG, JPEG or WebP file under chapters/ and write alternative text."},
    RuleInfo{Rule::dead_link, "dead-link", "A link to something that does not exist.",
             "Correct the path or the fragment."},
    RuleInfo{Rule::empty_reference, "empty-reference", "A link without text.",
             "Write a text, such as [Figure](#fig-x)."},
    RuleInfo{Rule::bad_heading, "bad-heading", "A heading that breaks the chapter's outline.",
             "Start at ## and go down one level at a time."},
    RuleInfo{Rule::bad_callout, "bad-callout",
             "A callout of an unknown kind or in the wrong place.",
             "Write the marker on the first line of a quote that is not nested."},
    RuleInfo{Rule::bad_tabs, "bad-tabs", "Tabs without a list of labels and texts.",
             "Write a list below > [!TABS]; each item is a label, an empty line and the text."},
    RuleInfo{Rule::bad_caption, "bad-caption", "A caption without a table.",
             "Put 'Table tbl-x: caption' on a separate line right above a table."},
    RuleInfo{Rule::bad_table, "bad-table", "A row has more or fewer cells than the table's head.",
             "Write every cell, including empty ones; write a bar inside a cell as \\|."},
    RuleInfo{Rule::bad_code_block, "bad-code-block", "A code block's language or marks are wrong.",
             "Name a language that can be highlighted, or 'text'."},
    RuleInfo{Rule::unknown_block, "unknown-block", "A block with an option that does not exist.",
             "Correct its spelling."},
    RuleInfo{Rule::unknown_note, "unknown-note", "A side note that is not defined.",
             "Add '[^id]: text' to the chapter."},
    RuleInfo{Rule::unused_note, "unused-note", "A side note that no text refers to.",
             "Write '[^id]' where it belongs, or remove the note."},
    RuleInfo{Rule::unknown_fact, "unknown-fact", "No fact has this id.",
             "Correct it, or add the fact with its source to chapters/facts/."},
    RuleInfo{Rule::unknown_term, "unknown-term", "The glossary has no such term.",
             "Correct it, or add it to chapters/facts/glossary.json."},
    RuleInfo{Rule::unknown_claim, "unknown-claim", "No dated claim has this id.",
             "Correct it, or add it to chapters/facts/claims.json."},
    RuleInfo{Rule::unknown_citation, "unknown-citation", "No reference has this id.",
             "Correct it, or add it to chapters/facts/references.json."},
    RuleInfo{Rule::bad_expression, "bad-expression", "An expression cannot be evaluated.",
             "Correct it at the place shown."},
    RuleInfo{Rule::wrong_literal, "wrong-literal", "A number differs from the value it cites.",
             "Write the value that the message gives."},
    RuleInfo{Rule::unknown_figure, "unknown-figure", "No figure specification has this name.",
             "Correct it, or add figures/specs/<name>.json."},
    RuleInfo{Rule::bad_figure, "bad-figure", "A figure cannot be drawn.",
             "Correct its specification."},
    RuleInfo{Rule::bad_verdict, "bad-verdict", "A verdict does not cover every case.",
             "Add the case that the message names."},
    RuleInfo{Rule::unknown_kernel, "unknown-kernel", "No kernel has this name.",
             "Correct it; the registry is wasm_kernels/registry.hpp."},
    RuleInfo{Rule::bad_listing, "bad-listing", "A listing's file or region does not exist.",
             "Correct the path or the region's name."},
    RuleInfo{Rule::private_source, "private-source",
             "A listing of a file that must not be published.",
             "Show a committed file in one of the source directories of book.yaml."},
    RuleInfo{Rule::bad_maths, "bad-maths",
             "A formula that does not parse or that GitHub shows "
             "differently.",
             "Correct it as the message says."},
    RuleInfo{Rule::bare_number, "bare-number",
             "A number with a unit in plain text (checked by --prose).",
             "Make it a fact, a computed or a live value, or a claim."},
    RuleInfo{Rule::long_sentence, "long-sentence",
             "A sentence has more than 35 words (a warning, checked by --prose).",
             "Split it, or drop what the reader does not need."},
    RuleInfo{Rule::crowded_sentence, "crowded-sentence",
             "A sentence has more than two linked numbers (a warning, checked by --prose).",
             "Split it, or show the numbers in a table or a displayed sum."},
    RuleInfo{Rule::odd_phrase, "odd-phrase",
             "A phrase that readers of English stumble over (a warning, checked by --prose).",
             "Rewrite it as the message says."},
    RuleInfo{Rule::long_paragraph, "long-paragraph",
             "A paragraph has more than 120 words (checked by --prose).",
             "Split it where the thought turns."},
    RuleInfo{Rule::long_section, "long-section",
             "A section of more than 700 words has no figure, question or measurement (checked by "
             "--prose).",
             "Add a figure, a question or a measurement, or split it."},
    RuleInfo{Rule::placeholder, "placeholder", "The word TODO in a chapter (a warning).",
             "Replace it with your text."},
    RuleInfo{Rule::avoided_word, "avoided-word",
             "A word that the language's list of terms avoids (checked by --prose).",
             "Use the word from site/locales/<language>.terms.json."},
    RuleInfo{Rule::unknown_language, "unknown-language",
             "A language without a locale file, or missing from book.yaml.",
             "List it under languages in book.yaml and add site/locales/<language>.json."},
    RuleInfo{Rule::orphaned_translation, "orphaned-translation",
             "A translation of a chapter that does not exist.",
             "Rename the file to match the chapter's file, or remove it."},
    RuleInfo{Rule::bad_source_mark, "bad-source-mark",
             "A translation mark without a block, or a block without a mark.",
             "Put the mark above the block, or run 'primer translate stamp'."},
    RuleInfo{Rule::stale_translation, "stale-translation",
             "A translated block whose original has changed (a warning).",
             "Translate the change, then run 'primer translate stamp' with the block's line."},
    RuleInfo{Rule::missing_translation, "missing-translation",
             "A translated chapter lacks a block, or a label of its figures (a warning).",
             "Add the block and run 'primer translate stamp'; add a label in site/locales/."},
    RuleInfo{Rule::unlike_original, "unlike-original",
             "A translated block whose facts, links, citations, formulas or ids differ from the "
             "original.",
             "Copy them unchanged and translate only the words."},
    RuleInfo{Rule::unknown_profile, "unknown-profile", "The reference profile does not exist.",
             "Name a file in figures/profiles/ as the reference in book.yaml."},
    RuleInfo{Rule::template_error, "template-error", "A template cannot be used.",
             "Correct site/templates/."},
    RuleInfo{Rule::missing_module, "missing-module", "A WebAssembly module has not been built.",
             "Run scripts/build, or pass --modules none for a site that cannot measure."},
    RuleInfo{Rule::output_error, "output-error", "The site cannot be written.", "See the message."},
    RuleInfo{Rule::page_too_large, "page-too-large", "A chapter whose page is too large.",
             "Split it; 8 MiB of HTML, 5,000 links and images, 2,000 headings and code blocks are "
             "the limits."},
    RuleInfo{Rule::more_errors, "more-errors", "A file with more errors than are listed.",
             "Fix the listed errors, then check again."},
};

constexpr bool sequential() {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].rule != static_cast<Rule>(i)) return false;
  }
  return rules.size() == static_cast<std::size_t>(Rule::more_errors) + 1;
}
static_assert(sequential());

}  // namespace

const RuleInfo& info(Rule rule) { return rules[static_cast<std::size_t>(rule)]; }

std::span<const RuleInfo> all_rules() { return rules; }

const RuleInfo* find_rule(std::string_view id) {
  const auto found = std::ranges::find(rules, id, &RuleInfo::id);
  return found == rules.end() ? nullptr : &*found;
}

std::string rule_address(Rule rule, const std::string& base_url) {
  return base_url + rules_url + '#' + std::string(info(rule).id);
}

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

// Files, front matter and fenced blocks.
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
      {Rule::bad_tabs, chapter, "> [!TABS]\n>\n> - C\n> - C++\n",
       "> [!TABS]\n>\n> - C\n>\n>   One.\n>\n> - C++\n>\n>   Two.\n"},
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
      {Rule::long_sentence, chapter, "A sentence" + repeated(" of words", 17) + ".\n",
       "A sentence" + repeated(" of words", 8) + ".\n"},
      {Rule::crowded_sentence, chapter,
       "The steps take [2 ms](<calc: 2 ms>), [3 ms](<calc: 3 ms>) and [4 ms](<calc: 4 ms>).\n",
       "The steps take [2 ms](<calc: 2 ms>) and [3 ms](<calc: 3 ms>). The last takes "
       "[4 ms](<calc: 4 ms>).\n"},
      {Rule::odd_phrase, chapter, "What limits the loop is the memory.\n",
       "The memory limits the loop.\n"},
      {Rule::long_paragraph, chapter, words(130), words(60) + '\n' + words(60)},
      {Rule::long_section, chapter, "## One\n\n" + repeated(words(100) + '\n', 8),
       "## One\n\n" + repeated(words(100) + '\n', 4) + "## Two\n\n" +
           repeated(words(100) + '\n', 4)},
      {Rule::placeholder, chapter, "TODO: say what follows.\n", "The sum follows.\n"},
  };
}

// Translations. All examples share the front matter of the original chapter.
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

// Profiles, templates, modules and output.
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
