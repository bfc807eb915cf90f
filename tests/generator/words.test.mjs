// The words of other languages: whatever the program says has one, and none is of something it no longer says.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const sources = ["generator", "site/runtime", "site/templates"].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => /\.(cpp|js|mustache)$/.test(name))
    .map((name) => readFileSync(join(folder, name), "utf8").replace(/"\s*\+?\s*\n\s*"/g, "")),
);
const languages = readdirSync("site/words");

/** What is looked up by a text that stands there, in code and in templates. */
function* said(source) {
  for (const [, text] of source.matchAll(/\bword(?:s|s_)?\(\s*"((?:[^"\\]|\\.)+)"/g)) yield text;
  for (const [, a, b] of source.matchAll(/\bwords?_?\([^"?;{]*\?\s*"([^"]+)"\s*:\s*"([^"]+)"/g)) yield* [a, b];
  for (const [, text] of source.matchAll(/\{\{(?:word|text) ([^}"]+)\}\}/g)) yield text;
}

for (const name of languages) {
  const words = JSON.parse(readFileSync(join("site/words", name), "utf8"));

  test(`${name}: every word that is said is there`, () => {
    const wanted = [...new Set(sources.flatMap((source) => [...said(source)]))];
    assert.ok(wanted.length > 80, `only ${wanted.length} were found`);
    assert.deepEqual(wanted.filter((text) => !(text in words)), []);
  });

  test(`${name}: every word that is there is said`, () => {
    const unsaid = Object.keys(words).filter(
      (text) => !sources.some((s) => s.includes(`"${text}"`) || s.includes(` ${text}}}`)),
    );
    assert.deepEqual(unsaid, []);
  });

  test(`${name}: placeholders are those of the English`, () => {
    const places = (text) => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const [english, word] of Object.entries(words)) assert.deepEqual(places(word), places(english), english);
  });
}
