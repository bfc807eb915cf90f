// The strings of other languages: every string of the program has a translation, and no translation
// belongs to a string that no longer exists.
// Reads the book.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { is_full } from "../rounds.mjs";

/** [name, source] of each file in a folder, with split strings joined. */
const files_in = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.([ch]pp|js|mustache)$/.test(name))
    .map((name) => [
      join(folder, name),
      readFileSync(join(folder, name), "utf8").replace(/"\s*\+?\s*\n\s*"/g, ""),
    ]);

const kernels = files_in("wasm_kernels");
const files = [
  ...["generator", "figures", "site/runtime", "site/static", "site/templates"].flatMap(files_in),
  ...kernels,
];
const sources = files.map(([, source]) => source);
// The strings of models are those of figures, except for errors in links.
const saying = files.filter(([name]) => !name.startsWith("figures/models/"));
// The only translations in the service worker are those that publishing inserts.
const scripts = files.filter(([name]) => name.endsWith(".js") && !name.endsWith("/sw.js"));
// The member with strings that no script uses (generator/core/load/messages.hpp).
const pages_alone = "said by pages alone";
// The member with the strings of scripts that pages load immediately.
const at_first = "said at first";
// The members with forms for figures. Only drawing shows which are used
// (tests/figures/draw/words_test.cpp).
const by_drawings = "said by drawings";
const beside_drawings = "said beside drawings";
// es.terms.json has the terms of the language: a table for translators.
const languages = readdirSync("site/locales").filter((name) => !name.endsWith(".terms.json"));

/** Strings that are looked up by a literal, in code and in templates. */
function* said(source) {
  for (const [, text] of source.matchAll(/(?:\b|_)word(?:s|s_)?\(\s*"((?:[^"\\]|\\.)+)"/g))
    yield text;
  for (const [, a, b] of source.matchAll(
    /(?:\b|_)words?_?\([^"?;{]*\?\s*"([^"]+)"\s*:\s*"([^"]+)"/g,
  ))
    yield* [a, b];
  for (const [, a, b] of source.matchAll(/\boffer\((?:\w+|"[^"]+"), "([^"]+)", "([^"]+)"\)/g))
    yield* [a, b];
  for (const [, text] of source.matchAll(/\{\{(?:word|text) ([^}"]+)\}\}/g)) yield text;
  yield* titles_of_callouts(source);
}

/** The strings in the emitter's table, which are looked up by its members: marker, class, title. */
function* titles_of_callouts(source) {
  const [, table = ""] = source.match(/\bcallouts\[\] = \{([^;]*)\};/) ?? [];
  for (const [, text] of table.matchAll(/\{"[A-Z]+", "[a-z]+", "([^"]+)"\}/g)) yield text;
}

/** The titles of kernels in tables. */
function* titles_of_kernels() {
  for (const [, source] of kernels)
    for (const [, text] of source.matchAll(/\.title = "([^"]+)"/g)) yield text;
}

/** The subjects of facts: "NVIDIA K80, one die". */
function* titles_of_things() {
  for (const name of readdirSync("chapters/facts")) {
    if (/^(references|glossary)\./.test(name)) continue; // their titles differ
    const facts = JSON.parse(readFileSync(join("chapters/facts", name), "utf8"));
    for (const { title } of Object.values(facts)) if (title) yield title;
  }
}

/**
 * The reasons for missing results, and the progress of a measurement. They are translated where
 * they are shown.
 */
function* told(source) {
  for (const [, text] of source.matchAll(/new (?:Error|Unavailable|Hidden)\(\s*"([^"]+)"/g))
    yield text;
  for (const [, text] of source.matchAll(
    /\b(?:reason: |reason = |why = |report\([^"`]+, )"([^"]+)"/g,
  ))
    yield text;
}

/** Whether a source builds this text: the parts between its placeholders are in one file. */
const is_built = (text) => {
  const parts = text.split(/\{\w+\}/);
  return parts.length > 1 && sources.some((s) => parts.every((part) => s.includes(part)));
};

test("the titles of callouts are found", () => {
  const titles = sources.flatMap((source) => [...titles_of_callouts(source)]);
  assert.ok(titles.length >= 9 && titles.includes("Takeaway"), titles.join());
});

for (const name of languages) {
  const file = JSON.parse(readFileSync(join("site/locales", name), "utf8"));
  const {
    [pages_alone]: of_pages = {},
    [at_first]: first = {},
    [by_drawings]: labels = {},
    [beside_drawings]: beside = {},
    ...of_all
  } = file;
  const words = { ...of_all, ...first, ...of_pages };

  test(`${name}: every word that is said is there`, () => {
    const wanted = [...new Set(saying.flatMap(([, source]) => [...said(source)]))];
    assert.ok(wanted.length > 80, `only ${wanted.length} were found`);
    assert.deepEqual(
      wanted.filter((text) => !(text in words)),
      [],
    );
  });

  test(`${name}: every reason and every step of a measurement is there`, () => {
    const wanted = [...new Set(scripts.flatMap(([, source]) => [...told(source)]))];
    assert.ok(wanted.length > 20, `only ${wanted.length} were found`);
    assert.deepEqual(
      wanted.filter((text) => !(text in words)),
      [],
    );
  });

  test(`${name}: every kernel has its name`, () => {
    const wanted = [...titles_of_kernels()];
    assert.ok(wanted.length > 30, `only ${wanted.length} were found`);
    assert.deepEqual(
      wanted.filter((text) => !(text in words)),
      [],
    );
  });

  test(`${name}: every thing that facts are about has its name, unless that is names and numbers`, (t) => {
    const wanted = [...titles_of_things()].filter((title) =>
      /(?<![\w.])[a-z]{2,}(?![\w.])/.test(title),
    );
    assert.ok(wanted.length > 40, `only ${wanted.length} were found`);
    const missing = wanted.filter((text) => !(text in of_pages));
    if (is_full) assert.deepEqual(missing, []);
    for (const text of missing) t.diagnostic(`note: ${name} lacks ${JSON.stringify(text)}`);
  });

  test(`${name}: every word that is there is said`, () => {
    const titles = new Set(titles_of_things());
    const unsaid = Object.keys(words).filter(
      (text) =>
        !titles.has(text) &&
        !sources.some((s) => s.includes(`"${text}"`) || s.includes(` ${text}}}`)) &&
        !is_built(text),
    );
    assert.deepEqual(unsaid, []);
  });

  test(`${name}: what pages alone say no script says`, () => {
    const wanted = scripts.flatMap(([, source]) => [...said(source), ...told(source)]);
    assert.deepEqual(
      wanted.filter((text) => text in of_pages),
      [],
    );
    assert.ok(Object.keys(of_pages).length > 40);
  });

  test(`${name}: pages load at once the words of scripts that say them at once, and no others`, () => {
    const at_once = scripts.filter(([, source]) =>
      /"\.\.?\/(base\/)?first_words\.js"/.test(source),
    );
    assert.ok(at_once.length >= 3);
    for (const [script, source] of at_once) {
      assert.ok(!/import .*base\/language\.js/.test(source), script);
      const wanted = [...said(source.replace(/\b(?:later_word|because_words)\(/g, "("))];
      assert.deepEqual(
        wanted.filter((text) => !(text in first)),
        [],
        script,
      );
    }
    const unsaid = Object.keys(first).filter(
      (text) => !at_once.some(([, source]) => source.includes(`"${text}"`)),
    );
    assert.deepEqual(unsaid, []);
  });

  test(`${name}: placeholders are those of the English`, () => {
    const places = (text) => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const [english, word] of Object.entries(words))
      assert.deepEqual(places(word), places(english), english);
  });

  test(`${name}: forms of drawings have a mark for each of their English, in the order of their bytes`, () => {
    const marks = (text) => text.split("#").length;
    const order = (forms) =>
      Object.keys(forms).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const forms of [labels, beside]) {
      for (const [english, form] of Object.entries(forms))
        assert.equal(marks(form), marks(english), english);
      assert.deepEqual(Object.keys(forms), order(forms));
    }
    assert.deepEqual(
      Object.keys(beside).filter((form) => form in labels),
      [],
    );
  });
}

for (const language of languages.map((name) => name.replace(".json", ""))) {
  test(`${language}: every term of the glossary is explained, in other words than the original's`, () => {
    const [original, own] = ["facts", language].map((folder) =>
      JSON.parse(readFileSync(join("chapters", folder, "glossary.json"), "utf8")),
    );
    assert.deepEqual(Object.keys(own), Object.keys(original));
    for (const [id, { definition }] of Object.entries(own))
      assert.notEqual(definition, original[id].definition, id);
  });
}

for (const name of readdirSync("site/locales").filter((file) => file.endsWith(".terms.json"))) {
  const terms = JSON.parse(readFileSync(join("site/locales", name), "utf8"));

  test(`${name}: a row for each term, in the order of the alphabet`, () => {
    const english = terms.map((row) => row.english.toLowerCase());
    assert.ok(english.length > 20);
    assert.deepEqual(english, [...new Set(english)].sort());
  });

  test(`${name}: a row says its word, and no row avoids the word of another`, () => {
    const members = ["english", "word", "avoid", "why"];
    const kept = new Set(terms.map(({ english, word }) => (word === "=" ? english : word)));
    for (const row of terms) {
      assert.deepEqual(
        Object.keys(row),
        members.filter((member) => member in row),
      );
      assert.ok(row.english && row.word, JSON.stringify(row));
      for (const word of row.avoid ?? []) assert.ok(!kept.has(word), `${row.english}: ${word}`);
    }
  });
}
