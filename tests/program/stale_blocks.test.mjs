// If a sentence of the book changes in English, its block in the other language becomes stale on
// the page, in check and in the feed, and no other block does.
//   SENTENCES=1000 node --test tests/program/stale_blocks.test.mjs    tries more than a full run
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";

import { random_of } from "../machines/gpu_simulator/clock.mjs";
import { rounds } from "../rounds.mjs";

const root = resolve(".");
const program = process.env.PRIMER ?? join(root, "build/release/generator/primer");
const folder = mkdtempSync(join(tmpdir(), "stale-blocks-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const [book, site] = [join(folder, "book"), join(folder, "out")];
for (const path of ["chapters", "figures", "wasm_kernels", "tests/fixtures", "generator"])
  cpSync(join(root, path), join(book, path), { recursive: true });

// A book has feeds if its chapters have dates.
for (const args of [
  ["init", "-q"],
  ["add", "."],
  ["commit", "-qm", "Begin"],
])
  execFileSync("git", ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", ...args], {
    cwd: book,
  });

function primer(...args) {
  const { stdout, stderr, status } = spawnSync(program, [...args, "--trust", "--book", book], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 27,
  });
  assert.equal(status, 0, stderr.slice(-2000));
  return stdout;
}

/** The positions of the originals of stale blocks, "chapters/en/01-roofline.md:20". */
function stale_in_check() {
  const found = JSON.parse(primer("check", "--format", "json"));
  const stale = found.filter(({ rule }) => rule === "stale-translation");
  return stale.map(({ notes }) => notes[0]?.replace("the current original is ", "") ?? "");
}

const mark = /<p class="label stale">/g;
const count = (text) => text.match(mark)?.length ?? 0;

/** The number of marks on each page in the other language, by path, and in the feed. */
function stale_on_site() {
  primer("build", "--assets", "site", "--out", site, "--base-url", "https://book.example/");
  const pages = readdirSync(join(site, "es"), { recursive: true }).filter((name) =>
    name.endsWith("index.html"),
  );
  const read = (name) => readFileSync(join(site, "es", name), "utf8");
  const feed = JSON.parse(read("feed.json")).items.map((item) => item.content_html);
  return new Map([
    ...pages.map((name) => [name, count(read(name))]),
    ["feed", count(feed.join("\n"))],
  ]);
}

/** The paragraphs of each chapter: [{file, line, last}], with lines counted from 1. */
function paragraphs() {
  const found = [];
  for (const name of readdirSync(join(book, "chapters/en")).filter((one) => one.endsWith(".md"))) {
    const file = `chapters/en/${name}`;
    const lines = readFileSync(join(book, file), "utf8").split("\n");
    let is_code = false;
    let line = 0; // first line of the paragraph; 0: none
    for (const [i, text] of lines.entries()) {
      if (text.startsWith("```")) is_code = !is_code;
      if (lines[i - 1] === "" && !is_code && /^[A-Z][^|]*$/.test(text)) line = i + 1;
      if (text !== "" && !/^[A-Za-z([]/.test(text)) line = 0;
      if (line > 0 && lines[i + 1] === "" && /[a-z]\.$/.test(text))
        found.push({ file, line, last: i + 1 });
      if (text === "") line = 0;
    }
  }
  return found;
}

test("a sentence that changes makes its block stale, and no other", () => {
  const [checked, seen] = [stale_in_check(), stale_on_site()];
  const all = paragraphs();
  assert.ok(all.length > 200, `${all.length} paragraphs`);
  const random = random_of(23);
  for (let i = 0; i < rounds("SENTENCES", 2, 200); ++i) {
    const { file, line, last } = all[Math.floor(random() * all.length)];
    const path = join(book, file);
    const before = readFileSync(path, "utf8");
    const lines = before.split("\n");
    lines[last - 1] += " It is so.";
    writeFileSync(path, lines.join("\n"));
    const place = `${file}:${line}`;
    assert.deepEqual(
      stale_in_check().filter((one) => !checked.includes(one)),
      checked.includes(place) ? [] : [place],
    );
    const now = stale_on_site();
    const more = [...now].filter(([name, marks]) => marks !== seen.get(name));
    if (!checked.includes(place)) {
      assert.equal(more.length, 2, `${place}: ${more.map(([name]) => name)}`);
      for (const [name, marks] of more) assert.equal(marks, seen.get(name) + 1, `${place} ${name}`);
      assert.ok(more.some(([name]) => name === "feed"));
    }
    writeFileSync(path, before);
  }
});
