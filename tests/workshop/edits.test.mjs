// The diagnostics of an edited chapter are those of `primer check`, at the same lines and columns.
// Whatever a text or a pack contains, the program keeps running.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { rounds } from "../rounds.mjs";
import { edits, numbers } from "./random_edits.mjs";
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

/** The native program's diagnostics for a file with this text. */
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

/** Its output, whether it finds errors or not. */
function primer_said(...args) {
  try {
    return primer(...args);
  } catch (failure) {
    if (failure.status !== 1) throw failure;
    return failure.stdout;
  }
}

/** The same from the module, which is then back in its previous state. */
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

test("edits by chance: the same diagnostics", async () => {
  let i = 0;
  for (const [page, text] of edits(workshop.pages, 22, rounds("WORKSHOP_EDITS", 10, 300)))
    await compare(page, text, `edit ${++i}: ${page}`);
});

// The fuzzing corpus as files of the book: {path: text}. The bytes of a `raster` are not text, and
// the page edits only text. `words` and `page_template` are files of the site.
// tests/npm/corpus.test.mjs has these three. `tree` is about writing to a disk, which the module
// does not do.
const specification = "figures/specs/roofline-reference.json";
const first_line = (text) => /^([^\n]*)\n?([^]*)$/.exec(text).slice(1);
const cases = {
  chapter: (text) => ({ [file]: added(text) }),
  block(text) {
    const [name, body] = first_line(text);
    return { [file]: added(`\`\`\`\`${name}\n${body}\n\`\`\`\``) };
  },
  front_matter: (text) => ({ [file]: `---\n${text}\n---\n## A section\n` }),
  expression(text) {
    const [when, say] = first_line(text);
    const block = ["```verdict", "cases:", `  - when: ${JSON.stringify(when)}`];
    block.push(`    say: ${JSON.stringify(say)}`, "```");
    return { [file]: added(`[](calc:${when}) [${when}](calc:1)\n\n${block.join("\n")}`) };
  },
  drawing: (text) => ({
    "chapters/en/drawn.svg": text,
    [file]: added("![A drawing](drawn.svg)"),
  }),
  book: (text) => ({ "chapters/book.yaml": text }),
  facts(text) {
    const [name, json] = first_line(text);
    const is_specification = name === "round";
    return { [is_specification ? specification : `chapters/facts/${name}.json`]: json };
  },
  profile: (text) => ({ "figures/profiles/reference-chromium.json": text }),
};

/**
 * The page of `file` with these files instead of the book's: the program must keep running and
 * produce a result.
 */
async function try_files(files, name) {
  for (const [path, text] of Object.entries(files))
    await workshop.ask({ do: "write", file: path, text });
  const { diagnostics, page } = await workshop.ask({ do: "make", file });
  assert.ok(page || diagnostics.length > 0, `${name}: no page, and nothing said`);
  for (const path of Object.keys(files)) await workshop.ask({ do: "revert", file: path });
}

const corpora = join(root, "tests/fuzz/corpus");

for (const [folder, files_of] of Object.entries(cases))
  test(`what the fuzzers began with ends nothing: ${folder}`, async () => {
    const names = readdirSync(join(corpora, folder));
    assert.ok(names.length > 0);
    for (const name of names)
      await try_files(files_of(readFileSync(join(corpora, folder, name), "utf8")), name);
    assert.deepEqual(await workshop_check(file, chapter), []);
  });

test("hostile texts end nothing", async () => {
  const attacks = JSON.parse(readFileSync(join(root, "tests/fixtures/attacks.json"), "utf8"));
  const hostile = [
    JSON.stringify(attacks),
    "[".repeat(20_000),
    "> ".repeat(2_000),
    `\`\`\`figure\n${"a: ".repeat(3_000)}1\n\`\`\``,
  ];
  for (const text of hostile) await try_files({ [file]: added(text) }, text.slice(0, 40));
  assert.deepEqual(await workshop_check(file, chapter), []);
});

test("bytes that are no pack are refused in words, and a book can be opened after them", async () => {
  const other = await open_workshop(pack);
  const whole = readFileSync(pack);
  const below = numbers(4);
  const broken = [new Uint8Array(), new Uint8Array(100), whole.subarray(0, 40)];
  for (let i = 0; i < rounds("HOSTILE_PACKS", 20, 200); ++i) {
    broken.push(whole.subarray(0, below(whole.length)));
    const flipped = new Uint8Array(whole.subarray(0, 2000 + below(whole.length - 2000)));
    for (let j = 0; j < 8; ++j) flipped[below(2000)] = below(256);
    broken.push(flipped);
  }
  const in_words = (refused) =>
    /not a book for this editor|packed book is damaged/.test(refused.message);
  for (const bytes of broken) await assert.rejects(other.ask({ do: "open" }, bytes), in_words);
  await other.ask({ do: "open" }, whole);
  assert.ok((await other.ask({ do: "make", file })).page.html.startsWith("<!"));
});
