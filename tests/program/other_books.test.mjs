// The experience of an author who starts a new book with an installed primer.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const primer = join(repository, "build/release/generator/primer");
const place = mkdtempSync(join(tmpdir(), "primer-other-"));
after(() => rmSync(place, { recursive: true, force: true }));

const bare = ["--modules", "none", "--fonts", "none", "--minified", "none"];
function run(cwd, ...options) {
  const { status, stdout, stderr } = spawnSync(primer, options, { cwd, encoding: "utf8" });
  return { status, said: stdout + stderr };
}

/** A small book without formulas, in a separate directory. */
function small_book(name, settings, files = {}) {
  const root = join(place, name);
  const all = {
    "chapters/book.yaml": `title: Small\n${settings}chapters: [one]\n`,
    "chapters/en/one.md": "---\ntitle: One\n---\nText.\n",
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test("primer says its version, and help is a command", () => {
  assert.match(run(place, "--version").said, /^primer \d+\.\d+\.\d+\n$/);
  assert.match(run(place, "help").said, /build +Check the book and write its site/);
  assert.match(run(place, "help", "new", "chapter").said, /Create a chapter/);
});

test("a new book has the title and the language that it is given, and the next command can be pasted", () => {
  const made = run(place, "new", "book", "Ada's notes", "--title", "Maschinen", "--language", "de");
  assert.equal(made.status, 0, made.said);
  assert.ok(made.said.includes("cd 'Ada'\\''s notes' && primer serve"), made.said);
  const book = join(place, "Ada's notes");
  assert.match(
    readFileSync(join(book, "chapters/book.yaml"), "utf8"),
    /^# yaml-language-server: \$schema=\S+\ntitle: "Maschinen"\nlanguages: \[de\]\n/,
  );
  assert.ok(existsSync(join(book, "chapters/de/00-memory.md")));
  const { status, said } = run(book, "check", ...bare);
  assert.equal(status, 0, said);
  assert.match(said, /warning: missing locale file for/);
  assert.match(said, /against 1 fact: no errors/);
});

test("the book is found from a directory below it, and its site is in the book", () => {
  const book = small_book("upward", "");
  const built = run(join(book, "chapters/en"), "build", ...bare);
  assert.equal(built.status, 0, built.said);
  assert.ok(existsSync(join(book, "build/site/one/index.html")));
  const other = small_book("elsewhere", "");
  assert.equal(run(place, "build", "--book", other, ...bare).status, 0);
  assert.ok(existsSync(join(other, "build/site/one/index.html")));
  assert.match(run(place, "check").said, /no book found here/);
});

test("a book's own style, words and template need no copy of site/", () => {
  const words = { "said by pages alone": { Chapter: "Kapitel" } };
  const book = small_book("own", "languages: [de]\nnumbering: all\n", {
    "chapters/de/one.md": "---\ntitle: Eins\n---\nText.\n",
    "site/styles/own.css": ".mine { color: rebeccapurple }\n",
    "site/locales/de.json": JSON.stringify(words),
    "site/templates/404.mustache": "<p>Nichts hier</p>",
  });
  rmSync(join(book, "chapters/en"), { recursive: true });
  const wary = run(book, "build", ...bare);
  assert.equal(wary.status, 0, wary.said);
  assert.match(wary.said, /own site\/, which is code; pass --trust to use it/);
  const built = run(book, "build", "--trust", ...bare);
  assert.equal(built.status, 0, built.said);
  assert.match(built.said, /^site\/locales\/de\.json:1:1: warning: \d+ of \d+ strings/m);
  assert.match(built.said, /^1 warning$/m);
  const page = readFileSync(join(book, "build/site/one/index.html"), "utf8");
  assert.match(page, /Kapitel 1/);
  const sheet = /href="\.\.\/(_\/[0-9a-f]+\/style\.css)"/.exec(page)[1];
  const style = readFileSync(join(book, "build/site", sheet), "utf8");
  assert.match(style, /\.mine \{ color: rebeccapurple \}\n$/);
  assert.ok(style.length > 10_000, "the program's styles are there too");
  assert.match(readFileSync(join(book, "build/site/404.html"), "utf8"), /Nichts hier/);
  assert.match(run(book, "build", "--trust", ...bare).said, / 0 changed/);
  writeFileSync(join(book, "site/styles/own.css"), ".mine { color: teal }\n");
  assert.doesNotMatch(run(book, "build", "--trust", ...bare).said, / 0 changed/);
});

test("serve shows the errors of a book that has never been built, and then the book", async () => {
  const book = small_book("broken", "");
  const chapter = join(book, "chapters/en/one.md");
  writeFileSync(chapter, "---\ntitle: One\n---\n[it](nowhere.md)\n");
  const options = ["serve", "--port", "8530", ...bare];
  const serving = spawn(primer, options, { cwd: book, stdio: ["ignore", "pipe", "ignore"] });
  try {
    const url = await new Promise((done) =>
      serving.stdout.on("data", (data) => {
        const found = /http:\S+/.exec(data);
        if (found) done(found[0]);
      }),
    );
    const get = async () => (await fetch(`${url}one/`)).text();
    assert.match(await get(), /http-equiv="refresh"[^]*no &quot;?.*nowhere\.md/);
    writeFileSync(chapter, "---\ntitle: One\n---\nMended.\n");
    while (!(await get()).includes("Mended")) await new Promise((done) => setTimeout(done, 100));
  } finally {
    serving.kill("SIGKILL");
  }
  assert.notEqual(run(place, "serve", "--port", "8540").status, 0);
});
