// Runs the examples of CommonMark (npm's commonmark-spec) and ours for GitHub's extensions through
// primer's emitter. An example may differ only for a reason in `differences`, and a listed example
// must differ. Needs build/release, or EMIT_BODIES.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const program =
  process.env.EMIT_BODIES ?? path.join(here, "../../../build/release/tests/generator/emit_bodies");
// In the specification, an arrow stands for a tab, and links lead to places that no book has. They
// get a host, so that the emitter follows them. Links that still lead nowhere are in the list.
const local = /(?<![\w/.<\\])\/(?=u(?:rl\d?|ri)\b|foo|bar|path|f(?:ö|%C3|&ouml)|φ|%C[EF])/g;
const usable = (text) => text.replaceAll("→", "\t").replace(local, "https://example.com/");
const examples = createRequire(import.meta.url)("commonmark-spec").tests.map((example) => ({
  ...example,
  markdown: usable(example.markdown),
  html: usable(example.html),
}));
const differences = JSON.parse(
  readFileSync(path.join(here, "commonmark_differences.json"), "utf8"),
);

const emit = (bodies) =>
  JSON.parse(
    execFileSync(program, {
      input: JSON.stringify(bodies),
      maxBuffer: 64 * 2 ** 20,
      encoding: "utf8",
    }),
  );

// Makes two spellings of the same page equal: removes what the emitter adds to each heading, code
// block and table, and writes characters, empty elements and line breaks in one way.
const ours = (html) =>
  html
    .replace(
      /<h(\d) id="[^"]*"><a href="#[^"]*">(?:<span class="number">[^<]*<\/span> )?/g,
      "<h$1>",
    )
    .replace(/<\/a><\/h(\d)>/g, "</h$1>")
    .replace(/<div class="code"><pre tabindex="0"><code class="language-text">/g, "<pre><code>")
    .replace(/<div class="code"><pre tabindex="0">/g, "<pre>")
    .replace(/<\/pre><\/div>/g, "</pre>")
    .replace(/<span class="hl-\w">([^<]*)<\/span>/g, "$1")
    .replace(/<div class="table"[^>]*>|<\/table><\/div>/g, (tag) =>
      tag[1] === "/" ? "</table>" : "",
    )
    .replace(/<th scope="col"/g, "<th")
    .replace(/<th scope="row"( class="\w+")?>([\s\S]*?)<\/th>/g, "<td$1>$2</td>");

// The page curls quotation marks, not Markdown (generator/core/typeset/typography.cpp).
const characters = {
  "&quot;": '"',
  "&#39;": "'",
  "&gt;": ">",
  "“": '"',
  "”": '"',
  "‘": "'",
  "’": "'",
};
const same_spelling = (html) =>
  html
    .replace(/&quot;|&#39;|&gt;|[“”‘’]/g, (entity) => characters[entity])
    .replace(/<(br|hr|img)([^>]*?) ?\/?>/g, "<$1$2/>")
    .replace(/>\s+</g, "><")
    .replace(/\s+(<\/?(?:p|ul|ol|li|blockquote|h\d|hr|pre|table)\b)/g, "$1")
    .replace(/(<\/?(?:p|ul|ol|li|blockquote|h\d|hr)\b[^>]*>)\s+/g, "$1")
    .replace(/\n+<\/code>/g, "</code>")
    .trim();

// The title comes from the front matter, so the emitter writes no h1.
const theirs = (html) => html.replace(/<(\/?)h1>/g, "<$1h2>");

const reason_of = new Map(
  differences.flatMap(({ reason, examples: numbers }) => numbers.map((number) => [number, reason])),
);

const results = emit(examples.map(({ markdown }) => markdown));

for (const [i, { number, section, markdown, html }] of examples.entries()) {
  test(`CommonMark ${number}, ${section}`, () => {
    const is_same = same_spelling(ours(results[i].html)) === same_spelling(theirs(html));
    if (reason_of.has(number)) {
      assert.ok(!is_same, `no longer differs (${reason_of.get(number)}): take it off the list`);
      return;
    }
    assert.equal(same_spelling(ours(results[i].html)), same_spelling(theirs(html)), markdown);
  });
}

// Valid text stays without errors, and a difference has exactly the rules that its reason names.
test("CommonMark: each rejected example is rejected by a rule that its reason names", () => {
  const rules = new Map(differences.map(({ reason, rules: named }) => [reason, named]));
  for (const [i, { number }] of examples.entries()) {
    const found = results[i].rules.filter((rule) => !tolerated.has(rule));
    const named = rules.get(reason_of.get(number)) ?? [];
    const unnamed = found.filter((rule) => !named.includes(rule));
    assert.deepEqual(unnamed, [], `example ${number}: ${JSON.stringify(examples[i].markdown)}`);
  }
});

// These rules do not change the output. They only report that the book does not allow something.
const tolerated = new Set([
  "bad-code-block",
  "bad-heading",
  "bad-table",
  "dead-link", // for text in brackets; a missing link differs and is found above
  "duplicate-id",
  "foreign-syntax",
  "hidden-character", // an entity of U+0000, which Markdown turns into U+FFFD
  "stray-mark",
  "unused-definition",
]);

test("CommonMark: each inline of each example has its exact place", () => {
  const unplaced = examples.filter((_, i) => results[i].unplaced > 0);
  assert.deepEqual(
    unplaced.map(({ number }) => number),
    [],
  );
});

// Checks without the emitter's own code that each word is on the page, in an attribute, or
// reported. Comments, list numbers, entity names and link names are not words.
test("CommonMark: no example loses a word that no rule names", () => {
  const decoded = (text) => text.replace(/&(?:#\d+|#x[\da-f]+|\w+);/gi, " ");
  const bare = (markdown) =>
    decoded(markdown)
      .replace(/<!--[\s\S]*?-->/g, " ")
      .replace(/^[ >\t-]*(?:\d+[.)](?:[ \t]+|$))*/gm, "")
      .replace(/\[[^\]]*\]:/g, " ");
  const words = (text) =>
    String(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const lost = examples.flatMap(({ number, markdown }, i) => {
    if (results[i].rules.length > 0) return [];
    const html = results[i].html.toLowerCase();
    const shown = html + html.replace(/(?:%[\da-f]{2})+/g, (bytes) => decodeURIComponent(bytes));
    const names = new Set(words(markdown.match(/\[[^\]]*\]:/g)));
    const missing = words(bare(markdown)).filter(
      (word) => !shown.includes(word) && !names.has(word),
    );
    return missing.length > 0 ? [{ number, markdown, missing, html }] : [];
  });
  assert.deepEqual(lost, []);
});

const own_cases = [
  {
    name: "a table with alignment and inline marks",
    markdown: "| a | b | c |\n|:--|:-:|--:|\n| *x* | `y` | **z** |\n",
    html:
      '<table><thead><tr><th>a</th><th class="center">b</th><th class="right">c</th></tr></thead>' +
      '<tbody><tr><td><em>x</em></td><td class="center"><code>y</code></td>' +
      '<td class="right"><strong>z</strong></td></tr></tbody></table>',
  },
  {
    name: "a table without a body",
    markdown: "| a |\n|---|\n",
    html: "<table><thead><tr><th>a</th></tr></thead></table>",
  },
  {
    name: "rows with too few and too many cells",
    markdown: "| a | b |\n|---|---|\n| x |\n| x | y | z |\n",
    rules: ["bad-table", "bad-table"],
    html:
      "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>x</td><td></td></tr>" +
      "<tr><td>x</td><td>y</td></tr></tbody></table>",
  },
  {
    name: "an escaped bar in a cell and in its code",
    markdown: "| a |\n|---|\n| x \\| `y \\| z` |\n",
    html: "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>x | <code>y | z</code></td></tr></tbody></table>",
  },
  {
    name: "a table ends at an empty line",
    markdown: "| a |\n|---|\n| 1 |\n\ntext\n",
    html: "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table><p>text</p>",
  },
  {
    name: "no table without a delimiter row",
    markdown: "| a | b |\n| c | d |\n",
    html: "<p>| a | b |\n| c | d |</p>",
  },
  { name: "two tildes strike", markdown: "~~gone~~ here\n", html: "<p><del>gone</del> here</p>" },
  { name: "strike inside a word", markdown: "a~~b~~c\n", html: "<p>a<del>b</del>c</p>" },
  {
    name: "strike with marks inside",
    markdown: "~~*a* `b`~~\n",
    html: "<p><del><em>a</em> <code>b</code></del></p>",
  },
  {
    name: "no strike across paragraphs",
    markdown: "~~a\n\nb~~\n",
    html: "<p>~~a</p><p>b~~</p>",
    rules: ["stray-mark", "stray-mark"],
  },
  {
    name: "three tildes open a code block",
    markdown: "~~~text\na\n~~~\n",
    html: "<pre><code>a</code></pre>",
  },
  {
    name: "tasks, open and done",
    markdown: "- [ ] open\n- [x] done\n- plain\n",
    html: "<ul><li>☐ open</li><li>☑ done</li><li>plain</li></ul>",
  },
  {
    name: "no task without a space, or inside a paragraph",
    markdown: "- [x]no\n\n[x] no\n",
    html: "<ul><li>[x]no</li></ul><p>[x] no</p>",
  },
  {
    name: "a note, once and again",
    markdown: "One[^a] and again[^a].\n\n[^a]: The *note*.\n",
    html:
      '<div class="paragraph">One<details class="note" id="note-1"><summary>' +
      '<span class="visually-hidden">Note </span>1</summary><span class="note-text">The <em>note</em>.</span>' +
      '</details> and again<a class="note-again" href="#note-1"><sup>1</sup></a>.</div>',
  },
  {
    name: "a note that nobody refers to is an error, where GitHub leaves it out",
    markdown: "Text.\n\n[^a]: Unused.\n",
    html: "<p>Text.</p>",
    rules: ["unused-note"],
  },
  {
    name: "a note in a list item",
    markdown: "- x[^a]\n\n[^a]: N.\n",
    html:
      '<ul><li><div class="paragraph">x<details class="note" id="note-1"><summary>' +
      '<span class="visually-hidden">Note </span>1</summary><span class="note-text">N.</span></details></div></li></ul>',
  },
  {
    name: "a bare address is a link",
    markdown: "See https://example.org/a?b=1&c.\n",
    html: '<p>See <a href="https://example.org/a?b=1&amp;c">https://example.org/a?b=1&amp;c</a>.</p>',
  },
];

const own_results = emit(own_cases.map(({ markdown }) => markdown));
for (const [i, { name, markdown, html, rules = [] }] of own_cases.entries()) {
  test(`GitHub's extensions: ${name}`, () => {
    assert.deepEqual(own_results[i].rules, rules, markdown);
    assert.equal(same_spelling(ours(own_results[i].html)), same_spelling(html), markdown);
  });
}
