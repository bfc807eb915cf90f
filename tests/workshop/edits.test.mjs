// What is wrong with an edited chapter is what `primer check` finds, at the same lines and columns; and whatever a text or a pack
// holds, the program goes on.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { rounds } from "../rounds.mjs";
import { native_book, open_workshop, primer, root, scratch } from "./workshop.mjs";

const folder = scratch();
const book = join(folder, "book");
const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
for (const name of execFileSync("git", listed, { cwd: root, encoding: "utf8" }).split("\0")) {
  if (!/^(chapters|figures|wasm_kernels|tests|site|generator)\//.test(name)) continue;
  mkdirSync(dirname(join(book, name)), { recursive: true });
  cpSync(join(root, name), join(book, name));
}
const { pack } = native_book(folder, book);
const workshop = await open_workshop(pack);

/** What the native program says of a file with this text. */
function native_check(file, text) {
  const before = readFileSync(join(book, file));
  writeFileSync(join(book, file), text);
  try {
    return JSON.parse(primer_said("check", "--format", "json", "--book", book)).filter(
      (one) => one.file === file,
    );
  } finally {
    writeFileSync(join(book, file), before);
  }
}

/** What it prints, whether it finds errors or not. */
function primer_said(...args) {
  try {
    return primer(...args);
  } catch (failure) {
    if (failure.status !== 1) throw failure;
    return failure.stdout;
  }
}

/** The same of the workshop, which is then as it was. */
async function workshop_check(file, text) {
  await workshop.ask({ do: "write", file, text });
  const { diagnostics, page } = await workshop.ask({ do: "make", file });
  await workshop.ask({ do: "revert", file });
  const has_errors = diagnostics.some(({ severity }) => severity === "error");
  assert.equal(page === null, has_errors, "there is a page unless there are errors");
  return diagnostics.filter((one) => one.file === file);
}

async function compare(file, text, name) {
  assert.deepEqual(await workshop_check(file, text), native_check(file, text), name);
}

const file = "chapters/en/01-roofline.md";
const chapter = readFileSync(join(root, file), "utf8");
const added = (text) => `${chapter}\n${text}\n`;

test("mistakes are found where the native program finds them", async () => {
  const mistakes = {
    "an unknown fact": added("It has [](fact:a100.peek.bf16)."),
    "a dead link": added("See [there](#nowhere-at-all)."),
    "a fence that stays open": added("```cpp\nint main() {"),
    "front matter that is no YAML": chapter.replace("---\n", "---\ntitle: [\n"),
    "a formula that cannot be set": added("It is $\\fraq{a}{b}$."),
    "a block with an unknown key": added("```figure\nspeck: nothing\n```"),
    "an unknown figure": added("```figure\nspec: no-such-spec\ncaption: None.\n```"),
    "raw HTML": added('<script src="https://example.org/x.js"></script>'),
    "a number that is none": added("It takes [](calc:1/0)."),
    nothing: "",
  };
  const found = [];
  for (const [name, text] of Object.entries(mistakes)) {
    await compare(file, text, name);
    found.push((await workshop_check(file, text)).length);
  }
  assert.ok(found.filter((count) => count > 0).length >= 8, `${found}`);
});

// Repeatable numbers below a bound.
function numbers(seed) {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const pieces =
  "{{ }} ``` ```figure ```quiz $ $$ [ ]( ](fact:x) ![a](b.png) --- | **|** # ## <b> &amp; \\ \u202e \u00a0 \t é 漢 `code` - > 1. : \n\n".split(
    " ",
  );

/** A text with one to three changes by chance. */
function changed(text, below) {
  for (let count = 1 + below(3); count > 0; --count) {
    const at = below(text.length);
    const size = below(60);
    const kind = below(4);
    const span = text.slice(at, at + size);
    if (kind === 0) text = text.slice(0, at) + text.slice(at + size);
    else if (kind === 1) text = text.slice(0, at) + span + text.slice(at);
    else if (kind === 2) text = text.slice(0, at) + pieces[below(pieces.length)] + text.slice(at);
    else text = text.slice(0, at) + [...span].reverse().join("") + text.slice(at + size);
  }
  return text.isWellFormed?.() === false ? text.toWellFormed() : text;
}

const pages = workshop.pages.filter(({ kind }) => kind === "chapter");

test("edits by chance: the same diagnostics", async () => {
  const below = numbers(22);
  for (let i = 0; i < rounds("WORKSHOP_EDITS", 10, 300); ++i) {
    const page = pages[below(pages.length)].file;
    await compare(
      page,
      changed(readFileSync(join(root, page), "utf8"), below),
      `edit ${i}: ${page}`,
    );
  }
});

// What the fuzzers began with, in the place of files of the book.
const places = {
  chapter: file,
  block: file,
  front_matter: file,
  drawing: file,
  raster: file,
  book: "chapters/book.yaml",
  facts: "chapters/facts/chips.json",
  profile: "figures/profiles/reference-chromium.json",
};

test("hostile texts end nothing", async () => {
  const attacks = JSON.parse(readFileSync(join(root, "tests/fixtures/attacks.json"), "utf8"));
  const hostile = [
    [file, added(JSON.stringify(attacks))],
    [file, added("[".repeat(20_000))],
    [file, added("> ".repeat(2_000))],
    [file, added(`\`\`\`figure\n${"a: ".repeat(3_000)}1\n\`\`\``)],
  ];
  for (const [folder, place] of Object.entries(places)) {
    const corpus = join(root, "tests/fuzz/corpus", folder);
    for (const name of readdirSync(corpus))
      hostile.push([place, readFileSync(join(corpus, name), "utf8")]);
  }
  assert.ok(hostile.length > 20, `${hostile.length} texts`);
  for (const [place, text] of hostile) {
    await workshop.ask({ do: "write", file: place, text });
    const { diagnostics, page } = await workshop.ask({ do: "make", file });
    assert.ok(page || diagnostics.length > 0, `${place}: no page, and nothing said`);
    await workshop.ask({ do: "revert", file: place });
  }
  assert.deepEqual(await workshop_check(file, chapter), []);
});

test("bytes that are no pack are refused in words, and a book can be opened after them", async () => {
  const other = await open_workshop(pack);
  const below = numbers(4);
  const broken = [new Uint8Array(), new Uint8Array(100), pack.subarray(0, 40)];
  for (let i = 0; i < rounds("HOSTILE_PACKS", 20, 200); ++i) {
    broken.push(pack.subarray(0, below(pack.length)));
    const flipped = new Uint8Array(pack.subarray(0, 2000 + below(pack.length - 2000)));
    for (let j = 0; j < 8; ++j) flipped[below(2000)] = below(256);
    broken.push(flipped);
  }
  const in_words = (refused) => /workshop/.test(refused.message);
  for (const bytes of broken) await assert.rejects(other.ask({ do: "open" }, bytes), in_words);
  await other.ask({ do: "open" }, pack);
  assert.ok((await other.ask({ do: "make", file })).page.html.startsWith("<!"));
});
