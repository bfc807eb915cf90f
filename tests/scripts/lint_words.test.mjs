// The words that scripts/lint rejects in commits, comments and documents.
// Reads the book.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  phrase_faults,
  phrases_in,
  phrases_of_terms,
  prose_of,
  subject_faults,
} from "../../scripts/lib/lint_words.mjs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const of_file = phrases_in(read("scripts/phrases.txt"));
const of_terms = phrases_of_terms(JSON.parse(read("site/locales/en.terms.json")));
const phrases = [...of_file, ...of_terms];

test("a subject begins with a verb, has 72 characters at most and no semicolon", () => {
  for (const subject of ["Cache drawings by facts", "Embed fonts", "Erratum: correct a ridge"])
    assert.deepEqual(subject_faults(subject), [], subject);
  for (const subject of ["The cache is new", "Added a cache", "Caching drawings", "Fixes a cache"])
    assert.match(subject_faults(subject).join(), /not with a verb/, subject);
  assert.match(subject_faults("Add a; remove b").join(), /semicolon/);
  assert.match(subject_faults(`Add ${"x".repeat(80)}`).join(), /72 characters/);
  assert.match(subject_faults("add a cache").join(), /lower case/);
});

test("only comments and documents are prose", () => {
  assert.equal(prose_of("a.cpp", 'say("x");  // Why'), " Why");
  assert.equal(prose_of("a.cpp", 'say("https://x");'), "");
  assert.equal(prose_of("a.mjs", " * Text"), " Text");
  assert.equal(prose_of("scripts/a", "run # Why"), " Why");
  assert.equal(prose_of("a.md", "Text with `code`."), "Text with .");
});

test("a phrase is reported with its place and its replacement", () => {
  const diff = "+++ b/docs/a.md\n@@ -0,0 +7,2 @@\n+It is made anew.\n+Fine.\n";
  const faults = phrase_faults(diff, phrases);
  assert.ok(faults.includes('docs/a.md:7: "anew": write again'), faults.join("\n"));
  assert.deepEqual(phrase_faults("+++ b/a.cpp\n@@ -1 +1 @@\n+say(anew);\n", phrases), []);
});

test("there are at most 40 phrases, each with a replacement and none from the term list", () => {
  assert.ok(of_file.length <= 40, String(of_file.length));
  const avoided = JSON.parse(read("site/locales/en.terms.json")).flatMap(({ avoid }) => avoid);
  for (const [pattern] of of_file)
    assert.deepEqual(
      avoided.filter((words) => pattern.test(words)),
      [],
      String(pattern),
    );
  for (const [pattern, replacement] of phrases) assert.ok(replacement, String(pattern));
});
